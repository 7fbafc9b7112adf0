import type { PaymentApplication } from "../../rules/order-commands.ts";
import type { AttemptRecord } from "../../rules/payment-records.ts";
import type { SessionRecord } from "../../rules/records.ts";
import { type CaseContext, fixtures, nobody, type StorageCase, times } from "./case.ts";

/** The life of a payment (CONTRACT 6), as the storage writes it: holds, coupon slots, events, alerts. */
export const paymentCases: readonly StorageCase[] = [
  {
    name: "one result told twenty times at once is applied once",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, events } = fixtures(context);
      const { start, result } = payments(context);
      await shop();
      const attempt = await start(await openSession());
      const applied = await times(20, () =>
        storage.orders.applyPayment(result(attempt, "succeeded")),
      );
      assert.equal(applied.filter(({ outcome }) => outcome === "paid").length, 1);
      assert.equal(applied.filter(({ outcome }) => outcome === "unchanged").length, 19);
      assert.deepEqual(
        (await events()).map(({ type }) => type),
        ["order.created", "order.paid", "checkout.session.completed"],
      );
      const late = await storage.orders.applyPayment(result(attempt, "failed"));
      assert.equal(late.outcome, "unchanged");
      assert.equal("order" in late && late.order.status, "paid");
    },
  },
  {
    name: "a declined payment gives back stock and coupon slot; the next try takes them again under the same order",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, product, coupon, openSession, submission, partition, events } =
        fixtures(context);
      const { start, result } = payments(context);
      await shop([product("prod_1", { stock: 1 })]);
      await storage.catalog.putCoupon(coupon("CODE", { max_uses: 1 }));
      const left = async () => {
        const cart = await storage.checkout.loadCart(partition, ["prod_1"], "CODE");
        return [cart.products[0]?.on_hand, cart.coupon?.used];
      };
      const discounted = { coupon_id: "CODE", coupon_code: "CODE" };
      const session = await openSession(discounted);
      const other = await openSession(discounted);
      const first = await start(session);
      assert.deepEqual(await left(), [0, 1]);
      assert.equal((await storage.orders.applyPayment(result(first, "failed"))).outcome, "failed");
      assert.deepEqual(await left(), [1, 0]);

      const taken = await start(other);
      assert.equal(
        (await storage.orders.submitSession(submission(session))).outcome,
        "insufficient_stock",
      );
      assert.equal(
        (await storage.orders.findCheckout(partition, session.id))?.order?.status,
        "failed",
      );
      await storage.orders.applyPayment(result(taken, "failed"));

      clock.advance(1);
      const second = await start(session);
      assert.equal(second.order_id, first.order_id);
      assert.deepEqual(await left(), [0, 1]);
      assert.equal(
        (await storage.orders.applyPayment(result(second, "succeeded"))).outcome,
        "paid",
      );
      assert.deepEqual(await left(), [0, 1]);
      const found = await storage.orders.findCheckout(partition, session.id);
      assert.deepEqual(
        [
          found?.session.status,
          found?.session.payment_status,
          found?.order?.status,
          found?.attempt?.id,
        ],
        ["complete", "paid", "paid", second.id],
      );
      assert.deepEqual(
        (await events()).map(({ type }) => type),
        [
          "order.created",
          "order.failed",
          "order.created",
          "order.failed",
          "order.paid",
          "checkout.session.completed",
        ],
      );
    },
  },
  {
    name: "a success after the failure pays the order, takes what is not there and tells the owner",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product, coupon, openSession, partition } = fixtures(context);
      const { start, result, alerts } = payments(context);
      await shop([product("prod_1", { stock: 1 })]);
      await storage.catalog.putCoupon(coupon("CODE", { max_uses: 1 }));
      const discounted = { coupon_id: "CODE", coupon_code: "CODE" };
      const late = await start(await openSession(discounted));
      await storage.orders.applyPayment(result(late, "failed"));
      const winner = await start(await openSession(discounted));
      await storage.orders.applyPayment(result(winner, "succeeded"));
      const paid = await storage.orders.applyPayment(result(late, "succeeded"));
      assert.equal(paid.outcome, "paid");
      assert.deepEqual(
        "order" in paid && [paid.order.status, paid.order.failure_code, paid.order.holds],
        ["paid", null, "consumed"],
      );
      const cart = await storage.checkout.loadCart(partition, ["prod_1"], "CODE");
      assert.deepEqual([cart.products[0]?.on_hand, cart.coupon?.used], [-1, 2]);
      assert.deepEqual(await alerts(), ["coupon_overused", "oversold"]);
    },
  },
  {
    name: "a success of another attempt leaves the paid order alone and is told as a duplicate, each once",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, completion, events } = fixtures(context);
      const { start, result, alerts } = payments(context);
      await shop();
      const session = await openSession();
      const attempt = await start(session);
      assert.equal((await storage.orders.completeSession(completion(session))).outcome, "paid");
      assert.equal(
        (await storage.orders.applyPayment(result(attempt, "succeeded"))).outcome,
        "duplicate",
      );
      assert.equal(
        (await storage.orders.applyPayment(result(attempt, "succeeded"))).outcome,
        "unchanged",
      );
      assert.equal(
        (await storage.orders.completeSession(completion(session, { reference: "r2" }))).outcome,
        "duplicate",
      );
      assert.deepEqual(await alerts(), ["duplicate_payment", "duplicate_payment"]);
      assert.equal((await events()).length, 3);
    },
  },
  {
    name: "another amount or currency leaves the order pending, writes no event and raises an alert",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, events } = fixtures(context);
      const { start, result, alerts } = payments(context);
      await shop();
      const attempt = await start(await openSession());
      const applied = await storage.orders.applyPayment(
        result(attempt, "succeeded", { amount: 999 }),
      );
      assert.equal(applied.outcome, "mismatch");
      assert.equal("order" in applied && applied.order.status, "pending");
      assert.equal(
        (await storage.orders.applyPayment(result(attempt, "succeeded", { currency: "USD" })))
          .outcome,
        "mismatch",
      );
      assert.deepEqual(await alerts(), ["payment_mismatch"]);
      assert.equal((await events()).length, 1);
      assert.equal(
        (await storage.orders.applyPayment(result(attempt, "succeeded"))).outcome,
        "paid",
      );
    },
  },
  {
    name: "max_uses_per_customer counts the buyer by id, else by folded e-mail, across sessions submitted at once",
    async run(context) {
      const { storage, assert } = context;
      const { shop, coupon, openSession, submission } = fixtures(context);
      const { start, result } = payments(context);
      await shop();
      await storage.catalog.putCoupon(coupon("CODE", { max_uses_per_customer: 1 }));
      const discounted = (changes: Partial<SessionRecord> = {}) =>
        openSession({ coupon_id: "CODE", coupon_code: "CODE", ...changes });
      const submit = async (changes: Partial<SessionRecord>, buyer: Partial<typeof nobody> = {}) =>
        (
          await storage.orders.submitSession(
            submission(await discounted(changes), { buyer: { ...nobody, ...buyer } }),
          )
        ).outcome;
      const raced = await times(10, (index) =>
        submit({ email: index % 2 ? "ANA@example.com" : "ana@example.com" }),
      );
      assert.equal(raced.filter((outcome) => outcome === "submitted").length, 1);
      assert.equal(raced.filter((outcome) => outcome === "coupon_invalid").length, 9);
      assert.equal(await submit({ email: "ana@example.com" }, { id: "u_1" }), "submitted");
      assert.equal(await submit({ email: "other@example.com" }, { id: "u_1" }), "coupon_invalid");
      assert.equal(await submit({ customer_id: "u_1" }), "coupon_invalid");

      const session = await discounted();
      const known = { buyer: { ...nobody, id: "u_2", email: "bia@example.com" } };
      const first = await start(session, known);
      await storage.orders.applyPayment(result(first, "failed"));
      // Known by id at the first try: the second counts for the same buyer without naming them.
      await storage.orders.applyPayment(result(await start(session), "succeeded"));
      assert.equal(await submit({}, { id: "u_2" }), "coupon_invalid");
      assert.equal(await submit({ email: "bia@example.com" }), "submitted");
    },
  },
  {
    name: "the session's buyer token stays the authority over whose order it is, at every try",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, partition } = fixtures(context);
      const { start, result } = payments(context);
      await shop();
      const session = await openSession({ customer_id: "ana" });
      const named = { buyer: { ...nobody, id: "mallory" } };
      await storage.orders.applyPayment(result(await start(session, named), "failed"));
      await start(session, named);
      const found = await storage.orders.findCheckout(partition, session.id);
      assert.equal(found?.order?.customer.id, "ana");
    },
  },
  {
    name: "a payment of the host's that failed leaves the order to the one still in flight",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, completion, events, partition } = fixtures(context);
      const { start, result } = payments(context);
      await shop();
      const session = await openSession();
      const attempt = await start(session);
      assert.equal(
        (await storage.orders.completeSession(completion(session, { status: "failed" }))).outcome,
        "unchanged",
      );
      assert.equal(
        (await storage.orders.findCheckout(partition, session.id))?.order?.status,
        "pending",
      );
      assert.equal(
        (await storage.orders.applyPayment(result(attempt, "succeeded"))).outcome,
        "paid",
      );
      assert.equal((await events()).length, 3);
    },
  },
  {
    name: "a buyer gives up no order that has a payment in flight, and an expired session takes no new one",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { shop, openSession, submission, partition } = fixtures(context);
      const { start } = payments(context);
      await shop();
      const session = await openSession();
      const cancel = async (session_id: string) =>
        (
          await storage.orders.closeSession({
            ...partition,
            session_id,
            reason: "canceled",
            close_session: false,
            ids: { events: [newId("evt")], alerts: [] },
            now: clock.now(),
          })
        ).outcome;
      assert.equal(await cancel("cs_unknown"), "unknown_session");
      assert.equal(await cancel(session.id), "no_order");
      await start(session);
      assert.equal(await cancel(session.id), "in_flight");
      const other = await openSession();
      clock.advance(other.expires_at - clock.now());
      assert.equal(
        (await storage.orders.submitSession(submission(other))).outcome,
        "session_expired",
      );
      assert.equal((await storage.orders.submitSession(submission(session))).outcome, "attempted");
    },
  },
];

function payments(context: CaseContext) {
  const { storage, clock } = context;
  const { partition, submission, orderIds } = fixtures(context);
  return {
    /** Submits and gives the attempt that is to be charged. */
    async start(
      session: SessionRecord,
      changes: Parameters<typeof submission>[1] = {},
    ): Promise<AttemptRecord> {
      const submitted = await storage.orders.submitSession(submission(session, changes));
      if (submitted.outcome !== "submitted" || !submitted.attempt)
        throw new Error(`Not submitted: ${submitted.outcome}.`);
      return submitted.attempt;
    },
    result: (
      attempt: AttemptRecord,
      status: PaymentApplication["result"]["status"],
      changes: Partial<PaymentApplication["result"]> = {},
    ): PaymentApplication => ({
      ...partition,
      attempt_id: attempt.id,
      result: {
        status,
        reference: "ref",
        redirect_url: null,
        amount: attempt.amount,
        currency: attempt.currency,
        failure_code: null,
        expires_at: null,
        ...changes,
      },
      ids: orderIds(),
      now: clock.now(),
      external_stock: false,
    }),
    alerts: async (): Promise<readonly string[]> =>
      (await storage.access.listAlerts(partition.store_id, { before: null, limit: 100 }))
        .map(({ type }) => type)
        .sort(),
  };
}
