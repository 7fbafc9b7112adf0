import { fixtures, type StorageCase, times } from "./case.ts";

export const orderCases: readonly StorageCase[] = [
  {
    name: "parallel completions of one session give one order and one set of events",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, completion, events } = fixtures(context);
      await shop();
      const session = await openSession();
      const results = await times(20, () => storage.orders.completeSession(completion(session)));
      const ids = results.map((result) => ("order" in result ? result.order?.id : result.outcome));
      assert.equal(new Set(ids).size, 1);
      assert.equal(results.filter(({ outcome }) => outcome === "paid").length, 1);
      assert.deepEqual(
        (await events()).map(({ type }) => type),
        ["order.created", "order.paid", "checkout.session.completed"],
      );
    },
  },
  {
    name: "order numbers and event sequences: no gap, no double, under fifty buyers at once",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, completion, events } = fixtures(context);
      await shop();
      const sessions = await times(50, () => openSession());
      const results = await Promise.all(sessions.map((session) => storage.orders.completeSession(completion(session))));
      const numbers = results.map((result) => ("order" in result ? (result.order?.number ?? 0) : 0)).sort((a, b) => a - b);
      assert.deepEqual(
        numbers,
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
      assert.deepEqual(
        (await events()).map(({ sequence }) => sequence),
        Array.from({ length: 150 }, (_, index) => index + 1),
      );
    },
  },
  {
    name: "forty submissions of ten pieces hold ten, and a refused one writes nothing",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product, openSession, submission, events, partition } = fixtures(context);
      await shop([product("prod_1", { stock: 10 })]);
      const sessions = await times(40, () => openSession());
      const results = await Promise.all(sessions.map((session) => storage.orders.submitSession(submission(session))));
      assert.equal(results.filter(({ outcome }) => outcome === "submitted").length, 10);
      assert.equal(results.filter(({ outcome }) => outcome === "insufficient_stock").length, 30);
      assert.equal((await events()).length, 10);
      const cart = await storage.checkout.loadCart(partition, ["prod_1"], null);
      assert.equal(cart.products[0]?.on_hand, 0);
    },
  },
  {
    name: "a failed payment releases its hold, a paid one consumes it; the document and the catalog version follow",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { shop, product, openSession, submission, partition, orderIds } = fixtures(context);
      await shop([product("prod_1", { stock: 1 })]);
      const session = await openSession();
      const submit = async () => {
        const result = await storage.orders.submitSession(submission(session));
        return result.outcome === "submitted" ? (result.attempt?.id ?? "") : result.outcome;
      };
      const apply = (attempt_id: string, status: "succeeded" | "failed") =>
        storage.orders.applyPayment({
          ...partition,
          attempt_id,
          result: { status, reference: "ref", redirect_url: null, amount: 1000, currency: "BRL", failure_code: null, expires_at: null },
          ids: orderIds(),
          now: clock.now(),
          checkout_url: "https://pay.example.com/x",
        });
      const state = async () => {
        const document = (await storage.catalog.findProduct(partition, "prod_1"))?.document ?? "";
        return [document.includes('"available":true'), (await storage.access.findStore("str_A"))?.catalog_version];
      };
      assert.deepEqual(await state(), [true, 2]);
      const first = await submit();
      assert.deepEqual(await state(), [false, 3]);
      assert.equal((await apply(first, "failed")).outcome, "failed");
      assert.equal((await apply(first, "failed")).outcome, "unchanged");
      assert.deepEqual(await state(), [true, 4]);
      const second = await submit();
      assert.equal((await apply(second, "succeeded")).outcome, "paid");
      assert.equal((await apply(second, "succeeded")).outcome, "unchanged");
      assert.deepEqual(await state(), [false, 5]);
      assert.equal((await apply(newId("pay"), "succeeded")).outcome, "unknown_attempt");
    },
  },
  {
    name: "a one-use coupon submitted fifty times at once is used once",
    async run(context) {
      const { storage, assert } = context;
      const { shop, coupon, openSession, submission } = fixtures(context);
      await shop();
      await storage.catalog.putCoupon(coupon("cpn_1", { max_uses: 1 }));
      const sessions = await times(50, () => openSession({ coupon_id: "cpn_1", coupon_code: "cpn_1" }));
      const results = await Promise.all(sessions.map((session) => storage.orders.submitSession(submission(session))));
      assert.equal(results.filter(({ outcome }) => outcome === "submitted").length, 1);
      assert.equal(results.filter(({ outcome }) => outcome === "coupon_invalid").length, 49);
    },
  },
  {
    name: "a submission repeated with its ids starts nothing new",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, submission, events } = fixtures(context);
      await shop();
      const command = submission(await openSession());
      const [first, second] = [await storage.orders.submitSession(command), await storage.orders.submitSession(command)];
      assert.deepEqual([first.outcome, second.outcome], ["submitted", "attempted"]);
      assert.equal("order" in first && "order" in second && first.order.id === second.order.id, true);
      assert.equal((await events()).length, 1);
    },
  },
];
