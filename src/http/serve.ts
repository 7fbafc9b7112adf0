import { fail } from "../contract/errors.ts";
import { paths } from "../contract/paths.ts";
import type { Route } from "../contract/route.ts";
import { routes } from "../contract/routes.ts";
import { iso } from "../domain/text/iso.ts";
import { partitionOf } from "../operations/caller.ts";
import { offsetOf } from "../rules/clock/test-clock.ts";
import {
  authenticate,
  checkBrowser,
  checkStore,
  examineKeyParameter,
  isFromBrowser,
} from "./access/access.ts";
import { absentKey, livemodeOf } from "./access/api-key.ts";
import { preflight } from "./access/preflight.ts";
import { limitAgent, limitRate } from "./access/rate-limit.ts";
import { verifyBuyer } from "./access/verify-buyer.ts";
import { createAnswerRoute } from "./answer-route.ts";
import type { HttpContext } from "./context.ts";
import { createOpenPaths } from "./health/open-paths.ts";
import { inTime } from "./in-time.ts";
import { servedAt } from "./mount-paths.ts";
import { refuseRepeated, refuseUnknown } from "./query.ts";
import { errorReply } from "./replies/error-reply.ts";
import { accessOf, callerOf, newRequestState, type RequestState } from "./request-state.ts";
import { compileRouter, parseTarget } from "./router.ts";
import type { Serve, WireReply } from "./wire.ts";

/**
 * Creates the function that serves requests. The order of the checks is part of the
 * contract: see docs/contract/access.md#checks.
 */
export function createServe(ctx: HttpContext): Serve {
  const answerOpenPath = createOpenPaths(ctx);
  const findRoute = compileRouter(paths);
  const answerRoute = createAnswerRoute(ctx);

  return servedAt([ctx.basePath], async function serve(request) {
    const target = parseTarget(ctx.basePath, request.target);
    if (!target) return null;

    const state = newRequestState(ctx.newId("req"), request, target);
    if (!ctx.instrumentation && !ctx.requestLog)
      return withClock(state, await respondInTime(state));

    const tell = ctx.instrumentation?.startRequest(state);
    const log = ctx.requestLog?.startRequest(state);
    const reply = withClock(state, await respondInTime(state));
    tell?.(reply);
    log?.(reply);
    return reply;
  });

  function respondInTime(state: RequestState): Promise<WireReply> {
    return inTime(respond(state), ctx, (error) => errorReply(ctx, state, error));
  }

  /** Tells the time of a test mode whose clock was turned. */
  function withClock({ access, livemode }: RequestState, reply: WireReply): WireReply {
    const offset = offsetOf(access?.store, livemode);
    if (offset === 0) return reply;
    const headers = { ...reply.headers, "x-test-clock": iso(ctx.now() + offset) };
    return { ...reply, headers };
  }

  async function respond(state: RequestState): Promise<WireReply> {
    const { request, query } = state;
    try {
      // Health and documents need no key, and a preflight cannot send one in a header.
      const open = answerOpenPath(state);
      if (open) return await open;
      if (request.method === "OPTIONS") return await preflight(ctx, state);

      // The `key` parameter comes first, so that every answer from here on has its CORS headers.
      state.livemode = livemodeOf(query.keys[0] ?? "") ?? false;
      const parameter = query.keys.length === 0 ? absentKey : await examineKeyParameter(ctx, state);
      state.access = await authenticate(ctx, state, parameter);
      if (isFromBrowser(state)) await checkBrowser(ctx, state, parameter);
      ctx.keyUses.add(state);
      checkStore(state);

      state.match = findRoute(request.method, state.target.path);
      const { operation } = state.match;
      const route: Route = routes[operation];
      checkScope(state, route);
      if (route.buyer) await readBuyer(ctx, state, route.buyer);
      if (request.channel !== undefined) await limitAgent(ctx, state, request.channel);
      if (ctx.limits[route.limit]) await limitRate(ctx, state, route);
      refuseRepeated(query);
      if (ctx.strictQuery) refuseUnknown(query, route);

      return await answerRoute(state, operation, route);
    } catch (error) {
      return errorReply(ctx, state, error);
    }
  }
}

function checkScope(state: RequestState, { scope, fullScope }: Route): void {
  const { scopes } = accessOf(state).key;
  const isFull = fullScope !== undefined && scopes.includes(fullScope);
  if (scope === null || isFull || scopes.includes(scope)) return;

  fail("insufficient_scope", { message: `The API key lacks the scope ${scope} of this route.` });
}

async function readBuyer(
  ctx: HttpContext,
  state: RequestState,
  needed: NonNullable<Route["buyer"]>,
): Promise<void> {
  const token = state.request.header("x-service-customer-token");
  if (token === undefined || token === "") {
    if (needed === "required") fail("missing_customer_token");
    return;
  }
  state.buyer = await verifyBuyer(ctx, token, partitionOf(callerOf(state)));
}
