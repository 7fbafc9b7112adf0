import type { DrainReport } from "./drain-context.ts";
import type { DrainSettings } from "./drain-options.ts";

export type StopReason = DrainReport["stopped_by"];

/** The last send needs its whole timeout and this much to write down its outcome. */
const lastSettlementMs = 1_000;

export type DrainBudget = ReturnType<typeof createBudget>;

/** Tells when the drain has to stop. Once there is a reason to stop, it stays. */
export function createBudget(settings: DrainSettings, now: () => number) {
  const { signal, maxDurationMs, maxDeliveries, timeoutMs } = settings;
  const startedAt = now();
  let lastNow = startedAt;
  let setBackMs = 0;
  let reason: StopReason | null = null;

  /**
   * Measures the time so far. A clock that is set back does not lengthen the
   * budget.
   */
  function elapsedMs(): number {
    const current = now();
    setBackMs += Math.max(0, lastNow - current);
    lastNow = current;

    return current + setBackMs - startedAt;
  }

  function findReason(attempted: number): StopReason | null {
    if (signal?.aborted) return "aborted";
    if (elapsedMs() > maxDurationMs - timeoutMs - lastSettlementMs) return "budget";
    return attempted >= maxDeliveries ? "limit" : null;
  }

  return {
    elapsedMs,
    /**
     * Gives why the drain has to stop, or null. `attempted` is the number of sends
     * that this drain has started.
     */
    stopReason(attempted: number): StopReason | null {
      reason ??= findReason(attempted);
      return reason;
    },
    /** Stops for this reason, unless there is a reason already. */
    stop(because: StopReason): void {
      reason ??= because;
    },
  };
}
