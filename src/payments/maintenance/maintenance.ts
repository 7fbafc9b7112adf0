import { minuteMs } from "../../domain/durations.ts";
import type { Partition } from "../../rules/records.ts";
import { deliverNotices } from "../../webhooks/drain/notices.ts";
import type { PaymentContext } from "../context.ts";
import { maintenanceJobs } from "./maintenance-jobs.ts";
import { type MaintenanceOptions, readMaintenance } from "./maintenance-options.ts";
import { type JobReport, runInSlices } from "./maintenance-slices.ts";
import type { JobName, MaintenanceCounts } from "./upkeep-jobs.ts";
import { WorkLanes } from "./work-lanes.ts";

/** How often each kind of work was done in this run. */
export interface MaintenanceReport {
  /**
   * Counts pending orders whose session had expired: they failed (`expired`), and
   * hold no stock now.
   */
  readonly orders_expired: number;
  /** Counts sessions whose hold had ended: their pieces and coupons were given back. */
  readonly holds_released: number;
  /** Counts payments without a result that a gateway was asked about. */
  readonly payments_checked: number;
  /** Counts those of the asked payments that have a result now. */
  readonly payments_settled: number;
  /** Counts second payments of an order that the gateway refunded. */
  readonly duplicates_returned: number;
  readonly refunds_settled: number;
  readonly subscriptions_ended: number;
  /** Counts charges of saved methods that began. */
  readonly renewals_charged: number;
  /** Counts reservations in the host's own catalog that a request had left open. */
  readonly reservations_settled: number;
  /**
   * Counts events older than 30 days, whose bytes were deleted. They stay valid
   * cursors for 400 days.
   */
  readonly events_pruned: number;
  /**
   * Counts deleted rows: delivery attempts, events older than 400 days, old entries
   * of the audit log, idempotency keys, rate-limit buckets, notification ids,
   * blocks of the request log and old sessions without an order.
   */
  readonly rows_purged: number;
  /** Counts orders of an older version that the owner can search from now on. */
  readonly orders_indexed: number;
  /**
   * Counts places of products of an older version that a category lists by price and by time
   * through an index from now on.
   */
  readonly products_indexed: number;
  /** Counts what was added to the owner's numbers: sessions, paid orders, and old attempts. */
  readonly stats_counted: number;
  /** What each job did, and whether it left work to the next run. */
  readonly jobs: Readonly<Record<JobName, JobReport>>;
  /**
   * True when the run stopped before all work was done: call again. False when only rows are left
   * that wait for an answer: a later run finds them.
   */
  readonly more: boolean;
  readonly stopped_by: "idle" | "budget" | "aborted";
  readonly duration_ms: number;
}

const alertTimeoutMs = 5_000;

/**
 * Does the work that waits for a time: it expires orders, asks gateways for missing
 * results, charges and ends subscriptions, and deletes old rows. Each kind of work has its share
 * of the time budget. Many processes may call it at once: call it about every
 * minute (docs/contract/operation.md#maintenance). With `of`, the work of one store and mode is
 * done.
 */
export async function runMaintenance(
  ctx: PaymentContext,
  options: MaintenanceOptions = {},
  of?: Partition,
): Promise<MaintenanceReport> {
  const { signal, maxDurationMs } = readMaintenance(options);
  const { tellAlert, now, onError } = ctx;
  const started = ctx.steadyNow();

  const stopReason = (): "aborted" | "budget" | null => {
    if (signal?.aborted) return "aborted";
    return ctx.steadyNow() - started >= maxDurationMs ? "budget" : null;
  };

  const counts = noCounts();
  const lanes = new WorkLanes(signal ?? new AbortController().signal, maxDurationMs);
  const waitForRow = (ms: number): Promise<void> => lanes.oneEnded(ms);
  const budget = { durationMs: maxDurationMs, now: ctx.steadyNow, stopReason, waitForRow };
  const maintenance = maintenanceJobs(ctx, counts, lanes, of);
  // A host's `onAlert` that does not return keeps no job waiting.
  const notices = deliverNotices(
    { store: ctx.storage.webhooks, tellAlert, now, onError },
    alertTimeoutMs,
  );
  const slices = runInSlices(maintenance, budget);
  // A run that fails ends after what it has begun, as another one does: its process may exit then.
  await Promise.allSettled([slices, notices]);
  await lanes.ended(minuteMs);
  await notices;
  const { stopped_by, jobs } = await slices;

  const duration_ms = Math.round(ctx.steadyNow() - started);
  return { ...counts, jobs, more: stopped_by !== "idle", stopped_by, duration_ms };
}

const noCounts = (): MaintenanceCounts => ({
  orders_expired: 0,
  holds_released: 0,
  payments_checked: 0,
  payments_settled: 0,
  duplicates_returned: 0,
  refunds_settled: 0,
  subscriptions_ended: 0,
  renewals_charged: 0,
  reservations_settled: 0,
  events_pruned: 0,
  rows_purged: 0,
  orders_indexed: 0,
  products_indexed: 0,
  stats_counted: 0,
});
