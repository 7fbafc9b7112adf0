import { dayMs } from "../../domain/durations.ts";
import { awaitsPayment } from "../../rules/orders/order-states.ts";
import type { SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../../rules/records.ts";
import { closeSession } from "../../steps/checkout-steps.ts";
import { cancelSubscription } from "../../steps/subscription-steps.ts";
import type { WorkClaim } from "../../storage/order-store.ts";
import { releaseHold } from "../checkout/session-holds.ts";
import { eventIds, type PaymentContext, settleExternalStock, tellStep } from "../context.ts";
import type { AccountThrottles, ProviderAccount } from "./account-throttles.ts";
import { checkPayment } from "./check-payment.ts";
import type { ChunkResult, MaintenanceJob } from "./maintenance-slices.ts";
import { returnDuplicate, settleRefund } from "./reconcile.ts";

/** Counts what a run has done so far; the fields are those of `MaintenanceReport`. */
export interface MaintenanceCounts {
  orders_expired: number;
  holds_released: number;
  payments_checked: number;
  payments_settled: number;
  duplicates_returned: number;
  refunds_settled: number;
  subscriptions_ended: number;
  reservations_settled: number;
  events_pruned: number;
  rows_purged: number;
  orders_indexed: number;
  stats_counted: number;
}

/** Names a job of `runMaintenance`. */
export type JobName =
  | "orders"
  | "holds"
  | "refunds"
  | "returns"
  | "subscriptions"
  | "payments"
  | "events"
  | "rows"
  | "index"
  | "stats";

const rowsPerChunk = 50;
/**
 * A chunk has this many questions: five for each of the eight that a gateway gets
 * at once.
 */
const questionsPerChunk = 40;

/**
 * Claimed rows are due again after this time, in case the process dies while it
 * handles them.
 */
const leaseMs = 600_000;
/** The rows that a run has no time to ask about are due again soon. */
const questionLeaseMs = 180_000;

const eventBytesLifetimeMs = 30 * dayMs;
const eventCursorLifetimeMs = 400 * dayMs;

/**
 * Lists the jobs of a run. The first ones have their turn first: refunds come
 * before look-ups.
 */
export function maintenanceJobs(
  ctx: PaymentContext,
  counts: MaintenanceCounts,
  throttles: AccountThrottles,
): readonly MaintenanceJob<JobName>[] {
  const { orders } = ctx.storage;

  return [
    rowJob(ctx, {
      name: "orders",
      share: 0.1,
      claim: (work) => orders.claimWork("orders", work),
      handle: (order) => settleOrder(ctx, counts, order),
    }),
    rowJob(ctx, {
      name: "holds",
      share: 0.05,
      claim: (work) => orders.claimWork("holds", work),
      handle: (session) => endHold(ctx, counts, session),
    }),
    questionJob(ctx, throttles, {
      name: "refunds",
      share: 0.2,
      claim: (work) => orders.claimWork("refunds", work),
      account: (refund) => ({ ...refund, gateway: refund.gateway ?? "" }),
      handle: (refund) => settleRefund(ctx, counts, refund),
    }),
    questionJob(ctx, throttles, {
      name: "returns",
      share: 0.1,
      claim: (work) => orders.claimWork("payments", work),
      account: (money) => money,
      handle: (money) => returnDuplicate(ctx, counts, money),
    }),
    rowJob(ctx, {
      name: "subscriptions",
      share: 0.1,
      claim: (work) => orders.claimWork("subscriptions", work),
      handle: (subscription) => endSubscription(ctx, counts, subscription),
    }),
    questionJob(ctx, throttles, {
      name: "payments",
      share: 0.3,
      claim: (work) => orders.claimWork("attempts", work),
      account: (attempt) => attempt,
      handle: (attempt) => checkPayment(ctx, counts, attempt),
    }),
    { name: "events", share: 0.05, runChunk: () => pruneEvents(ctx, counts) },
    // Sessions are deleted after they are counted.
    { name: "stats", share: 0.03, runChunk: () => countStats(ctx, counts) },
    { name: "rows", share: 0.05, runChunk: () => purgeRows(ctx, counts) },
    { name: "index", share: 0.02, runChunk: () => indexOrders(ctx, counts) },
  ];
}

interface RowJob<Row> {
  readonly name: JobName;
  readonly share: number;
  readonly claim: (work: WorkClaim) => Promise<readonly Row[]>;
  readonly handle: (row: Row) => Promise<void>;
}

/** Handles rows one after the other. A row that fails is reported, and due again later. */
const rowJob = <Row>(ctx: PaymentContext, job: RowJob<Row>): MaintenanceJob<JobName> =>
  chunkedJob(ctx, { ...job, limit: rowsPerChunk, leaseMs }, async (rows, isStopping) => {
    for (const [index, row] of rows.entries()) {
      if (isStopping()) return rows.slice(index);
      await job.handle(row).catch((error: unknown) => ctx.onError(error, "maintenance"));
    }
    return [];
  });

interface QuestionJob<Row> extends RowJob<Row> {
  readonly account: (row: Row) => ProviderAccount;
}

/** Handles rows that each ask a gateway, several at once. */
function questionJob<Row>(
  ctx: PaymentContext,
  throttles: AccountThrottles,
  job: QuestionJob<Row>,
): MaintenanceJob<JobName> {
  const handle = (row: Row): Promise<void> =>
    job.handle(row).catch((error: unknown) => ctx.onError(error, "maintenance"));

  const chunk = { ...job, limit: questionsPerChunk, leaseMs: questionLeaseMs };
  return chunkedJob(ctx, chunk, (rows, isStopping) =>
    throttles.run(rows, job.account, { isStopping, handle }),
  );
}

interface ChunkedJob<Row> extends Pick<RowJob<Row>, "name" | "share" | "claim"> {
  readonly limit: number;
  readonly leaseMs: number;
}

/**
 * Makes a job of chunks. `handleRows` gives the rows that it had no time for: they
 * are the job's next chunk.
 */
function chunkedJob<Row>(
  ctx: PaymentContext,
  { name, share, claim, limit, leaseMs: lease }: ChunkedJob<Row>,
  handleRows: (rows: readonly Row[], isStopping: () => boolean) => Promise<readonly Row[]>,
): MaintenanceJob<JobName> {
  let left: readonly Row[] = [];

  return {
    name,
    share,
    async runChunk(isStopping) {
      const now = ctx.now();
      const rows = left.length > 0 ? left : await claim({ now, until: now + lease, limit });

      const isFull = left.length > 0 || rows.length === limit;
      left = await handleRows(rows, isStopping);
      return { done: rows.length - left.length, more: isFull || left.length > 0 };
    },
  };
}

/** Fails an order whose session has expired, or settles the stock of a finished order. */
async function settleOrder(
  ctx: PaymentContext,
  counts: MaintenanceCounts,
  order: OrderRecord,
): Promise<void> {
  const { store_id, livemode, session_id } = order;
  if (!awaitsPayment(order.status)) {
    await settleExternalStock(ctx, order);
    counts.reservations_settled += 1;
    return;
  }
  if (session_id === null) return;

  const closed = await closeSession(ctx.storage.orders, {
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
  tellStep(ctx, order, { outcome: "failed", order: closed.order });
  ctx.committed({ store_id, livemode });
  await settleExternalStock(ctx, closed.order);
}

/** Gives back what a session held longer than it may. */
async function endHold(
  ctx: PaymentContext,
  counts: MaintenanceCounts,
  { store_id, livemode, id }: SessionRecord,
): Promise<void> {
  const hold = { store_id, livemode, session_id: id, token: null, ended_by: ctx.now() };
  if ((await releaseHold(ctx, hold)) === "released") counts.holds_released += 1;
}

async function endSubscription(
  ctx: PaymentContext,
  counts: MaintenanceCounts,
  { store_id, livemode, id }: SubscriptionRecord,
): Promise<void> {
  const partition = { store_id, livemode };

  const result = await cancelSubscription(ctx.storage.orders, {
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

async function pruneEvents(ctx: PaymentContext, counts: MaintenanceCounts): Promise<ChunkResult> {
  const now = ctx.now();
  const pruned = await ctx.storage.webhooks.prune({
    before: now - eventBytesLifetimeMs,
    forget_before: now - eventCursorLifetimeMs,
    limit: rowsPerChunk * 10,
  });

  counts.events_pruned += pruned.events;
  counts.rows_purged += pruned.attempts + pruned.forgotten;
  const done = pruned.events + pruned.attempts + pruned.forgotten;
  return { done, more: done > 0 };
}

async function purgeRows(ctx: PaymentContext, counts: MaintenanceCounts): Promise<ChunkResult> {
  const now = ctx.now();
  const limit = rowsPerChunk * 20;
  const purged = await ctx.storage.purge(now, limit);
  counts.rows_purged += purged;

  const forgotten = await ctx.storage.audit.prune(now - ctx.auditKeptMs, limit);
  counts.rows_purged += forgotten;
  const done = purged + forgotten;
  if (done === 0 && !(await ctx.storage.privacy.finishErasures()))
    ctx.onError(new Error(erasureWaits), "maintenance");
  return { done, more: done > 0 };
}

const erasureWaits =
  "Erased data of customers is still in the write-ahead log of the database: a reader that began " +
  "before the erasure keeps it there. End that reader; the next maintenance removes the data.";

/** Makes orders of an older version known to the back office's search. */
async function indexOrders(ctx: PaymentContext, counts: MaintenanceCounts): Promise<ChunkResult> {
  const done = await ctx.storage.backOffice.indexOrders(rowsPerChunk * 4);

  counts.orders_indexed += done;
  return { done, more: done > 0 };
}

/** Counts what `owner.stats` reports and what no other step has counted. */
async function countStats(ctx: PaymentContext, counts: MaintenanceCounts): Promise<ChunkResult> {
  const { stats } = ctx.storage;

  const now = ctx.now();
  const sessions = await stats.count("sessions", { now, limit: rowsPerChunk });
  const orders = await stats.count("orders", { now, limit: rowsPerChunk * 4 });
  const deliveries = await stats.count("deliveries", { now, limit: rowsPerChunk * 10 });
  const done = sessions + orders + deliveries;
  counts.stats_counted += done;
  return { done, more: done > 0 };
}
