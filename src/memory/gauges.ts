import { workDueSince } from "../rows/work.ts";
import { mostCounted } from "../rules/owner/gauges.ts";
import type { GaugesStore, StorageGauges } from "../storage/reads/gauges-store.ts";
import { workRows } from "./clock/work-rows.ts";
import type { MemoryState } from "./state.ts";

export const memoryGauges = (state: MemoryState): GaugesStore => ({
  read: async (now) => readGauges(state, now),
  readiness: async () => ({ schema: null, clock: null, write_refusal: null }),
});

function readGauges(state: MemoryState, now: number): StorageGauges {
  const { webhooks, orders } = state;
  const due = [...webhooks.deliveries.values()].filter(
    ({ state, due_at }) => state === "pending" && due_at <= now,
  );
  const attempts = [...webhooks.attempts.values()].flat();
  const disabled = [...webhooks.endpoints.values()].filter(({ state }) => state === "disabled");
  const unknown = [...orders.attempts.values()].filter(
    ({ state, check_at }) => state === "unknown" && check_at !== null,
  );
  const refunds = [...orders.refunds.values()].filter(({ check_at }) => check_at !== null);

  return {
    webhooks_due: countOf(due),
    webhooks_due_since: least(due.map(({ due_at }) => due_at)),
    webhooks_last_attempt_at: greatest(attempts.map(({ started_at }) => started_at)),
    endpoints_disabled: countOf(disabled),
    payments_in_doubt: countOf(unknown),
    payments_in_doubt_since: least(unknown.map(({ created_at }) => created_at)),
    refunds_pending: countOf(refunds),
    maintenance_due_since: workDueSince(workRows(state), now),
    oldest_transaction_at: null,
    rows_to_backfill: 0,
  };
}

const countOf = (rows: readonly unknown[]): number => Math.min(rows.length, mostCounted);

const least = (times: readonly number[]): number | null =>
  times.reduce<number | null>((first, time) => Math.min(first ?? time, time), null);

const greatest = (times: readonly number[]): number | null =>
  times.reduce<number | null>((last, time) => Math.max(last ?? time, time), null);
