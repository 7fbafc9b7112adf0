import { fail, isApiError } from "../../contract/errors.ts";
import { timeBox } from "../../domain/async/time-box.ts";
import { examineKeyParameter } from "../access/access.ts";
import { livemodeOf } from "../access/api-key.ts";
import type { HttpContext } from "../context.ts";
import { createMetricsEndpoint } from "../metrics/endpoint.ts";
import { createDocuments } from "../replies/documents.ts";
import type { RequestState } from "../request-state.ts";
import type { WireReply } from "../wire.ts";
import { createHealth } from "./health.ts";
import { probeOf } from "./probe-paths.ts";
import { createReadiness } from "./readiness.ts";

/** A document waits this long for the storage, which only decides its CORS headers. */
const keyLookupMs = 1_000;

/**
 * Answers `GET` of health, of readiness, of the metrics and of the documents, which
 * need no key. Gives null for any other request.
 */
export function createOpenPaths(
  ctx: HttpContext,
): (state: RequestState) => Promise<WireReply> | null {
  const answerHealth = createHealth(ctx);
  const answerReadiness = createReadiness(ctx);
  const answerMetrics = createMetricsEndpoint(ctx);
  const answerDocument = createDocuments(ctx);

  const answer = async (state: RequestState): Promise<WireReply> => {
    const open = answerHealth(state) ?? answerReadiness(state) ?? answerMetrics(state);
    const reply = await (open ?? answerDocument(state));
    // A storage that is known to be down is not asked for the key.
    if (reply?.status !== 503) await admitOrigin(ctx, state);
    if (!reply) return fail("route_not_found");
    return { ...reply, headers: { vary: "Origin", ...state.cors, ...reply.headers } };
  };

  return (state) => (isOpen(state) ? answer(state) : null);
}

const isOpen = ({ request: { method }, target: { path } }: RequestState): boolean =>
  (method === "GET" || method === "HEAD") &&
  (probeOf(method, path) !== null ||
    path === "/openapi.json" ||
    path === "/docs" ||
    path.startsWith("/docs/") ||
    path.startsWith("/schemas/"));

/**
 * Examines the `key` parameter, for its CORS headers and for the alert of a secret
 * key. The answer does not depend on it, so no failure of the storage reaches the
 * client.
 */
async function admitOrigin(ctx: HttpContext, state: RequestState): Promise<void> {
  const [key] = state.query.keys;
  if (key === undefined) return;

  state.livemode = livemodeOf(key) ?? false;
  try {
    await timeBox(examineKeyParameter(ctx, state), keyLookupMs, () => {
      throw new Error("The storage did not answer within a second.");
    });
  } catch (error) {
    const refused = isApiError(error) && error.code !== "service_unavailable";
    if (!refused) ctx.onError(error, "open path");
  }
}
