import { awaitsPayment } from "../../rules/orders/order-states.ts";
import type { SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import type { OrderRecord, Partition, SessionRecord } from "../../rules/records.ts";
import { closeSession } from "../../steps/checkout-steps.ts";
import { cancelSubscription } from "../../steps/subscription-steps.ts";
import type { WorkClaim } from "../../storage/order-store.ts";
import { releaseHold } from "../checkout/session-holds.ts";
import { eventIds, type PaymentContext, settleExternalStock, tellStep } from "../context.ts";
import { renewSubscription } from "../renewals/charge-subscription.ts";
import type { AccountThrottles, ProviderAccount } from "./account-throttles.ts";
import { checkPayment } from "./check-payment.ts";
import type { MaintenanceJob } from "./maintenance-slices.ts";
import { returnDuplicate, settleRefund } from "./reconcile.ts";
import { type JobName, type MaintenanceCounts, upkeepJobs } from "./upkeep-jobs.ts";

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

/** A test clock waits for work that is held, so its leases are short: a process may die. */
const testLeaseMs = 15_000;

/**
 * Lists the jobs of a run. The first ones have their turn first: refunds come
 * before look-ups. With `of`, the work of one store and mode alone is done.
 */
export function maintenanceJobs(
  all: PaymentContext,
  counts: MaintenanceCounts,
  throttles: AccountThrottles,
  of?: Partition,
): readonly MaintenanceJob<JobName>[] {
  const ctx: JobContext = { ...all, of };
  const { orders } = ctx.storage;

  const due = [
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
      share: 0.15,
      claim: (work) => orders.claimWork("refunds", work),
      account: (refund) => ({ ...refund, gateway: refund.gateway ?? "" }),
      handle: (refund) => settleRefund(ctx, counts, refund),
    }),
    questionJob(ctx, throttles, {
      name: "returns",
      share: 0.05,
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
      name: "renewals",
      share: 0.2,
      claim: (work) => orders.claimWork("renewals", work),
      account: ({ renewal, ...subscription }) => ({
        ...subscription,
        gateway: renewal?.saved.gateway ?? "",
        account: renewal?.saved.account ?? null,
      }),
      handle: (subscription) => renewSubscription(ctx, counts, subscription),
    }),
    questionJob(ctx, throttles, {
      name: "payments",
      share: 0.2,
      claim: (work) => orders.claimWork("attempts", work),
      account: (attempt) => attempt,
      handle: (attempt) => checkPayment(ctx, counts, attempt),
    }),
  ];
  // What is deleted or counted by age has nothing to do with one store.
  if (of) return due;
  return [...due, ...upkeepJobs(ctx, counts)];
}

/** The context of the jobs, which may claim the rows of one store and mode alone. */
interface JobContext extends PaymentContext {
  readonly of: Partition | undefined;
}

interface RowJob<Row> {
  readonly name: JobName;
  readonly share: number;
  readonly claim: (work: WorkClaim) => Promise<readonly Row[]>;
  readonly handle: (row: Row) => Promise<void>;
}

/** Handles rows one after the other. A row that fails is reported, and due again later. */
const rowJob = <Row>(ctx: JobContext, job: RowJob<Row>): MaintenanceJob<JobName> =>
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
  ctx: JobContext,
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
  ctx: JobContext,
  { name, share, claim, limit, leaseMs: lease }: ChunkedJob<Row>,
  handleRows: (rows: readonly Row[], isStopping: () => boolean) => Promise<readonly Row[]>,
): MaintenanceJob<JobName> {
  let left: readonly Row[] = [];

  return {
    name,
    share,
    async runChunk(isStopping) {
      const now = ctx.now();
      const ends = { until: now + lease, test_until: now + testLeaseMs };
      const rows = left.length > 0 ? left : await claim({ now, ...ends, of: ctx.of, limit });

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
