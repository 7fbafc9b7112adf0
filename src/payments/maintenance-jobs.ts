import type { SubscriptionRecord } from "../rules/payment-records.ts";
import type { OrderRecord } from "../rules/records.ts";
import { eventIds, type PaymentContext, settleExternalStock } from "./context.ts";
import { reconcilePayment, returnDuplicate, settleRefund } from "./reconcile.ts";

/** What a run has done so far; the fields are those of `MaintenanceReport`. */
export interface MaintenanceCounts {
  orders_expired: number;
  payments_checked: number;
  payments_settled: number;
  duplicates_returned: number;
  refunds_settled: number;
  subscriptions_ended: number;
  reservations_settled: number;
  events_pruned: number;
  rows_purged: number;
}

/**
 * Handles one chunk of rows and returns how many there were: a full chunk means that more may
 * wait. `isStopping` says that the time budget is spent.
 */
export type MaintenanceJob = (isStopping: () => boolean) => Promise<number>;

export const rowsPerChunk = 50;

/** Claimed rows are due again after this time, in case the process dies while it handles them. */
const leaseMs = 600_000;

const dayMs = 86_400_000;
const eventBytesLifetimeMs = 30 * dayMs;
const eventCursorLifetimeMs = 400 * dayMs;

export function maintenanceJobs(
  ctx: PaymentContext,
  counts: MaintenanceCounts,
): readonly MaintenanceJob[] {
  const { orders } = ctx.storage;

  const claim = () => ({
    now: ctx.now(),
    until: ctx.now() + leaseMs,
    limit: rowsPerChunk,
  });

  /** Handles the claimed rows one by one; one that fails is reported, and due again later. */
  const handleRows = async <Row>(
    rows: readonly Row[],
    isStopping: () => boolean,
    handle: (row: Row) => Promise<void>,
  ): Promise<number> => {
    for (const row of rows) {
      // The rows that are left are due again when their lease ends.
      if (isStopping()) break;
      await handle(row).catch((error: unknown) => ctx.onError(error, "maintenance"));
    }
    return rows.length;
  };

  return [
    async (isStopping) => {
      const rows = await orders.claimOrders(claim());
      return handleRows(rows, isStopping, (order) => settleOrder(ctx, counts, order));
    },
    async (isStopping) => {
      const rows = await orders.claimAttempts(claim());
      return handleRows(rows, isStopping, (attempt) => reconcilePayment(ctx, counts, attempt));
    },
    async (isStopping) => {
      const rows = await orders.claimPayments(claim());
      return handleRows(rows, isStopping, (money) => returnDuplicate(ctx, counts, money));
    },
    async (isStopping) => {
      const rows = await orders.claimRefunds(claim());
      return handleRows(rows, isStopping, (refund) => settleRefund(ctx, counts, refund));
    },
    async (isStopping) => {
      const rows = await orders.claimSubscriptions(claim());
      return handleRows(rows, isStopping, (row) => endSubscription(ctx, counts, row));
    },
    () => pruneEvents(ctx, counts),
    () => purgeRows(ctx, counts),
  ];
}

/** Fails an order whose session has expired, or settles the stock of a finished order. */
async function settleOrder(
  ctx: PaymentContext,
  counts: MaintenanceCounts,
  order: OrderRecord,
): Promise<void> {
  const { store_id, livemode, session_id } = order;
  if (order.status !== "pending") {
    await settleExternalStock(ctx, order);
    counts.reservations_settled += 1;
    return;
  }
  if (session_id === null) return;

  const closed = await ctx.storage.orders.closeSession({
    store_id,
    livemode,
    session_id,
    reason: "expired",
    close_session: false,
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  // An order with an open payment is looked at again when its lease ends.
  if (closed.outcome !== "closed") return;

  counts.orders_expired += 1;
  ctx.committed({ store_id, livemode });
  await settleExternalStock(ctx, closed.order);
}

async function endSubscription(
  ctx: PaymentContext,
  counts: MaintenanceCounts,
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

async function pruneEvents(ctx: PaymentContext, counts: MaintenanceCounts): Promise<number> {
  const now = ctx.now();
  const pruned = await ctx.storage.webhooks.prune({
    before: now - eventBytesLifetimeMs,
    forget_before: now - eventCursorLifetimeMs,
    limit: rowsPerChunk * 10,
  });

  counts.events_pruned += pruned.events;
  counts.rows_purged += pruned.attempts + pruned.forgotten;
  return pruned.events + pruned.attempts + pruned.forgotten > 0 ? rowsPerChunk : 0;
}

async function purgeRows(ctx: PaymentContext, counts: MaintenanceCounts): Promise<number> {
  const purged = await ctx.storage.purge(ctx.now(), rowsPerChunk * 20);

  counts.rows_purged += purged;
  return purged > 0 ? rowsPerChunk : 0;
}
