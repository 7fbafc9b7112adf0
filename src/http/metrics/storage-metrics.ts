import { askOnce } from "../../domain/ask-once.ts";
import { timeBox } from "../../domain/time-box.ts";
import type { StorageGauges } from "../../storage/gauges-store.ts";
import type { HttpContext } from "../context.ts";
import type { Metric } from "./text.ts";

/** Several scrapers, and every process, ask the same database: an answer serves this long. */
const rememberMs = 15_000;
const answerMs = 2_000;

/**
 * Reads what waits in the storage: one question at a time, and at most one in 15
 * seconds. A storage that does not answer gives `vitrine_storage_up 0` and no other
 * gauge, so that the sums of the process can still be scraped.
 */
export function createStorageMetrics(ctx: HttpContext): () => Promise<readonly Metric[]> {
  const read = async (): Promise<readonly Metric[]> => {
    const now = ctx.now();
    try {
      return gaugeMetrics(await ctx.storage.gauges.read(now), now);
    } catch (error) {
      ctx.onError(error, "metrics");
      return [storageUp(0)];
    }
  };
  const metrics = askOnce({
    steadyNow: ctx.steadyNow,
    rememberMs,
    question: read,
    show: (answer) => answer,
  });

  return () => timeBox(metrics(), answerMs, () => [storageUp(0)]);
}

const gauge = (name: string, help: string, value: number | null): Metric => ({
  name: `vitrine_${name}`,
  help,
  type: "gauge",
  samples: { "": value === null ? [] : [{ labels: {}, value }] },
});

const storageUp = (value: 0 | 1): Metric =>
  gauge("storage_up", "Whether the storage answered.", value);

/** The age of what waits since a time; nothing that waits has the age zero. */
const ageAt = (now: number, since: number | null): number =>
  since === null ? 0 : Math.max(0, now - since) / 1000;

const gaugeMetrics = (gauges: StorageGauges, now: number): readonly Metric[] => [
  storageUp(1),
  gauge("webhooks_due", "Deliveries that are due, 100000 at most.", gauges.webhooks_due),
  gauge(
    "webhooks_oldest_due_seconds",
    "How long the first of them has been due.",
    ageAt(now, gauges.webhooks_due_since),
  ),
  gauge(
    "webhooks_last_attempt_timestamp_seconds",
    "When any process last began to deliver; no value before the first time.",
    gauges.webhooks_last_attempt_at === null ? null : gauges.webhooks_last_attempt_at / 1000,
  ),
  gauge("endpoints_disabled", "Webhook endpoints that are disabled.", gauges.endpoints_disabled),
  gauge(
    "payments_in_doubt",
    "Payments that gave no result in their time.",
    gauges.payments_in_doubt,
  ),
  gauge(
    "payments_in_doubt_oldest_seconds",
    "Age of the oldest of them, from its beginning.",
    ageAt(now, gauges.payments_in_doubt_since),
  ),
  gauge("refunds_pending", "Refunds whose result is still asked for.", gauges.refunds_pending),
];
