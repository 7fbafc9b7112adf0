import type { DisputeOpening, RefundReservation, Renewal } from "../../rules/order-commands.ts";
import type { OrderRecord } from "../../rules/records.ts";
import { type CaseContext, fixtures, type StorageCase, times } from "./case.ts";

/** Refunds, disputes, subscriptions, maintenance, consumers and erasure (CONTRACT 6), as the storage writes them. */
export const moneyCases: readonly StorageCase[] = [
  {
    name: "of twenty refunds at once no more than the total is reserved; a settled one is booked once, a failed one frees its reserve",
    async run(context) {
      const { storage, clock, assert } = context;
      const { partition, orderIds } = fixtures(context);
      const { paidOrder, refund } = money(context);
      const order = await paidOrder();
      const reserved = await times(20, (index) =>
        storage.orders.reserveRefund(refund(order, { reference: `r${index}`, amount: 300 })),
      );
      assert.equal(reserved.filter(({ outcome }) => outcome === "reserved").length, 3);
      assert.equal(reserved.filter(({ outcome }) => outcome === "exceeds_balance").length, 17);
      const [first, second, third] = reserved.flatMap((result) =>
        result.outcome === "reserved" ? [result.refund] : [],
      );
      const settle = (refund_id = "", succeeded = true) =>
        storage.orders.settleRefund({
          ...partition,
          order_id: order.id,
          refund_id,
          succeeded,
          ids: orderIds(),
          now: clock.now(),
        });
      const settled = await times(5, () => settle(first?.id));
      assert.equal(settled.filter(({ outcome }) => outcome === "refunded").length, 1);
      assert.equal((await settle(second?.id, false)).outcome, "failed");
      const after = await storage.orders.findOrder(partition, order.id);
      assert.deepEqual(
        [after?.status, after?.amount_refunded, after?.amount_refunding],
        ["partially_refunded", 300, 300],
      );
      clock.advance(60_000);
      const due = await times(4, () =>
        storage.orders.claimRefunds({ now: clock.now(), until: clock.now() + 1000, limit: 10 }),
      );
      assert.deepEqual(
        due.flat().map(({ id }) => id),
        [third?.id],
      );
    },
  },
  {
    name: "a refund without a gateway is booked at once; its reference said again gives the first answer",
    async run(context) {
      const { storage, assert } = context;
      const { events } = fixtures(context);
      const { paidOrder, refund } = money(context);
      const order = await paidOrder();
      const told = { ...refund(order, { reference: "r1", amount: null }), refunding: [] };
      const results = await times(5, () => storage.orders.reserveRefund(told));
      assert.ok(
        results.every((result) => result.outcome === "refunded" && result.refund.amount === 1000),
      );
      assert.equal((await events()).filter(({ type }) => type === "order.refunded").length, 1);
      assert.equal(
        (await storage.orders.reserveRefund({ ...told, order_id: "ord_none" })).outcome,
        "unknown_order",
      );
    },
  },
  {
    name: "a dispute opened ten times at once is one; won, the order is what it was",
    async run(context) {
      const { storage, clock, assert } = context;
      const { partition, orderIds, events } = fixtures(context);
      const { paidOrder } = money(context);
      const order = await paidOrder();
      const dispute = { id: "dp_1", amount: 1000, reason: null, due_by: null };
      const opening: DisputeOpening = {
        ...partition,
        order_id: order.id,
        dispute,
        ids: orderIds(),
        now: clock.now(),
      };
      const opened = await times(10, () => storage.orders.openDispute(opening));
      assert.equal(opened.filter(({ outcome }) => outcome === "opened").length, 1);
      assert.equal((await events()).filter(({ type }) => type === "order.chargeback").length, 1);
      const close = {
        ...partition,
        order_id: order.id,
        dispute_id: "dp_1",
        result: "won" as const,
        now: clock.now(),
      };
      assert.equal((await storage.orders.closeDispute(close)).outcome, "closed");
      assert.equal((await storage.orders.closeDispute(close)).outcome, "unchanged");
      assert.equal((await storage.orders.findOrder(partition, order.id))?.status, "paid");
    },
  },
  {
    name: "one period reported by twenty at once is renewed once, with one order",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { partition, orderIds, events } = fixtures(context);
      const { paidOrder } = money(context);
      const order = await paidOrder(true);
      const subscription = await storage.orders.findSubscription(
        partition,
        order.subscription_id ?? "",
      );
      assert.equal(subscription?.latest_order_id, order.id);
      const renewal = (): Renewal => ({
        ...partition,
        subscription_id: subscription?.id ?? "",
        period_start: subscription?.current_period_end ?? 0,
        paid: true,
        failure_code: "declined",
        reference: "r",
        attempt_id: newId("pay"),
        amount: 1000,
        currency: "BRL",
        ids: orderIds(),
        now: clock.now(),
      });
      const renewed = await times(20, () => storage.orders.renew(renewal()));
      assert.equal(renewed.filter(({ outcome }) => outcome === "renewed").length, 1);
      assert.equal(renewed.filter(({ outcome }) => outcome === "unchanged").length, 19);
      assert.equal(
        new Set(renewed.map((result) => ("order" in result ? result.order.id : null))).size,
        1,
      );
      assert.deepEqual(
        (await events()).map(({ sequence }) => sequence),
        [1, 2, 3, 4, 5, 6, 7],
      );
      assert.equal(
        (await storage.orders.renew({ ...renewal(), period_start: 1 })).outcome,
        "unknown_period",
      );
    },
  },
  {
    name: "what maintenance takes in hand nobody else takes before its lease ends",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, submission } = fixtures(context);
      await shop();
      for (let at = 0; at < 12; at++)
        await storage.orders.submitSession(submission(await openSession()));
      clock.advance(1_800_000);
      const work = { now: clock.now(), until: clock.now() + 600_000, limit: 5 };
      for (const claim of [storage.orders.claimOrders, storage.orders.claimAttempts]) {
        const take = async (): Promise<readonly string[]> =>
          (await claim(work)).map(({ id }) => id);
        const taken = (await times(4, take)).flat();
        assert.equal(new Set(taken).size, taken.length);
        const rest = (await times(3, take)).flat();
        assert.equal(new Set([...taken, ...rest]).size, 12);
      }
      clock.advance(600_000);
      assert.equal(
        (await storage.orders.claimOrders({ ...work, now: clock.now(), limit: 50 })).length,
        12,
      );
    },
  },
  {
    name: "a notification's id counts once; a payment is found by its gateway's reference and by our id",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, submission, orderIds, partition, events } = fixtures(context);
      await shop();
      const submitted = await storage.orders.submitSession(submission(await openSession()));
      const attempt = submitted.outcome === "submitted" ? submitted.attempt : null;
      const tell = () =>
        storage.orders.applyPayment({
          ...partition,
          attempt_id: attempt?.id ?? "",
          result: {
            status: "succeeded",
            reference: "ref",
            redirect_url: null,
            amount: 1000,
            currency: "BRL",
            failure_code: null,
            expires_at: null,
          },
          ids: orderIds(),
          now: clock.now(),
          external_stock: false,
          notification_id: "n1",
        });
      const told = await times(10, tell);
      assert.equal(told.filter(({ outcome }) => outcome === "paid").length, 1);
      assert.equal((await events()).length, 3);
      assert.equal(
        (await storage.orders.findAttempt("sandbox", false, { reference: "ref", id: null }))?.id,
        attempt?.id,
      );
      assert.equal(
        (
          await storage.orders.findAttempt("sandbox", false, {
            reference: "?",
            id: attempt?.id ?? "",
          })
        )?.id,
        attempt?.id,
      );
      assert.equal(
        await storage.orders.findAttempt("sandbox", true, { reference: "ref", id: null }),
        null,
      );
    },
  },
  {
    name: "a consumer's cursor is leased by one at a time, fenced, and never passes an event over",
    async run(context) {
      const { storage, clock, newId, assert } = context;
      const { paidOrder } = money(context);
      await paidOrder();
      const claim = (lease_token: string, limit = 2) =>
        storage.consumers.claimEvents({
          consumer: "c",
          store_id: null,
          now: clock.now(),
          lease_until: clock.now() + 60_000,
          lease_token,
          limit,
        });
      const claimed = await times(8, () => claim(newId("req")));
      const won = claimed.filter((work) => work !== null);
      assert.equal(won.length, 1);
      assert.deepEqual(
        won[0]?.events.map(({ sequence }) => sequence),
        [1, 2],
      );
      clock.advance(60_000);
      const late = await claim("late");
      assert.deepEqual([late?.events[0]?.sequence, late?.last_sequence], [1, 2]);
      const cursor = { store_id: late?.store_id ?? "", livemode: false, consumer: "c" };
      assert.equal(
        await storage.consumers.advance({ ...cursor, lease_token: "someone else" }, 3, 0),
        false,
      );
      assert.equal(
        await storage.consumers.advance(
          { ...cursor, lease_token: "late" },
          2,
          clock.now() + 60_000,
        ),
        true,
      );
      // A renewal of the lease that was overtaken on its way.
      assert.equal(
        await storage.consumers.advance(
          { ...cursor, lease_token: "late" },
          1,
          clock.now() + 60_000,
        ),
        true,
      );
      await storage.consumers.release(
        { ...cursor, lease_token: "late" },
        { failures: 3, retry_at: clock.now() + 1_000 },
      );
      assert.equal(await claim("early"), null);
      clock.advance(1_000);
      const rest = await claim("rest");
      assert.deepEqual([rest?.events.map(({ sequence }) => sequence), rest?.failures], [[3], 3]);
    },
  },
  {
    name: "idempotency keys past their day are purged, younger ones stay",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, scope } = fixtures(context);
      await shop();
      await openSession();
      clock.advance(86_400_000);
      const young = await openSession();
      assert.ok((await storage.purge(clock.now(), 100)) >= 1);
      assert.equal(await storage.purge(clock.now(), 100), 0);
      const lookup = {
        ...scope(young.id),
        fingerprint: "f",
        product_ids: [],
        coupon_code: null,
        now: clock.now(),
      };
      assert.equal((await storage.checkout.openCheckout(lookup)).key.outcome, "replay");
    },
  },
];

function money(context: CaseContext) {
  const { storage, clock, newId } = context;
  const { shop, openSession, completion, partition, orderIds, submission, session } =
    fixtures(context);
  return {
    async paidOrder(recurring = false): Promise<OrderRecord> {
      await shop();
      const [line] = session().lines;
      const lines = line
        ? [
            {
              ...line,
              recurring: recurring ? ({ interval: "month", interval_count: 1 } as const) : null,
            },
          ]
        : [];
      const open = await openSession({ lines });
      const submitted = await storage.orders.submitSession(submission(open));
      if (submitted.outcome !== "submitted" || !submitted.attempt)
        throw new Error("Not submitted.");
      const { ids, now, external_stock } = completion(open);
      const result = {
        status: "succeeded" as const,
        reference: "ref",
        redirect_url: null,
        failure_code: null,
        expires_at: null,
      };
      const amounts = { amount: open.amount_total, currency: open.currency };
      const told = {
        ...partition,
        attempt_id: submitted.attempt.id,
        result: { ...result, ...amounts },
        ids,
        now,
        external_stock,
      };
      const paid = await storage.orders.applyPayment(told);
      if (paid.outcome !== "paid") throw new Error(`Not paid: ${paid.outcome}.`);
      return paid.order;
    },
    refund: (
      order: OrderRecord,
      refund: { reference: string; amount: number | null },
    ): RefundReservation => ({
      ...partition,
      order_id: order.id,
      refund: { id: newId("rf"), reason: null, ...refund },
      refunding: ["sandbox"],
      ids: orderIds(),
      now: clock.now(),
      check_at: clock.now() + 60_000,
    }),
  };
}
