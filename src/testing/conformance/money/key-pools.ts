import type { PaymentApplication } from "../../../rules/orders/order-commands.ts";
import { waitingTerm } from "../../../rules/orders/order-terms.ts";
import type { AttemptRecord } from "../../../rules/payments/payment-records.ts";
import { applyPayment } from "../../../steps/checkout-steps.ts";
import { fillOrder, readPool, uploadKeys } from "../../../steps/key-pool-steps.ts";
import { applyRefundMessage } from "../../../steps/order-steps.ts";
import { putProducts } from "../../../steps/product-steps.ts";
import { deleteRecord } from "../../../steps/record-steps.ts";
import { type CaseContext, type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";
import { refundFixtures } from "../fixtures/refund-fixtures.ts";

/** Checks the keys that owners upload: a paid order takes one, and one is never given twice. */
export const keyPoolCases: readonly StorageCase[] = [
  {
    name: "an uploaded key is given once, and orders that find none wait for the next upload",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { partition, orderIds, events, shop } = fixtures(context);
      await shop();
      const { payers } = await poolSessions(context, 7);
      const name = { ...partition, product_id: "prod_1" };
      const key = (text: string) => ({
        id: newId("lic"),
        key_hash: text,
        hashes: [text],
        sealed_key: `sealed ${text}`,
        last4: text,
      });
      const upload = (...texts: readonly string[]) =>
        uploadKeys(storage.records, name, texts.map(key));
      const twice = await Promise.all([upload("a", "b", "c"), upload("c", "d")]);
      assert.equal(
        twice.reduce((sum, one) => sum + ("added" in one ? one.added : 0), 0),
        4,
      );

      // Seven buyers of a line each pay at once, and every report of a payment comes twice.
      await Promise.all([...payers, ...payers].map((pay) => applyPayment(storage.orders, pay())));
      const listed = async () => {
        const found = await storage.orders.listOrders({ ...partition, limit: 20 });
        return found.outcome === "listed" ? found.orders : [];
      };
      const given = async () =>
        (await listed()).flatMap(({ entitlements = [] }) =>
          entitlements.flatMap(({ content }) =>
            content.type === "license_key" ? (content.key_hash ?? []) : [],
          ),
        );
      assert.equal(
        (await listed()).every(({ status }) => status === "paid"),
        true,
      );
      assert.deepEqual((await given()).sort(), ["a", "b", "c", "d"]);
      const alerts = await storage.access.listAlerts(partition.store_id, {
        before: null,
        limit: 20,
      });
      assert.equal(alerts.filter(({ type }) => type === "key_pool_empty").length, 3);
      const granted = async () =>
        (await events()).filter(({ type }) => type === "entitlement.granted").length;
      assert.equal(await granted(), 4);

      assert.equal((await readPool(storage.records, name))?.free, 0);
      const repeat = await upload("a", "b");
      assert.equal("added" in repeat && repeat.added, 0);
      await upload("e", "f");
      const waiting = async () => {
        const terms = [waitingTerm(name.product_id)];
        const found = await storage.backOffice.searchOrders({ ...partition, terms, limit: 20 });
        return found.outcome === "listed" ? found.orders.map(({ id }) => id) : [];
      };
      const ids = await waiting();
      assert.equal(ids.length, 3);
      const fill = (order_id: string) =>
        fillOrder(storage.orders, { ...partition, order_id, ids: orderIds(), now: clock.now() });
      await Promise.all([...ids, ...ids].map(fill));
      assert.deepEqual((await given()).sort(), ["a", "b", "c", "d", "e", "f"]);
      assert.equal((await waiting()).length, 1);
      assert.equal(await granted(), 6);

      await upload("g", "h");
      await times(4, () => fill(ids[0] ?? ""));
      await Promise.all((await waiting()).map(fill));
      assert.equal((await given()).length, 7);
      assert.equal((await readPool(storage.records, name))?.free, 1);
      const left = await storage.access.listAlerts(partition.store_id, { before: null, limit: 20 });
      assert.equal(
        left.some(({ type }) => type === "key_pool_empty"),
        false,
      );
    },
  },
  {
    name: "a refund of an order that waits for a key ends the waiting, and takes none",
    async run(context) {
      const { storage, clock, assert } = context;
      const { partition, orderIds, shop } = fixtures(context);
      await shop();
      const { payers, attempts } = await poolSessions(context, 1);
      const { messageOf } = refundFixtures(context);
      const [pay] = payers;
      const [attempt] = attempts;
      if (!pay || !attempt) throw new Error("There is no payment.");
      await applyPayment(storage.orders, pay());
      const money = { reference: "re_1", amount: 1000, notification_id: "n1" };
      const named = {
        id: attempt.order_id,
        currency: attempt.currency,
        payment_reference: `money_${attempt.id}`,
      };
      await applyRefundMessage(storage.orders, messageOf(named, money));
      const name = { ...partition, product_id: "prod_1" };
      const key = { id: "lic_1", key_hash: "a", hashes: ["a"], sealed_key: "s", last4: "a" };
      await uploadKeys(storage.records, name, [key]);
      const { order_id } = attempt;
      const now = clock.now();
      const filled = await fillOrder(storage.orders, {
        ...partition,
        order_id,
        ids: orderIds(),
        now,
      });
      assert.deepEqual(filled.filled, 0);
      assert.equal((await readPool(storage.records, name))?.free, 1);
    },
  },
  {
    name: "the keys of a deleted product stay: an open payment takes one, and none is added twice",
    async run(context) {
      const { storage, assert } = context;
      const { partition, shop, product } = fixtures(context);
      await shop();
      const { payers } = await poolSessions(context, 1);
      const name = { ...partition, product_id: "prod_1" };
      const upload = (...texts: readonly string[]) =>
        uploadKeys(
          storage.records,
          name,
          texts.map((text) => ({
            id: `lic_${text}`,
            key_hash: text,
            hashes: [text],
            sealed_key: `sealed ${text}`,
            last4: text,
          })),
        );
      await upload("a", "b");
      await deleteRecord(storage.records, "product", {
        store_id: partition.store_id,
        id: "prod_1",
      });
      assert.equal(await readPool(storage.records, name), null);
      assert.deepEqual(await upload("c"), { outcome: "unknown_product" });

      for (const pay of payers) await applyPayment(storage.orders, pay());
      const listed = await storage.orders.listOrders({ ...partition, limit: 2 });
      const [order] = listed.outcome === "listed" ? listed.orders : [];
      const [content] = (order?.entitlements ?? []).map((each) => each.content);
      assert.equal(content?.type === "license_key" && content.key_hash, "a");

      const again = { record: product("prod_1"), set_stock: true };
      await putProducts(storage.records, partition.store_id, [again]);
      assert.deepEqual(await upload("a", "b", "c"), { outcome: "uploaded", added: 1, free: 2 });
    },
  },
];

/** Starts the payments of sessions that deliver one uploaded key each. */
async function poolSessions(context: CaseContext, count: number) {
  const { clock, newId } = context;
  const { session, openSession, orderIds } = fixtures(context);
  const { start, result } = paymentFixtures(context);
  const none = { key_hash: null, sealed_key: null, last4: null } as const;
  const payers: (() => PaymentApplication)[] = [];
  const attempts: AttemptRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    const content = { type: "license_key", ...none } as const;
    const delivery = { id: newId("ent"), content, more_ids: [] };
    const lines = session().lines.map((line) => ({ ...line, delivery }));
    const attempt = await start(await openSession({ lines }));
    const payment_reference = `money_${attempt.id}`;
    attempts.push(attempt);
    payers.push(() => ({
      ...result(attempt, "succeeded", { payment_reference }),
      ids: orderIds(),
      now: clock.now(),
    }));
  }
  return { payers, attempts };
}
