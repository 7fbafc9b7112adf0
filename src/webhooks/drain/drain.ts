import type { DrainContext, DrainReport } from "./drain-context.ts";
import { type DrainOptions, readDrainOptions } from "./drain-options.ts";
import { DrainRun, type NextWork } from "./drain-run.ts";

export type { DrainContext, DrainReport } from "./drain-context.ts";
export type { DrainOptions } from "./drain-options.ts";

/**
 * Claims, signs, sends and settles until nothing is due, the budget is spent or the
 * host aborts. Nothing is left behind: a delivery that was leased and not sent is
 * given back, and every outcome is written.
 */
export async function drain(ctx: DrainContext, options: DrainOptions = {}): Promise<DrainReport> {
  const settings = readDrainOptions(options, ctx.leaseMs);
  const run = new DrainRun(ctx, settings);
  settings.signal?.addEventListener("abort", run.wake);
  const stopListening = ctx.onEndpointChange(run.endpointChanged);

  let nextWork: NextWork | null;
  try {
    nextWork = await run.untilStopped();
  } finally {
    settings.signal?.removeEventListener("abort", run.wake);
    stopListening();
    await run.end();
  }
  return run.report(nextWork);
}
