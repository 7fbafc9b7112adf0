import type { AttemptRecord, RefundRecord, SubscriptionRecord } from "../rules/payment-records.ts";
import type { OrderRecord } from "../rules/records.ts";
import { deliverNotices } from "../webhooks/notices.ts";
import { applyPaymentResult, askGateway, findGateway } from "./charge.ts";
import { lookUp } from "./checkout-service.ts";
import { eventIds, type PaymentContext, settleGoods } from "./context.ts";
import { type MaintenanceOptions, readMaintenance } from "./maintenance-options.ts";
import { moveRefund } from "./order-service.ts";

export interface MaintenanceReport {
  /** Pending orders whose session had run out: failed (`expired`), their holds released. */
  readonly orders_expired: number;
  /** Payments without a result that a gateway was asked about, and those that have one now. */
  readonly payments_checked: number;
  readonly payments_settled: number;
  /** Second payments of an order whose money went back. */
  readonly duplicates_returned: number;
  readonly refunds_settled: number;
  readonly subscriptions_ended: number;
  /** Reservations in the host's own catalog that a request had left open. */
  readonly reservations_settled: number;
  /** Events older than 30 days whose bytes went; they keep their place as cursors for 400 days. */
  readonly events_pruned: number;
  /** Rows past their time: delivery attempts, forgotten events, idempotency keys, limit buckets, notification ids. */
  readonly rows_purged: number;
  /** There is more to do right now. */
  readonly more: boolean;
  readonly stopped_by: "idle" | "budget" | "aborted";
  readonly duration_ms: number;
}

type Counts = {
  -readonly [Name in keyof Omit<MaintenanceReport, "more" | "stopped_by" | "duration_ms">]: number;
};

const chunk = 50;
/** What is taken in hand is due again after this, should the process die over it. */
const leaseMs = 600_000;
const dayMs = 86_400_000;
/** CONTRACT 3 and 7: how long an event keeps its bytes, and its place. */
const keepBytesMs = 30 * dayMs;
const keepPlaceMs = 400 * dayMs;
const noticeTimeoutMs = 5_000;

/**
 * Expiry, reconciliation with the gateways, refunds and duplicates without a result, subscriptions that end, purging: in bounded chunks within a
 * time budget (CONTRACT 6 and 7). Safe from many processes at once; call it every minute or so.
 */
export async function runMaintenance(
  ctx: PaymentContext,
  options: MaintenanceOptions = {},
): Promise<MaintenanceReport> {
  const { signal, maxDurationMs } = readMaintenance(options);
  const started = ctx.now();
  const counts: Counts = {
    orders_expired: 0,
    payments_checked: 0,
    payments_settled: 0,
    duplicates_returned: 0,
    refunds_settled: 0,
    subscriptions_ended: 0,
    reservations_settled: 0,
    events_pruned: 0,
    rows_purged: 0,
  };
  const stopped = (): "aborted" | "budget" | null =>
    signal?.aborted ? "aborted" : ctx.now() - started >= maxDurationMs ? "budget" : null;

  await deliverNotices(
    { store: ctx.storage.webhooks, tellAlert: ctx.tellAlert, now: ctx.now, onError: ctx.onError },
    noticeTimeoutMs,
  );
  for (const work of jobs(ctx, counts)) {
    for (;;) {
      const reason = stopped();
      if (reason)
        return { ...counts, more: true, stopped_by: reason, duration_ms: ctx.now() - started };
      if ((await work(() => stopped() !== null)) < chunk) break;
    }
  }
  return { ...counts, more: false, stopped_by: "idle", duration_ms: ctx.now() - started };
}

/** Each does one chunk and says how many rows it took. */
function jobs(
  ctx: PaymentContext,
  counts: Counts,
): readonly ((late: () => boolean) => Promise<number>)[] {
  const { orders } = ctx.storage;
  const claim = () => ({ now: ctx.now(), until: ctx.now() + leaseMs, limit: chunk });
  const each = <R>(
    rows: readonly R[],
    late: () => boolean,
    settle: (row: R) => Promise<void>,
  ): Promise<number> =>
    rows.reduce(async (done, row) => {
      const count = await done;
      // What the budget leaves over is due again when its lease ends.
      if (!late()) await settle(row).catch((error: unknown) => ctx.onError(error, "maintenance"));
      return count + 1;
    }, Promise.resolve(0));

  return [
    async (late) =>
      each(await orders.claimOrders(claim()), late, (order) => sweep(ctx, counts, order)),
    async (late) =>
      each(await orders.claimAttempts(claim()), late, (attempt) => reconcile(ctx, counts, attempt)),
    async (late) =>
      each(await orders.claimRefunds(claim()), late, (refund) => settleRefund(ctx, counts, refund)),
    async (late) =>
      each(await orders.claimSubscriptions(claim()), late, (subscription) =>
        end(ctx, counts, subscription),
      ),
    async () => {
      const now = ctx.now();
      const pruned = await ctx.storage.webhooks.prune({
        before: now - keepBytesMs,
        forget_before: now - keepPlaceMs,
        limit: chunk * 10,
      });
      counts.events_pruned += pruned.events;
      counts.rows_purged += pruned.attempts + pruned.forgotten;
      return pruned.events + pruned.attempts + pruned.forgotten > 0 ? chunk : 0;
    },
    async () => {
      const purged = await ctx.storage.purge(ctx.now(), chunk * 20);
      counts.rows_purged += purged;
      return purged > 0 ? chunk : 0;
    },
  ];
}

async function sweep(ctx: PaymentContext, counts: Counts, order: OrderRecord): Promise<void> {
  const { store_id, livemode, session_id } = order;
  if (order.status !== "pending") {
    await settleGoods(ctx, order);
    counts.reservations_settled += 1;
    return;
  }
  if (session_id === null) return;
  const ids = eventIds(ctx);
  const closed = await ctx.storage.orders.closeSession({
    store_id,
    livemode,
    session_id,
    reason: "expired",
    close_session: false,
    ids,
    now: ctx.now(),
  });
  if (closed.outcome !== "closed") return; // a payment in flight: looked at again when the lease ends
  counts.orders_expired += 1;
  ctx.committed({ store_id, livemode });
  await settleGoods(ctx, closed.order);
}

async function reconcile(
  ctx: PaymentContext,
  counts: Counts,
  attempt: AttemptRecord,
): Promise<void> {
  const gateway = findGateway(ctx, attempt.gateway, attempt.livemode);
  if (!gateway)
    throw new Error(`Gateway ${attempt.gateway} of payment ${attempt.id} is not configured.`);
  if (attempt.state === "duplicate") return returnDuplicate(ctx, counts, attempt);
  counts.payments_checked += 1;
  const { id, reference, amount, currency } = attempt;
  const over = attempt.expires_at <= ctx.now();
  if (over && gateway.cancelPayment)
    await askGateway(ctx, gateway, id, async (signal) =>
      gateway.cancelPayment?.({ id, reference, signal }),
    );
  const told = await lookUp(ctx, gateway, attempt);
  if (!told) return; // unknown: asked again
  const open =
    !told.answer || told.answer.status === "pending" || told.answer.status === "requires_action";
  const lost = {
    status: "failed",
    reference,
    amount,
    currency,
    failure_code: over ? "expired" : "error",
  } as const;
  // A provider that has never heard of it was not reached: nothing was charged.
  const result = open && over ? lost : (told.answer ?? (gateway.getPayment ? lost : null));
  if (!result) return;
  const applied = await applyPaymentResult(ctx, attempt, result);
  if (applied.outcome !== "pending" && applied.outcome !== "mismatch") counts.payments_settled += 1;
}

/** The order was paid by another attempt: this one's money goes back where the gateway can. */
async function returnDuplicate(
  ctx: PaymentContext,
  counts: Counts,
  attempt: AttemptRecord,
): Promise<void> {
  const gateway = findGateway(ctx, attempt.gateway, attempt.livemode);
  const { reference, amount } = attempt;
  if (!gateway?.refund || reference === null)
    return ctx.storage.orders.settleDuplicate(attempt, attempt.id, "duplicate", ctx.now());
  const id = attempt.id.replace(/^pay_/, "rf_"); // the same each time: the provider returns it once
  const told = await askGateway(ctx, gateway, attempt.id, async (signal) =>
    gateway.refund?.({ id, reference, amount, signal }),
  );
  if (told?.answer?.status !== "succeeded") return;
  await ctx.storage.orders.settleDuplicate(attempt, attempt.id, "returned", ctx.now());
  counts.duplicates_returned += 1;
}

async function settleRefund(
  ctx: PaymentContext,
  counts: Counts,
  refund: RefundRecord,
): Promise<void> {
  const order = await ctx.storage.orders.findOrder(refund, refund.order_id);
  if (order && (await moveRefund(ctx, order, refund)).status !== "pending")
    counts.refunds_settled += 1;
}

async function end(
  ctx: PaymentContext,
  counts: Counts,
  { store_id, livemode, id }: SubscriptionRecord,
): Promise<void> {
  const partition = { store_id, livemode };
  const result = await ctx.storage.orders.cancelSubscription({
    ...partition,
    subscription_id: id,
    when: "ending",
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  if (result.outcome !== "canceled") return;
  counts.subscriptions_ended += 1;
  ctx.committed(partition);
}
