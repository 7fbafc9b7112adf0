import { fail } from "../contract/errors.ts";
import { paths } from "../contract/paths.ts";
import { type Route, routes } from "../contract/routes.ts";
import type { Answer } from "../operations/answer.ts";
import type { OperationCall } from "../operations/call.ts";
import { partitionOf } from "../operations/caller.ts";
import { operations } from "../operations/index.ts";
import {
  absent,
  admitBrowser,
  authenticate,
  guardBrowser,
  guardStore,
  isFromBrowser,
  livemodeOf,
} from "./access.ts";
import { admitted, type Call, callerOf, readQuery } from "./call.ts";
import type { HttpContext } from "./context.ts";
import { preflight } from "./cors.ts";
import { createDocuments } from "./documents.ts";
import { createHealth } from "./health.ts";
import { createIdempotency } from "./idempotency.ts";
import { readBody, readParams, readQueryInput, refuseRepeats } from "./input.ts";
import { limitRate } from "./rate-limit.ts";
import { catalogName, dataTag, failure, matchesTag, notModified, success, tagOf } from "./reply.ts";
import { compileRouter, locate } from "./router.ts";
import type { Serve, WireReply } from "./wire.ts";

/** One straight function: the order of checks (CONTRACT 1) is the order of lines. */
export function createServe(ctx: HttpContext): Serve {
  const match = compileRouter(paths);
  const healthOf = createHealth(ctx);
  const documentOf = createDocuments(ctx);
  const once = createIdempotency(ctx);

  return async function serve(request) {
    const target = locate(ctx.basePath, request.target);
    if (!target) return null;
    const call: Call = {
      request_id: ctx.newId("req"),
      request,
      target,
      query: readQuery(target.query),
      livemode: false,
      cors: null,
      access: null,
      match: null,
      buyer: null,
      error_code: null,
      headers: {},
    };
    if (!ctx.observation) return respond(call);
    const done = ctx.observation.request(call);
    const reply = await respond(call);
    done(reply);
    return reply;
  };

  async function respond(call: Call): Promise<WireReply> {
    const { request, target } = call;
    try {
      const document = healthOf(call) ?? documentOf(call); // no key needed
      if (document) return await document;
      if (request.method === "OPTIONS") return await preflight(ctx, call);
      call.livemode = livemodeOf(call.query.keys[0] ?? "") ?? false;
      const parameter = call.query.keys.length === 0 ? absent : await admitBrowser(ctx, call); // the key parameter: CORS for every later answer, leaked-secret alarm
      call.access = await authenticate(ctx, call, parameter); // 401
      if (isFromBrowser(call)) await guardBrowser(ctx, call, parameter); // 403
      guardStore(call); // headless_disabled, store_maintenance
      call.match = match(request.method, target.path); // 404, 405
      const route: Route = routes[call.match.operation];
      authorize(call, route); // 403
      if (route.buyer) await readBuyer(ctx, call, route.buyer); // 401
      if (ctx.limits[route.limit]) await limitRate(ctx, call, route); // 429
      refuseRepeats(call); // 400
      const bySource = route.ofSource === true && !ctx.catalog.versioned; // nothing tells its changes but its data
      if (route.cache === "catalog" && !bySource) return await fromCatalog(ctx, call, route);
      const input = readInput(call, route);
      if (route.idempotent) return await once(call, route, await readBody(call));
      if (route.body) input.body = await readBody(call);
      const answer = await run(ctx, call, input);
      if (route.cache === "none") return success(call, route, answer, null);
      const tag = await dataTag(call, answer);
      return matchesTag(call, tag, true)
        ? notModified(call, tag)
        : success(call, route, answer, tag);
    } catch (error) {
      return failure(ctx, call, error);
    }
  }
}

const run = (ctx: HttpContext, call: Call, input: OperationCall["input"]): Promise<Answer> => {
  if (!call.match) throw new Error("The call has no route.");
  return operations[call.match.operation]({ ctx, caller: callerOf(call), input });
};

const readInput = (call: Call, route: Route): OperationCall["input"] => ({
  params: readParams(call),
  query: readQueryInput(call, route),
  body: undefined,
});

/** The tag is known from the catalog version: 304 before any query, and a bounded cache of answers under it. */
async function fromCatalog(ctx: HttpContext, call: Call, route: Route): Promise<WireReply> {
  const name = catalogName(ctx, call, route);
  const cacheable = !("search" in call.query.values);
  const kept = cacheable ? ctx.answers.get(name) : undefined;
  if (kept)
    return matchesTag(call, kept.tag, true)
      ? notModified(call, kept.tag)
      : success(call, route, kept.answer, kept.tag);
  const input = readInput(call, route); // what was answered under this name had been found right
  const tag = await tagOf(name);
  if (matchesTag(call, tag, false)) return notModified(call, tag);
  const answer = await run(ctx, call, input);
  if (cacheable) ctx.answers.set(name, { tag, answer });
  return matchesTag(call, tag, true) ? notModified(call, tag) : success(call, route, answer, tag);
}

function authorize(call: Call, route: Route): void {
  if (route.scope !== null && !admitted(call).key.scopes.includes(route.scope))
    fail("insufficient_scope");
}

async function readBuyer(
  ctx: HttpContext,
  call: Call,
  needed: NonNullable<Route["buyer"]>,
): Promise<void> {
  const token = call.request.header("x-service-customer-token");
  if (token === undefined || token === "") {
    if (needed === "required") fail("missing_customer_token");
    return;
  }
  call.buyer = await ctx.buyerTokens.verify(token, partitionOf(callerOf(call)));
}
