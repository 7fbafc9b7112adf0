import { applyPayment, submitSession } from "../../../steps/checkout-steps.ts";
import { putProducts } from "../../../steps/product-steps.ts";
import { deleteRecord } from "../../../steps/record-steps.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";

/** Checks stock: what is counted, held for an order, sold and given back. */
export const stockCases: readonly StorageCase[] = [
  {
    name: "after concurrent puts and sales each document shows both",
    async run(context) {
      const { storage, assert } = context;
      const { product, session, shop, openSession, submission, partition } = fixtures(context);

      const ids = Array.from({ length: 8 }, (_, index) => `prod_${index}`);
      await shop();
      for (let round = 1; round <= 6; round++) {
        const price = 1000 + round;
        const put = (id: string, changes: { price: number }, set_stock: boolean) =>
          putProducts(storage.records, "str_A", [
            { record: product(id, { stock: round, ...changes }), set_stock },
          ]);
        for (const id of ids) await put(id, { price: 1 }, true);
        const sessions = await Promise.all(
          ids.map((product_id) =>
            openSession({ lines: session().lines.map((line) => ({ ...line, product_id })) }),
          ),
        );
        const jobs = sessions.flatMap((open, index) => [
          submitSession(storage.orders, submission(open)),
          put(ids[index] ?? "", { price }, false),
        ]);
        assert.deepEqual(
          new Set((await Promise.all(jobs)).map(({ outcome }) => outcome)),
          new Set(["submitted", "stored"]),
        );
        for (const livemode of [false, true]) {
          for (const id of ids) {
            const found = await storage.catalog.findProduct({ ...partition, livemode }, id);
            const document = JSON.parse(found?.document ?? "null");
            assert.deepEqual(
              [document.price, document.available],
              [price, livemode],
              `${id} in round ${round}, livemode ${livemode}`,
            );
          }
        }
      }
    },
  },
  {
    name: "stock is counted per mode, kept without `set_stock`, and uncounted when null",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, openSession, submission, partition } = fixtures(context);

      await shop([product("prod_1", { stock: 2 })]);
      await submitSession(storage.orders, submission(await openSession()));
      const onHand = async () => {
        const carts = [false, true].map((livemode) =>
          storage.checkout.loadCart({ ...partition, livemode }, ["prod_1"], null),
        );
        return (await Promise.all(carts)).map((cart) => cart.products[0]?.on_hand);
      };
      const put = (stock: number | null, set_stock: boolean) =>
        putProducts(storage.records, "str_A", [
          { record: product("prod_1", { stock }), set_stock },
        ]);
      assert.deepEqual(await onHand(), [1, 2]);

      await put(9, false);
      assert.deepEqual(await onHand(), [1, 2]);

      await put(5, true);
      assert.deepEqual(await onHand(), [4, 5]);

      await put(1, true);
      const documents = [false, true].map((livemode) =>
        storage.catalog.findProduct({ ...partition, livemode }, "prod-1"),
      );
      assert.deepEqual(
        (await Promise.all(documents)).map(
          (found) => JSON.parse(found?.document ?? "null").available,
        ),
        [false, true],
      );

      await put(null, true);
      assert.deepEqual(await onHand(), [null, null]);

      // A product that takes the id of a deleted one begins without its stock.
      await put(3, true);
      await deleteRecord(storage.records, "product", { store_id: "str_A", id: "prod_1" });
      await put(3, false);
      assert.deepEqual(await onHand(), [null, null]);
    },
  },
  {
    name: "forty concurrent submissions hold the ten pieces, and a refused one writes nothing",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product, openSession, submission, events, partition } = fixtures(context);

      await shop([product("prod_1", { stock: 10 })]);
      const sessions = await times(40, () => openSession());
      const results = await Promise.all(
        sessions.map((session) => submitSession(storage.orders, submission(session))),
      );
      assert.equal(results.filter(({ outcome }) => outcome === "submitted").length, 10);
      assert.equal(results.filter(({ outcome }) => outcome === "insufficient_stock").length, 30);
      assert.equal((await events()).length, 10);

      const cart = await storage.checkout.loadCart(partition, ["prod_1"], null);
      assert.equal(cart.products[0]?.on_hand, 0);
      assert.deepEqual(await storage.lists.countStock(partition, ["prod_9", "prod_1"]), [
        { product_id: "prod_1", stock: 10, held: 10, counted: true },
      ]);
      const live = { ...partition, livemode: true };
      assert.deepEqual(await storage.lists.countStock(live, ["prod_1"]), [
        { product_id: "prod_1", stock: 10, held: 0, counted: true },
      ]);
      assert.deepEqual(await storage.lists.countStock(partition, []), []);
    },
  },
  {
    name: "a failed payment releases its hold, and a paid one consumes it",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { shop, product, openSession, submission, partition, orderIds } = fixtures(context);

      await shop([product("prod_1", { stock: 1 })]);
      const session = await openSession();
      const submit = async () => {
        const result = await submitSession(storage.orders, submission(session));
        return result.outcome === "submitted" ? (result.attempt?.id ?? "") : result.outcome;
      };
      const apply = (attempt_id: string, status: "succeeded" | "failed") =>
        applyPayment(storage.orders, {
          ...partition,
          attempt_id,
          session_id: session.id,
          result: {
            status,
            reference: "ref",
            payment_reference: null,
            next_action: null,
            amount: 1000,
            currency: "BRL",
            failure_code: null,
            expires_at: null,
          },
          ids: orderIds(),
          now: clock.now(),
          external_stock: false,
        });
      const state = async () => {
        const document = (await storage.catalog.findProduct(partition, "prod_1"))?.document ?? "";
        return [
          document.includes('"available":true'),
          (await storage.access.findStore("str_A"))?.catalog_version,
        ];
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
    name: "a hold of stock that is no longer counted gives nothing back",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, product, openSession, submission, partition, orderIds } = fixtures(context);

      await shop([product("prod_1", { stock: 1 })]);
      const session = await openSession();
      const submitted = await submitSession(storage.orders, submission(session));
      const put = (stock: number | null) =>
        putProducts(storage.records, "str_A", [
          { record: product("prod_1", { stock }), set_stock: true },
        ]);
      await put(null);
      await put(5);
      await applyPayment(storage.orders, {
        ...partition,
        attempt_id: submitted.outcome === "submitted" ? (submitted.attempt?.id ?? "") : "",
        session_id: session.id,
        result: {
          status: "failed",
          reference: null,
          payment_reference: null,
          next_action: null,
          amount: 1000,
          currency: "BRL",
          failure_code: null,
          expires_at: null,
        },
        ids: orderIds(),
        now: clock.now(),
        external_stock: false,
      });
      const cart = await storage.checkout.loadCart(partition, ["prod_1"], null);
      assert.equal(cart.products[0]?.on_hand, 5);
    },
  },
  {
    name: "an order that began before the stock was counted gives back no piece of the count",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product, openSession, submission, partition } = fixtures(context);
      const { start, result } = paymentFixtures(context);

      await shop([product("prod_1")]);
      const before = [await start(await openSession()), await start(await openSession())] as const;
      await putProducts(storage.records, "str_A", [
        { record: product("prod_1", { stock: 2 }), set_stock: true },
      ]);
      const onHand = async () =>
        (await storage.checkout.loadCart(partition, ["prod_1"], null)).products[0]?.on_hand;

      await applyPayment(storage.orders, result(before[0], "failed"));
      assert.equal(await onHand(), 2);
      await applyPayment(storage.orders, result(before[1], "succeeded"));
      assert.equal(await onHand(), 1);

      const submitted = await times(2, async () =>
        submitSession(storage.orders, submission(await openSession())),
      );
      assert.deepEqual(submitted.map(({ outcome }) => outcome).sort(), [
        "insufficient_stock",
        "submitted",
      ]);
    },
  },
  {
    name: "stock that is set to null and back keeps what is held",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product, openSession, submission, partition } = fixtures(context);

      await shop([product("prod_1", { stock: 2 })]);
      const submit = async () =>
        (await submitSession(storage.orders, submission(await openSession()))).outcome;
      const set = (stock: number | null) =>
        putProducts(storage.records, "str_A", [
          { record: product("prod_1", { stock }), set_stock: true },
        ]);
      const onHand = async () =>
        (await storage.checkout.loadCart(partition, ["prod_1"], null)).products[0]?.on_hand;

      assert.equal(await submit(), "submitted");
      await set(null);
      assert.equal(await onHand(), null);
      assert.equal(await submit(), "submitted");

      await set(2);
      assert.equal(await onHand(), 0);
      assert.equal(await submit(), "insufficient_stock");
    },
  },
  {
    name: "a held piece that a lower count does not cover is sold with the alert `oversold`",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product, openSession, partition } = fixtures(context);
      const { start, result, alerts } = paymentFixtures(context);

      await shop([product("prod_1")]);
      const set = (stock: number) =>
        putProducts(storage.records, "str_A", [
          { record: product("prod_1", { stock }), set_stock: true },
        ]);
      // The first payment began before the product was counted, so no count knows its piece.
      const uncounted = await start(await openSession());
      await set(2);
      const [second, third] = [await start(await openSession()), await start(await openSession())];
      await applyPayment(storage.orders, result(uncounted, "failed"));
      await set(1);

      await applyPayment(storage.orders, result(second, "succeeded"));
      assert.deepEqual(await alerts(), []);
      await applyPayment(storage.orders, result(third, "succeeded"));
      assert.deepEqual(await alerts(), ["oversold"]);

      const cart = await storage.checkout.loadCart(partition, ["prod_1"], null);
      assert.equal(cart.products[0]?.on_hand, -1);
    },
  },
];
