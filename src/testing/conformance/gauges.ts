import { applyPayment } from "../../steps/checkout-steps.ts";
import { reserveRefund, settleRefund } from "../../steps/order-steps.ts";
import { updateEndpoint } from "../../steps/webhooks/endpoint-steps.ts";
import type { CaseContext, StorageCase } from "./fixtures/case.ts";
import { fixtures } from "./fixtures/fixtures.ts";
import { paymentFixtures } from "./fixtures/payment-fixtures.ts";
import { refundFixtures } from "./fixtures/refund-fixtures.ts";
import { engine, minute, refuse } from "./fixtures/webhook-fixtures.ts";

const nothing = {
  webhooks_due: 0,
  webhooks_due_since: null,
  webhooks_last_attempt_at: null,
  endpoints_disabled: 0,
  payments_in_doubt: 0,
  payments_in_doubt_since: null,
  refunds_pending: 0,
  maintenance_due_since: null,
  rows_to_backfill: 0,
};

const readGauges = ({ storage, clock }: CaseContext) => storage.gauges.read(clock.now());

/** Checks what monitoring reads. */
export const gaugeCases: readonly StorageCase[] = [
  {
    name: "the gauges of an empty storage are zero, and have no times",
    async run(context) {
      // Other users of the database may have transactions at any time.
      const { oldest_transaction_at: _, ...counted } = await readGauges(context);
      context.assert.deepEqual(counted, nothing);
    },
  },
  {
    name: "the gauges count due deliveries, and know the first due time and the last attempt",
    async run(context) {
      const { clock, assert } = context;
      const { endpoint, sell, drain, receiver } = await engine(context);

      await endpoint("we_1");
      const soldAt = clock.now();
      await sell(2);
      clock.advance(minute);
      const due = await readGauges(context);
      assert.deepEqual([due.webhooks_due, due.webhooks_due_since], [2, soldAt]);

      // A failed delivery waits for its next time, and is not due before it.
      receiver.answer = () => refuse;
      await drain();
      const waiting = await readGauges(context);
      assert.deepEqual([waiting.webhooks_due, waiting.webhooks_due_since], [0, null]);
      assert.ok(waiting.webhooks_last_attempt_at !== null);
    },
  },
  {
    name: "the gauges count disabled endpoints",
    async run(context) {
      const { storage, assert } = context;
      const { endpoint, partition } = await engine(context);

      await endpoint("we_1");
      await endpoint("we_2");
      const disabled = { state: "disabled", disabled_reason: "manual" } as const;
      await updateEndpoint(storage.records, { ...partition, id: "we_1" }, disabled);
      assert.equal((await readGauges(context)).endpoints_disabled, 1);
    },
  },
  {
    name: "a payment counts as in doubt once its result is unknown, until it has one",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession } = fixtures(context);
      const { start, result } = paymentFixtures(context);

      await shop();
      const attempt = await start(await openSession());
      assert.equal((await readGauges(context)).payments_in_doubt, 0);

      // Nobody has asked about it yet: that is work that is due, and no doubt.
      clock.advance(attempt.expires_at - clock.now() + minute);
      assert.equal((await readGauges(context)).payments_in_doubt, 0);
      await applyPayment(storage.orders, result(attempt, "unknown"));
      const unknown = await readGauges(context);
      assert.deepEqual(
        [unknown.payments_in_doubt, unknown.payments_in_doubt_since],
        [1, attempt.created_at],
      );

      await applyPayment(storage.orders, result(attempt, "succeeded"));
      assert.equal((await readGauges(context)).payments_in_doubt, 0);
    },
  },
  {
    name: "a refund counts as pending until it has a result",
    async run(context) {
      const { storage, clock, assert } = context;
      const { refund } = refundFixtures(context);
      const { paidOrder } = paymentFixtures(context);
      const { orderIds, partition } = fixtures(context);

      const order = await paidOrder();
      const asked = refund(order, { reference: "r1", amount: null });
      const reserved = await reserveRefund(storage.orders, asked);
      assert.equal(reserved.outcome, "reserved");
      assert.equal((await readGauges(context)).refunds_pending, 1);

      await settleRefund(storage.orders, {
        ...partition,
        order_id: order.id,
        refund_id: asked.refund.id,
        key_attempt: 0,
        report: { status: "succeeded", reference: "p1", amount: null, failure_reason: null },
        within_call: true,
        ids: orderIds(),
        now: clock.now(),
      });
      assert.equal((await readGauges(context)).refunds_pending, 0);
    },
  },
  {
    name: "the gauges know since when maintenance has something to do, until a run leases it",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession } = fixtures(context);
      const { start } = paymentFixtures(context);

      await shop();
      await start(await openSession());
      assert.equal((await readGauges(context)).maintenance_due_since, null);
      clock.advance(2 * 86_400_000);
      const since = (await readGauges(context)).maintenance_due_since;
      assert.ok(since !== null && since <= clock.now());

      const work = { now: clock.now(), until: clock.now() + minute, limit: 100 };
      for (const kind of ["orders", "holds", "attempts"] as const)
        await storage.orders.claimWork(kind, work);
      assert.equal((await readGauges(context)).maintenance_due_since, null);
    },
  },
  {
    name: "a migrated storage is ready: its schema is the one that this version knows",
    async run({ storage, assert }) {
      const { schema } = await storage.gauges.readiness();
      if (schema) assert.equal(schema.found, schema.known);
    },
  },
];
