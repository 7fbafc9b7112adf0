import type { OrderRecord } from "../../rules/records.ts";
import { applyPayment, submitSession } from "../../steps/checkout-steps.ts";
import { reserveRefund } from "../../steps/order-steps.ts";
import { addNote } from "../../steps/record-steps.ts";
import { wipeInChunks } from "../../steps/wipe-test-data.ts";
import { backOfficeFixtures } from "./fixtures/back-office-fixtures.ts";
import { type StorageCase, times } from "./fixtures/case.ts";
import { unknownBuyer } from "./fixtures/command-fixtures.ts";
import { fixtures } from "./fixtures/fixtures.ts";
import { paymentFixtures } from "./fixtures/payment-fixtures.ts";
import { refundFixtures } from "./fixtures/refund-fixtures.ts";

/**
 * Checks what the owner asks about orders and customers
 * (docs/contract/back-office.md#back-office).
 */
export const backOfficeCases: readonly StorageCase[] = [
  {
    name: "an order is found by its number, ids, payment reference, product, e-mail and name",
    async run(context) {
      const { assert } = context;
      const { shop, product } = fixtures(context);
      const { sell, numbers } = backOfficeFixtures(context);
      await shop([product("prod_1"), product("prod_2")]);
      const ana = await sell({ email: "Ána@Example.com", name: "Eva  D'Ávila-Souza" });
      await sell({ email: "anabela@example.com", name: "Maria Soares" }, "prod_2");
      await sell({ email: "bia_%@example.com" });

      for (const text of ["1", "#1", " #1 ", ana.id, ana.session_id ?? "", `r_${ana.session_id}`])
        assert.deepEqual(await numbers({ search: text }), [1], text);
      for (const text of ["EVA D", "d'avila", "Ávila souza", "ávila", "sou ", ".souza"])
        assert.deepEqual(await numbers({ search: text }), [1], text);
      assert.deepEqual(await numbers({ search: "maria so" }), [2]);
      assert.deepEqual(await numbers({ search: "ANA" }), [2, 1]);
      assert.deepEqual(await numbers({ search: "ana@" }), [1]);
      assert.deepEqual(await numbers({ search: "prod_1" }), [3, 1]);
      assert.deepEqual(await numbers({ product_id: "prod_1", search: "ana" }), [1]);
      assert.deepEqual(await numbers({ product_id: "prod_2" }), [2]);
      for (const text of ["an", "prod_", "%", "ana_", "bia%", "#4", "cus_1", "example.com", "vila"])
        assert.deepEqual(await numbers({ search: text }), [], text);
      assert.deepEqual(await numbers({ search: "ana", livemode: true }), []);
    },
  },
  {
    name: "orders are listed newest first by number, through every filter and cursor",
    async run(context) {
      const { clock, assert } = context;
      const { shop } = fixtures(context);
      const { sell, numbers } = backOfficeFixtures(context);
      await shop();
      const begun = clock.now();
      const sold: OrderRecord[] = [];
      for (let count = 0; count < 5; count += 1) {
        sold.push(await sell({ id: count % 2 === 0 ? "u_1" : "u_2", email: "ana@example.com" }));
        clock.advance(1_000);
      }
      const after = sold[3]?.id ?? "";

      assert.deepEqual(await numbers({}), [5, 4, 3, 2, 1]);
      assert.deepEqual(await numbers({ after }), [3, 2, 1]);
      assert.deepEqual(await numbers({ search: "ana@example.com", limit: 2 }), [5, 4, 3]);
      assert.deepEqual(await numbers({ search: "ana@example.com", after, limit: 1 }), [3, 2]);
      assert.deepEqual(await numbers({ customer_id: "u_1" }), [5, 3, 1]);
      assert.deepEqual(await numbers({ search: "ana", customer_id: "u_2", limit: 1 }), [4, 2]);
      assert.deepEqual(await numbers({ status: "failed" }), []);
      assert.deepEqual(await numbers({ search: "ana", status: "failed", limit: 1 }), []);

      const range = { created_from: begun + 1_000, created_to: begun + 4_000 };
      assert.deepEqual(await numbers(range), [4, 3, 2]);
      assert.deepEqual(await numbers({ ...range, after }), [3, 2]);
      assert.deepEqual(await numbers({ ...range, product_id: "prod_1", limit: 1 }), [4, 3]);
      const back = { oldest_first: true } as const;
      assert.deepEqual(await numbers(back), [1, 2, 3, 4, 5]);
      assert.deepEqual(await numbers({ ...back, after }), [5]);
      assert.deepEqual(await numbers({ ...back, search: "ana", limit: 2 }), [1, 2, 3]);
      assert.deepEqual(await numbers({ ...back, search: "ana", after, limit: 1 }), [5]);
      assert.deepEqual(await numbers({ ...back, ...range, after: sold[1]?.id ?? "" }), [3, 4]);
      assert.equal(await numbers({ after: "ord_unknown" }), "unknown_cursor");
      assert.equal(await numbers({ after, livemode: true }), "unknown_cursor");
    },
  },
  {
    name: "orders are found by the agent that sold them, and by its protocol, on every page",
    async run(context) {
      const { clock, assert } = context;
      const { shop, product } = fixtures(context);
      const { sell, numbers } = backOfficeFixtures(context);
      await shop([product("prod_1"), product("prod_2")]);
      const begun = clock.now();
      const ana = { email: "ana@example.com" };
      const channels = ["ucp:one", undefined, "ucp:two", "ucp:one", "mcp", "ucp:one"];
      const sold: OrderRecord[] = [];
      for (const [index, channel] of channels.entries()) {
        const buyer = index === 3 ? { email: "bia@example.com" } : ana;
        sold.push(await sell(buyer, index < 2 ? "prod_2" : "prod_1", channel));
        clock.advance(1_000);
      }
      const channel = "ucp:one";
      const [third = "", fourth = ""] = sold.slice(2, 4).map(({ id }) => id);

      assert.deepEqual(await numbers({ channel }), [6, 4, 1]);
      assert.deepEqual(await numbers({ channel: "ucp" }), [6, 4, 3, 1]);
      assert.deepEqual(await numbers({ channel: "mcp" }), [5]);
      assert.deepEqual(await numbers({ channel, limit: 1 }), [6, 4]);
      assert.deepEqual(await numbers({ channel, after: fourth }), [1]);
      assert.deepEqual(await numbers({ channel, after: third }), [1]);
      assert.deepEqual(await numbers({ channel: "ucp", after: fourth, limit: 1 }), [3, 1]);
      for (const none of ["acp", "ucp:", "ucp:o", "UCP", "%", "c:ucp"])
        assert.deepEqual(await numbers({ channel: none }), [], none);
      assert.deepEqual(await numbers({ channel, livemode: true }), []);

      assert.deepEqual(await numbers({ channel, product_id: "prod_1" }), [6, 4]);
      assert.deepEqual(await numbers({ channel, search: "ana" }), [6, 1]);
      assert.deepEqual(await numbers({ channel, search: "ana", product_id: "prod_2" }), [1]);
      assert.deepEqual(await numbers({ channel, status: "failed" }), []);
      const range = { created_from: begun + 3_000, created_to: begun + 6_000 };
      assert.deepEqual(await numbers({ channel, ...range }), [6, 4]);
      assert.deepEqual(await numbers({ channel, ...range, after: fourth }), []);
    },
  },
  {
    name: "an order is found by the e-mail and name that it has now, and not by earlier ones",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, submission } = fixtures(context);
      const { result } = paymentFixtures(context);
      const { numbers } = backOfficeFixtures(context);
      await shop();
      const session = await openSession();
      const submit = (name: string) => {
        const buyer = { ...unknownBuyer, email: `${name}@example.com`, name: `Ana ${name}` };
        return submitSession(storage.orders, submission(session, { buyer }));
      };

      const first = await submit("wrong");
      if (first.outcome !== "submitted" || !first.attempt) throw new Error(first.outcome);
      await applyPayment(storage.orders, result(first.attempt, "failed"));
      await submit("right");

      for (const name of ["right@", "ana right"])
        assert.deepEqual(await numbers({ search: name }), [1]);
      for (const name of ["wrong", "ana wrong"])
        assert.deepEqual(await numbers({ search: name }), []);
      assert.deepEqual(await numbers({ search: `ref_${first.attempt.id}` }), [1]);
    },
  },
  {
    name: "fifty orders of one customer at once give exact totals; guests are not merged",
    async run(context) {
      const { storage, assert } = context;
      const { shop, partition, openSession } = fixtures(context);
      const { sell, totals } = backOfficeFixtures(context);
      const { start, result } = paymentFixtures(context);
      await shop();
      const buyer = { ...unknownBuyer, id: "u_1", email: "ana@example.com" };
      const started = await times(20, async () => start(await openSession(), { buyer }));
      await Promise.all([
        times(30, () => sell(buyer)),
        ...started.map((attempt) => applyPayment(storage.orders, result(attempt, "succeeded"))),
        times(3, () => sell({ email: "guest@example.com" })),
      ]);

      const total = { customer_id: "u_1", currency: "BRL", orders: 50, spent: 50_000 };
      assert.deepEqual(await totals("u_1"), [total]);
      const all = await storage.backOffice.listCustomers(partition, { after: null, limit: 10 });
      assert.deepEqual(
        all.map(({ totals: [own] }) => own?.orders),
        [1, 1, 1, 50],
      );
      const page = { after: all[1]?.id ?? "", limit: 1 };
      assert.deepEqual(await storage.backOffice.listCustomers(partition, page), [all[2]]);
      const live = { ...partition, livemode: true };
      assert.deepEqual(await storage.backOffice.listCustomers(live, page), []);

      const ids = ["nobody", ...all.map(({ id }) => id).reverse()];
      assert.deepEqual(await storage.backOffice.listCustomers(partition, { ids }), all);
      assert.deepEqual(await storage.backOffice.listCustomers(live, { ids }), []);
      assert.deepEqual(await storage.backOffice.listCustomers(partition, { ids: [] }), []);
    },
  },
  {
    name: "what a customer spent is the total of paid orders without what was refunded",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, submission } = fixtures(context);
      const { sell, totals } = backOfficeFixtures(context);
      const { refund } = refundFixtures(context);
      await shop();
      const order = await sell({ id: "u_1" });
      const buyer = { ...unknownBuyer, id: "u_1" };
      await submitSession(storage.orders, submission(await openSession(), { buyer }));
      const total = { customer_id: "u_1", currency: "BRL", orders: 1 };
      assert.deepEqual(await totals("u_1"), [{ ...total, spent: 1_000 }]);

      const asked = refund(order, { reference: "back", amount: 300 });
      await reserveRefund(storage.orders, { ...asked, moved_by_host: true });
      assert.deepEqual(await totals("u_1"), [{ ...total, spent: 700 }]);
      assert.deepEqual(await totals("u_2"), []);
    },
  },
  {
    name: "notes are listed newest first, have a bound, and belong to an order that exists",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { shop, partition } = fixtures(context);
      const { sell } = backOfficeFixtures(context);
      await shop();
      const { id: order_id } = await sell({});
      const { backOffice, records } = storage;
      const note = (text: string) => {
        clock.advance(1);
        return { ...partition, order_id, id: newId("note"), text, created_at: clock.now() };
      };
      const notes = [note("one"), note("two"), note("three")];
      for (const one of notes) await addNote(records, one, 3);

      const [first, second, third] = notes;
      if (!first || !second || !third) throw new Error("No notes.");
      assert.equal((await addNote(records, first, 3)).outcome, "added");
      assert.equal((await addNote(records, note("four"), 3)).outcome, "limit");
      const elsewhere = { ...note("five"), livemode: true };
      assert.equal((await addNote(records, elsewhere, 3)).outcome, "unknown_order");
      const all = { after: null, limit: 10 };
      assert.deepEqual(await backOffice.listNotes(partition, order_id, all), [
        third,
        second,
        first,
      ]);
      assert.deepEqual(
        await backOffice.listNotes(partition, order_id, { after: third.id, limit: 1 }),
        [second],
      );
      const history = await backOffice.findHistory(partition, order_id);
      assert.deepEqual(
        [history?.order.id, history?.payments.length, history?.notes.length],
        [order_id, 1, 3],
      );
      assert.equal(await backOffice.findHistory({ ...partition, livemode: true }, order_id), null);
    },
  },
  {
    name: "an erased customer is found by no e-mail, name or total, and their notes go",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { shop, partition } = fixtures(context);
      const { sell, numbers, totals } = backOfficeFixtures(context);
      await shop();
      const ana = { id: "u_1", email: "ana@example.com" };
      const { id: order_id } = await sell({ ...ana, name: "Ana Souza" });
      await sell({ id: "u_2", email: "ana@example.com", name: "Ana Lima" });
      const note = { ...partition, order_id, id: newId("note"), text: "Ana called", created_at: 1 };
      await addNote(storage.records, note, 10);

      const { store_id } = partition;
      const keys = { customer_id: "u_1", customer_keys: ["hash"], now: clock.now() };
      let next: string | null = null;
      do ({ next } = await storage.privacy.eraseChunk({ store_id, ...keys }, next));
      while (next !== null);

      await storage.backOffice.indexOrders(10);
      for (const search of ["ana@example.com", "ana lima", "ana"])
        assert.deepEqual(await numbers({ search }), [2], search);
      assert.deepEqual(await numbers({ search: "souza" }), []);
      assert.deepEqual(await numbers({ product_id: "prod_1" }), [2, 1]);
      assert.deepEqual(await totals("u_1"), []);
      assert.equal((await totals("u_2")).length, 1);
      const page = { after: null, limit: 10 };
      assert.deepEqual(await storage.backOffice.listNotes(partition, order_id, page), []);
      assert.equal((await storage.backOffice.listCustomers(partition, page)).length, 1);
    },
  },
  {
    name: "the test data that is wiped is not found any more",
    async run(context) {
      const { storage, newId, assert } = context;
      const { shop, partition } = fixtures(context);
      const { sell, numbers, totals } = backOfficeFixtures(context);
      await shop();
      const { id: order_id } = await sell({ id: "u_1", email: "ana@example.com" });
      const note = { ...partition, order_id, id: newId("note"), text: "n", created_at: 1 };
      await addNote(storage.records, note, 10);
      await wipeInChunks(storage, partition.store_id);

      assert.deepEqual(await numbers({ search: "ana@example.com" }), []);
      assert.deepEqual(await totals("u_1"), []);
      const page = { after: null, limit: 10 };
      assert.deepEqual(await storage.backOffice.listNotes(partition, order_id, page), []);
    },
  },
];
