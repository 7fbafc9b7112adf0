import { dayMs, minuteMs } from "../../domain/durations.ts";
import type { PaymentContext } from "../context.ts";
import type { ChunkResult, MaintenanceJob } from "./maintenance-slices.ts";

/** Counts what a run has done so far; the fields are those of `MaintenanceReport`. */
export interface MaintenanceCounts {
  orders_expired: number;
  holds_released: number;
  payments_checked: number;
  payments_settled: number;
  duplicates_returned: number;
  refunds_settled: number;
  subscriptions_ended: number;
  renewals_charged: number;
  reservations_settled: number;
  events_pruned: number;
  rows_purged: number;
  orders_indexed: number;
  products_indexed: number;
  stats_counted: number;
}

/** Names a job of `runMaintenance`. */
export type JobName =
  | "orders"
  | "holds"
  | "refunds"
  | "returns"
  | "subscriptions"
  | "renewals"
  | "payments"
  | "events"
  | "rows"
  | "index"
  | "stats";

/** A chunk has about this many rows. */
const rowsPerChunk = 50;
export const eventBytesLifetimeMs = 30 * dayMs;
export const eventCursorLifetimeMs = 400 * dayMs;

/** Lists the jobs that delete and count rows by their age, whatever store they belong to. */
export const upkeepJobs = (
  ctx: PaymentContext,
  counts: MaintenanceCounts,
): readonly MaintenanceJob<JobName>[] => [
  { name: "events", share: 0.05, runChunk: () => pruneEvents(ctx, counts) },
  // Sessions are deleted after they are counted.
  { name: "stats", share: 0.03, runChunk: () => countStats(ctx, counts) },
  { name: "rows", share: 0.05, runChunk: () => purgeRows(ctx, counts) },
  { name: "index", share: 0.02, runChunk: () => indexRows(ctx, counts) },
];

async function pruneEvents(ctx: PaymentContext, counts: MaintenanceCounts): Promise<ChunkResult> {
  const now = ctx.now();
  // Attempts of an older version are deleted after they are counted.
  const limit = rowsPerChunk * 10;
  const counted = await ctx.storage.stats.count("deliveries", { now, limit });
  counts.stats_counted += counted;
  if (counted > 0) return { done: counted, more: true };

  const pruned = await ctx.storage.webhooks.prune({
    before: now - eventBytesLifetimeMs,
    forget_before: now - eventCursorLifetimeMs,
    limit,
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
  return done > 0 ? { done, more: true } : goOnErasing(ctx);
}

/** After this time without a chunk, a call of `owner.eraseCustomer` or its process has ended. */
const erasureLeaseMs = minuteMs;
const erasedChunks = 20;

/** Goes on with an erasure that its call has left to maintenance, some chunks at a time. */
async function goOnErasing({ storage, now, onError }: PaymentContext): Promise<ChunkResult> {
  const { privacy } = storage;
  const before = now() - erasureLeaseMs;
  const { is_removed, left } = await privacy.finishErasures(before);
  if (!is_removed) onError(new Error(erasureWaits), "maintenance");
  if (!left) return { done: 0, more: false };

  let position: string | null = left.position;
  let done = 0;
  for (; position !== null && done < erasedChunks; done += 1) {
    // The time stays old, so that the next chunks of this run find the erasure again.
    const erasure = { ...left.erasure, now: before - 1 };
    ({ next: position } = await privacy.eraseChunk(erasure, position));
  }
  return { done, more: true };
}

const erasureWaits =
  "Erased data of customers is still in the write-ahead log of the database: a reader that began " +
  "before the erasure keeps it there. End that reader; the next maintenance removes the data.";

/** Makes orders and products of an older version known to indexes that are newer. */
async function indexRows(ctx: PaymentContext, counts: MaintenanceCounts): Promise<ChunkResult> {
  const { backOffice } = ctx.storage;

  const orders = await backOffice.indexOrders(rowsPerChunk * 4);
  const products = await backOffice.indexProducts(rowsPerChunk * 10);
  counts.orders_indexed += orders;
  counts.products_indexed += products;
  const done = orders + products;
  return { done, more: done > 0 };
}

/** Counts what `owner.stats` reports and what no other step has counted. */
async function countStats(ctx: PaymentContext, counts: MaintenanceCounts): Promise<ChunkResult> {
  const { stats } = ctx.storage;

  const now = ctx.now();
  const sessions = await stats.count("sessions", { now, limit: rowsPerChunk });
  const orders = await stats.count("orders", { now, limit: rowsPerChunk * 4 });
  const sales = await stats.count("sales", { now, limit: rowsPerChunk });
  const done = sessions + orders + sales;
  counts.stats_counted += done;
  return { done, more: done > 0 };
}
