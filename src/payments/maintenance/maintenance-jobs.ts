import { awaitsPayment } from "../../rules/orders/order-states.ts";
import type { SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import type { OrderRecord, Partition, SessionRecord } from "../../rules/records.ts";
import { closeSession } from "../../steps/checkout-steps.ts";
import { cancelSubscription } from "../../steps/subscription-steps.ts";
import type { WorkClaim } from "../../storage/order-store.ts";
import { releaseHold } from "../checkout/session-holds.ts";
import { eventIds, type PaymentContext, settleExternalStock, tellStep } from "../context.ts";
import { renewSubscription } from "../renewals/charge-subscription.ts";
import { checkPayment } from "./check-payment.ts";
import type { MaintenanceJob } from "./maintenance-slices.ts";
import { returnDuplicate, settleRefund } from "./reconcile.ts";
import { type JobName, type MaintenanceCounts, upkeepJobs } from "./upkeep-jobs.ts";
import type { LaneName, ProviderAccount, WorkLanes } from "./work-lanes.ts";

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

/** The most chunks of rows that a run holds because their gateway does not answer. */
const heldChunks = 10;

/** A test clock waits for work that is held, so its leases are short: a process may die. */
const testLeaseMs = 15_000;

/**
 * Lists the jobs of a run. The first ones have their turn first: refunds come
 * before look-ups. With `of`, the work of one store and mode alone is done.
 */
export function maintenanceJobs(
  all: PaymentContext,
  counts: MaintenanceCounts,
  lanes: WorkLanes,
  of?: Partition,
): readonly MaintenanceJob<JobName>[] {
  const ctx: JobContext = { ...all, of };
  const { orders } = ctx.storage;

  const due = [
    rowJob(ctx, lanes, {
      name: "orders",
      share: 0.1,
      claim: (work) => orders.claimWork("orders", work),
      handle: (order) => settleOrder(ctx, counts, order),
    }),
    rowJob(ctx, lanes, {
      name: "holds",
      share: 0.05,
      claim: (work) => orders.claimWork("holds", work),
      handle: (session) => endHold(ctx, counts, session),
    }),
    questionJob(ctx, lanes, {
      name: "refunds",
      share: 0.15,
      claim: (work) => orders.claimWork("refunds", work),
      account: (refund) => ({ ...refund, gateway: refund.gateway ?? "" }),
      handle: (refund) => settleRefund(ctx, counts, refund),
    }),
    questionJob(ctx, lanes, {
      name: "returns",
      share: 0.05,
      claim: (work) => orders.claimWork("payments", work),
      account: (money) => money,
      handle: (money) => returnDuplicate(ctx, counts, money),
    }),
    rowJob(ctx, lanes, {
      name: "subscriptions",
      share: 0.1,
      claim: (work) => orders.claimWork("subscriptions", work),
      handle: (subscription) => endSubscription(ctx, counts, subscription),
    }),
    questionJob(ctx, lanes, {
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
    questionJob(ctx, lanes, {
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

interface Claimed {
  readonly id: string;
  readonly livemode: boolean;
}

interface RowJob<Row extends Claimed> {
  readonly name: JobName;
  readonly share: number;
  readonly claim: (work: WorkClaim) => Promise<readonly Row[]>;
  readonly handle: (row: Row) => Promise<void>;
}

/** Handles rows one after the other. A row that fails is reported, and due again later. */
const rowJob = <Row extends Claimed>(
  ctx: JobContext,
  lanes: WorkLanes,
  job: RowJob<Row>,
): MaintenanceJob<JobName> =>
  chunkedJob(ctx, lanes, { ...job, limit: rowsPerChunk, leaseMs, laneOf: () => job.name });

interface QuestionJob<Row extends Claimed> extends RowJob<Row> {
  readonly account: (row: Row) => ProviderAccount;
}

/** Handles rows that each ask a gateway, several at once. */
const questionJob = <Row extends Claimed>(
  ctx: JobContext,
  lanes: WorkLanes,
  { account, ...job }: QuestionJob<Row>,
): MaintenanceJob<JobName> =>
  chunkedJob(ctx, lanes, {
    ...job,
    limit: questionsPerChunk,
    leaseMs: questionLeaseMs,
    laneOf: account,
  });

interface ChunkedJob<Row extends Claimed> extends RowJob<Row> {
  readonly limit: number;
  readonly leaseMs: number;
  readonly laneOf: (row: Row) => LaneName;
}

/**
 * Makes a job of chunks. The rows that a chunk had no time for are the next one. When they wait for
 * a gateway that does not answer, more rows are claimed, so that other gateways have their turn.
 */
function chunkedJob<Row extends Claimed>(
  ctx: JobContext,
  lanes: WorkLanes,
  { name, share, claim, handle: handleRow, laneOf, limit, leaseMs: lease }: ChunkedJob<Row>,
): MaintenanceJob<JobName> {
  let left: readonly Row[] = [];
  /**
   * The leases of the rows that this run has claimed and that have not ended: it begins none of
   * them twice.
   */
  const open = new Map<string, number>();

  const handle = (row: Row): Promise<void> =>
    handleRow(row)
      .catch((error: unknown) => ctx.onError(error, "maintenance"))
      .finally(() => open.delete(row.id));
  const claimMore = async () => {
    const now = ctx.now();
    const [until, test_until] = [now + lease, now + testLeaseMs];
    const claimed = await claim({ now, until, test_until, of: ctx.of, limit });

    const fresh = claimed.filter(({ id }) => !open.has(id));
    for (const { id, livemode } of fresh) open.set(id, livemode ? until : test_until);
    return { fresh, isFull: claimed.length === limit };
  };
  /** Lets go of the rows whose lease is over: another run may have claimed and changed them. */
  const dropLate = (): void => {
    const now = ctx.now();
    const isHeld = ({ id }: Row): boolean => (open.get(id) ?? 0) > now;
    for (const row of left) if (!isHeld(row)) open.delete(row.id);
    left = left.filter(isHeld);
  };

  const areHung = (rows: readonly Row[]): boolean => rows.every((row) => lanes.isHung(laneOf(row)));

  return {
    name,
    share,
    async runChunk(slice) {
      dropLate();
      const claims = areHung(left) && left.length < heldChunks * limit;
      const { fresh, isFull } = claims ? await claimMore() : { fresh: [], isFull: false };
      const rows = [...left, ...fresh];

      left = await lanes.run(rows, { slice, laneOf, handle });
      const done = rows.length - left.length;
      const isHeldUp = left.length > 0 && done + fresh.length === 0 && areHung(left);
      return { done, more: !claims || isFull || left.length > 0, isHeldUp };
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
