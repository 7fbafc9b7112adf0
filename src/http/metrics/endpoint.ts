import type { HttpContext } from "../context.ts";
import { metricsPath } from "../health/probe-paths.ts";
import type { RequestState } from "../request-state.ts";
import type { WireReply } from "../wire.ts";
import type { MetricsSettings } from "./settings.ts";

/**
 * Answers `GET {basePath}/metrics` where the host authorizes it. Gives null for any
 * other request, and for one that the host does not authorize. The path then looks
 * like any unknown path.
 */
export function createMetricsEndpoint(
  ctx: HttpContext,
): (state: RequestState) => Promise<WireReply | null> | null {
  const { metrics } = ctx;
  if (!metrics) return () => null;

  const answer = async (state: RequestState): Promise<WireReply | null> => {
    if (!(await isAuthorized(ctx, metrics, state))) return null;

    // Its code is loaded at the first scrape.
    const { gaugeMetrics, renderMetrics, textType } = await import("./text.ts");
    const body = renderMetrics([
      ...metrics.collector.metrics(),
      ...gaugeMetrics(await metrics.readGauges()),
    ]);
    return {
      status: 200,
      headers: {
        "content-type": textType,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "x-request-id": state.request_id,
      },
      body: state.request.method === "HEAD" ? null : body,
    };
  };

  return (state) => (state.target.path === metricsPath ? answer(state) : null);
}

/** Only `true` opens the numbers. A callback that fails is reported, and refuses. */
async function isAuthorized(
  ctx: HttpContext,
  { authorize }: MetricsSettings,
  { request }: RequestState,
): Promise<boolean> {
  try {
    return (await authorize(request)) === true;
  } catch (error) {
    ctx.onError(error, "metrics");
    return false;
  }
}
