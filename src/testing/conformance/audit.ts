import { type AuditedCall, auditAuthor } from "../../rules/audit/audit-entry.ts";
import { signedStorage } from "../../startup/signed-storage.ts";
import { completeSession } from "../../steps/checkout-steps.ts";
import { reserveRefund } from "../../steps/order-steps.ts";
import { putProducts } from "../../steps/product-steps.ts";
import { deleteRecord, revokeKey } from "../../steps/record-steps.ts";
import { createStore, removeAddress, updateStore } from "../../steps/store-steps.ts";
import { wipeInChunks } from "../../steps/wipe-test-data.ts";
import type { AuditQuery } from "../../storage/audit-store.ts";
import { type CaseContext, type StorageCase, times } from "./fixtures/case.ts";
import { fixtures } from "./fixtures/fixtures.ts";

const dayMs = 86_400_000;

/** Makes the storage of a call by an actor, and reads the log. */
function calls(context: CaseContext) {
  const { storage, clock, newId } = context;
  const { partition } = fixtures(context);

  const as = (actor: string, changes: Partial<AuditedCall> = {}) => {
    const call = { id: newId("aud"), actor, action: "stores.update", about: "order" } as const;
    return signedStorage(storage, auditAuthor({ ...call, now: clock.now(), ...changes }));
  };
  const list = (filters: Partial<AuditQuery> = {}) =>
    storage.audit.list({ store_id: partition.store_id, limit: 100, ...filters });
  const actors = async (filters?: Partial<AuditQuery>) =>
    (await list(filters)).map(({ actor }) => actor);
  return { as, list, actors };
}

/** Checks the audit log, whose entries are written with the steps that they report. */
export const auditCases: readonly StorageCase[] = [
  {
    name: "a step of an actor stores its entry, and the same step without an actor stores none",
    async run(context) {
      const { storage, assert } = context;
      const { as, list } = calls(context);
      const { store } = fixtures(context);
      await createStore(storage.records, store());
      await updateStore(storage.records, "str_A", { name: "B" });
      assert.deepEqual(await list(), []);

      await updateStore(as("ana").records, "str_A", { name: "C", maintenance: true });
      const [entry, ...others] = await list();
      assert.deepEqual(others, []);
      assert.deepEqual(
        [entry?.actor, entry?.action, entry?.subject, entry?.livemode],
        ["ana", "stores.update", { type: "store", id: "str_A" }, null],
      );
      assert.deepEqual(entry?.before, { name: "B", maintenance: false });
      assert.deepEqual(entry?.after, { name: "C", maintenance: true });
    },
  },
  {
    name: "a step that is refused or changes nothing stores no entry",
    async run(context) {
      const { storage, clock, assert } = context;
      const { as, list } = calls(context);
      const { store, product, coupon, shop } = fixtures(context);
      await shop();
      const { store_id } = product("prod_1");
      const put = (record = product("prod_1"), before = record) =>
        putProducts(as("ana").records, store_id, [{ record, before, set_stock: false }]);

      await createStore(as("ana").records, store());
      await updateStore(as("ana").records, "str_other", { name: "B" });
      await revokeKey(as("ana").records, { store_id, id: "key_other" }, clock.now());
      assert.equal((await put()).outcome, "stored");
      assert.equal(
        (await put(product("prod_1"), product("prod_1", { price: 7 }))).outcome,
        "stale",
      );
      assert.equal(
        await deleteRecord(as("ana").records, "product", { store_id, id: "prod_other" }),
        false,
      );
      assert.equal(
        await deleteRecord(as("ana").records, "coupon", { store_id, id: coupon("cpn_1").id }),
        false,
      );
      assert.equal(
        await removeAddress(as("ana").records, { kind: "origin", store_id, address: "https://a" }),
        false,
      );
      assert.deepEqual(await list(), []);
      assert.ok(await storage.access.findStore(store_id));
    },
  },
  {
    name: "what a record held before is read in the step that replaces it",
    async run(context) {
      const { storage, assert } = context;
      const { as, list } = calls(context);
      const { product, shop } = fixtures(context);
      await shop();
      const { store_id } = product("prod_1");
      // None of these writes reads what it replaces: each overwrites whatever is stored.
      await times(20, (index) =>
        putProducts(as(`a${index}`).records, store_id, [
          { record: product("prod_1", { price: 100 + index }), set_stock: false },
        ]),
      );

      const entries = await list();
      assert.equal(entries.length, 20);
      const prices = (side: "before" | "after") =>
        entries.map((entry) => Number(entry[side]?.["price"])).sort((a, b) => a - b);
      const first = product("prod_1").price;
      const last = (await storage.catalog.findProductRecords(store_id, ["prod_1"]))[0]?.price ?? 0;
      // Every price but the last was replaced once, and so was the very first price.
      const written = prices("after").filter((price) => price !== last);
      assert.deepEqual(
        prices("before"),
        [...written, first].sort((a, b) => a - b),
      );
    },
  },
  {
    name: "of several steps of one call the first that changes something stores the entry",
    async run(context) {
      const { storage, assert } = context;
      const { as, list } = calls(context);
      const { store } = fixtures(context);
      await createStore(storage.records, store());
      const call = as("ana");
      await updateStore(call.records, "str_A", { name: store().name });
      await updateStore(call.records, "str_A", { name: "B" });
      await updateStore(call.records, "str_A", { name: "C" });
      const entries = await list();
      assert.deepEqual(
        entries.map(({ after }) => after),
        [{ name: "B" }],
      );
    },
  },
  {
    name: "an order step of an actor stores one entry, which tells what the step changed",
    async run(context) {
      const { clock, assert } = context;
      const { as, list } = calls(context);
      const { shop, openSession, completion, orderIds, partition } = fixtures(context);
      await shop();
      const session = await openSession();
      const made = await completeSession(as("shop").orders, completion(session));
      const order_id = ("order" in made && made.order?.id) || "";
      clock.advance(1);

      const refund = { reference: "rf", amount: 1, reason: "Ana asked" };
      const reserve = (actor: string, amount: number) =>
        reserveRefund(as(actor, { action: "orders.refund" }).orders, {
          ...partition,
          order_id,
          refund: { ...refund, id: `rf_${actor}`, reference: `r_${actor}`, amount },
          moved_by_host: true,
          refunding: [],
          sent_now: false,
          ids: orderIds(),
          now: clock.now(),
        });
      assert.equal((await reserve("bia", 1_000_000)).outcome, "exceeds_balance");
      const results = await times(10, (index) => reserve(`a${index}`, 1));
      assert.ok(results.every((result) => "refund" in result));

      const refunds = await list({ action: "orders.refund" });
      assert.equal(refunds.length, 10);
      assert.deepEqual(new Set(refunds.map(({ actor }) => actor)).size, 10);
      for (const { subject, livemode, withheld } of refunds) {
        assert.deepEqual(subject, { type: "order", id: order_id });
        assert.equal(livemode, partition.livemode);
        assert.ok(withheld.some((name) => name.endsWith(".reason")));
      }
      assert.ok(!JSON.stringify(await list()).includes("Ana"));
    },
  },
  {
    name: "the log is listed newest first, by actor, action, subject and time, page by page",
    async run(context) {
      const { storage, clock, assert } = context;
      const { as, list, actors } = calls(context);
      const { store } = fixtures(context);
      const start = clock.now();
      await createStore(storage.records, store());
      await createStore(storage.records, store({ id: "str_B", slug: "b" }));
      for (const index of [0, 1, 2, 3, 4]) {
        const action = index % 2 === 0 ? "stores.update" : "origins.add";
        await updateStore(as(`a${index}`, { action }).records, "str_A", { name: `N${index}` });
        await updateStore(as("other").records, "str_B", { name: `N${index}` });
        clock.advance(1);
      }

      assert.deepEqual(await actors(), ["a4", "a3", "a2", "a1", "a0"]);
      assert.deepEqual(await actors({ actor: "a1" }), ["a1"]);
      assert.deepEqual(await actors({ action: "origins.add" }), ["a3", "a1"]);
      assert.deepEqual(await actors({ subject: { type: "store", id: "str_B" } }), []);
      assert.equal((await actors({ subject: { type: "store", id: "str_A" } })).length, 5);
      const range = { created_from: start + 1, created_to: start + 3 };
      assert.deepEqual(await actors(range), ["a2", "a1"]);

      const [first, second] = await list({ limit: 2 });
      assert.equal(first?.actor, "a4");
      const after = { created_at: second?.created_at ?? 0, id: second?.id ?? "" };
      assert.deepEqual(await actors({ after, limit: 2 }), ["a2", "a1"]);
    },
  },
  {
    name: "old entries are pruned, and the wipe of test data and an erasure leave the log",
    async run(context) {
      const { storage, clock, assert } = context;
      const { as, actors } = calls(context);
      const { partition, shop } = fixtures(context);
      const { store_id } = partition;
      await shop();
      await updateStore(as("old").records, store_id, { name: "B" });
      clock.advance(dayMs);
      const erasure = { store_id, customer_id: "u_1", customer_keys: ["k"], now: clock.now() };
      const eraser = as("eraser", { action: "customers.erase" });
      const { next } = await eraser.privacy.eraseChunk(erasure, null);
      if (next !== null) await eraser.privacy.eraseChunk(erasure, next);
      clock.advance(1);
      await wipeInChunks(as("wiper", { action: "test_data.wipe" }), store_id);
      assert.deepEqual(await actors(), ["wiper", "eraser", "old"]);

      assert.equal(await storage.audit.prune(clock.now() - 1, 10), 1);
      assert.deepEqual(await actors(), ["wiper", "eraser"]);
      assert.equal(await storage.audit.prune(clock.now() - 1, 10), 0);
    },
  },
];
