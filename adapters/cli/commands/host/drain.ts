import type { DrainReport } from "#core/webhooks/drain/drain.ts";
import type { Call, ExitName } from "../../frame/command.ts";
import { rateText } from "../../frame/rate.ts";
import { recordLines } from "../../frame/table-lines.ts";

const perRound = 200;

/** Sends the webhooks that are due, until none is left. */
export async function run({ host, screen, signal }: Call): Promise<ExitName> {
  const { storefront, parts } = host();
  const started = Date.now();
  const { webhooks_due } = await parts.storage.gauges.read(started);

  const counts = { attempted: 0, delivered: 0, rescheduled: 0, exhausted: 0 };
  let report: DrainReport;
  do {
    report = await storefront.drainWebhooks({ signal, maxDeliveries: perRound });
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += report[name];
    const ms = Date.now() - started;
    screen.progress(rateText(counts.attempted, { of: webhooks_due, ms, what: "sent" }));
  } while (report.more && report.attempted > 0 && !signal.aborted);

  screen.settle();
  const { more, next_due_at, stopped_by } = report;
  const total = { ...counts, more, next_due_at, stopped_by, duration_ms: Date.now() - started };
  screen.result(total, () => recordLines(total));
  return stopped_by === "aborted" ? "interrupted" : "done";
}
