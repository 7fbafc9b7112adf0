import type { MaintenanceReport } from "#core/payments/maintenance/maintenance.ts";
import type { Call, ExitName } from "../../frame/command.ts";
import { recordLines } from "../../frame/table-lines.ts";

/** One run stops after this time, and the next goes on: the rows of a year take several. */
const maxDurationMs = 10_000;

/** Runs maintenance until no work is left: expires, asks gateways, purges and prunes. */
export async function run({ host, screen, signal }: Call): Promise<ExitName> {
  const { storefront } = host();
  const started = Date.now();
  const counts = new Map<string, number>();
  let report: MaintenanceReport;
  do {
    report = await storefront.runMaintenance({ signal, maxDurationMs });
    for (const [name, value] of Object.entries(report))
      if (typeof value === "number" && name !== "duration_ms")
        counts.set(name, (counts.get(name) ?? 0) + value);
    screen.progress(`${rowsOf(counts)} rows · ${Math.round((Date.now() - started) / 1_000)} s`);
  } while (report.more && !signal.aborted);

  screen.settle();
  const { more, stopped_by } = report;
  const total = {
    ...Object.fromEntries(counts),
    more,
    stopped_by,
    duration_ms: Date.now() - started,
  };
  screen.result(total, () => recordLines(total));
  return stopped_by === "aborted" ? "interrupted" : "done";
}

const rowsOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);
