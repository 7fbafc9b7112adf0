import { askOnce } from "../../domain/async/ask-once.ts";
import { timeBox } from "../../domain/async/time-box.ts";
import type { StorageGauges } from "../../storage/reads/gauges-store.ts";
import type { Storage } from "../../storage/types.ts";
import type { GaugeValue, ReadGauges } from "../observe/observer.ts";
import type { GaugeName } from "./table.ts";

/**
 * An answer is kept this long, because several scrapers and every process ask the
 * same database.
 */
const rememberMs = 15_000;
const answerMs = 2_000;

interface GaugeContext {
  readonly storage: Pick<Storage, "gauges" | "consumers">;
  /** `consumeEvents` and `relayEvents` were called with these names in this process. */
  readonly consumers: ReadonlySet<string>;
  now(): number;
  steadyNow(): number;
  onError(error: unknown, where: string): void;
}

/**
 * Reads the numbers of what waits in the storage. It asks one question at a time,
 * and at most one in 15 seconds. When the storage does not answer, `storage_up` is
 * 0 and no other gauge is given. The counters of the process can then still be
 * shown.
 */
export function gaugeReader(ctx: GaugeContext): ReadGauges {
  const read = async (): Promise<readonly GaugeValue[]> => {
    const now = ctx.now();
    try {
      const gauges = await ctx.storage.gauges.read(now);
      const lags = await Promise.all([...ctx.consumers].map((name) => lagOf(ctx, name, now)));
      return [...gaugeValues(gauges, now), ...lags.flat()];
    } catch (error) {
      ctx.onError(error, "metrics");
      return [down];
    }
  };
  const gauges = askOnce({
    steadyNow: ctx.steadyNow,
    rememberMs,
    question: read,
    show: (answer) => answer,
  });

  return () => timeBox(gauges(), answerMs, () => [down]);
}

const gauge = (
  metric: GaugeName,
  value: number,
  labels: GaugeValue["labels"] = {},
): GaugeValue => ({ metric, labels, value });

const down = gauge("storage_up", 0);

/** Gives the seconds since the oldest waiting entry came. It is zero when nothing waits. */
const ageAt = (now: number, since: number | null): number =>
  since === null ? 0 : Math.max(0, now - since) / 1000;

async function lagOf(
  { storage }: GaugeContext,
  consumer: string,
  now: number,
): Promise<readonly GaugeValue[]> {
  const { events, oldest_created_at } = await storage.consumers.lag(consumer, null);
  return [
    gauge("consumer_lag", events, { consumer }),
    gauge("consumer_lag_oldest", ageAt(now, oldest_created_at), { consumer }),
  ];
}

function gaugeValues(gauges: StorageGauges, now: number): readonly GaugeValue[] {
  const last = gauges.webhooks_last_attempt_at;
  return [
    gauge("storage_up", 1),
    gauge("webhooks_due", gauges.webhooks_due),
    gauge("webhooks_oldest_due", ageAt(now, gauges.webhooks_due_since)),
    ...(last === null ? [] : [gauge("webhooks_last_attempt", last / 1000)]),
    gauge("endpoints_disabled", gauges.endpoints_disabled),
    gauge("payments_in_doubt", gauges.payments_in_doubt),
    gauge("payments_in_doubt_oldest", ageAt(now, gauges.payments_in_doubt_since)),
    gauge("refunds_pending", gauges.refunds_pending),
    gauge("maintenance_oldest_due", ageAt(now, gauges.maintenance_due_since)),
    gauge("oldest_transaction", ageAt(now, gauges.oldest_transaction_at)),
    gauge("rows_to_backfill", gauges.rows_to_backfill),
  ];
}
