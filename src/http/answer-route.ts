import type { Operation } from "../contract/paths.ts";
import type { Route } from "../contract/route.ts";
import { routes } from "../contract/routes.ts";
import { check } from "../input/check.ts";
import type { Caller } from "../operations/caller.ts";
import type { OperationContext } from "../operations/context.ts";
import { operations } from "../operations/index.ts";
import type {
  FeedOperation,
  IdempotentOperation,
  OperationResult,
  PlainOperation,
} from "../operations/operation.ts";
import { readBody } from "./body.ts";
import type { HttpContext } from "./context.ts";
import { createIdempotency } from "./idempotency/idempotency.ts";
import { catalogName, dataTag, matchesTag, tagOf } from "./replies/etag.ts";
import { notModified, success } from "./replies/reply.ts";
import { callerOf, type RequestState } from "./request-state.ts";
import { readParams, readQuery } from "./route-input.ts";
import type { WireReply } from "./wire.ts";

type AnswerRoute = (state: RequestState, operation: Operation, route: Route) => Promise<WireReply>;

/** Answers a request that has passed the checks before its input. */
export function createAnswerRoute(ctx: HttpContext): AnswerRoute {
  const runOnce = createIdempotency(ctx);

  return (state, operation, route) => {
    if (isFeed(operation)) return answerFeed(ctx, state, operation, route);
    if (isIdempotent(operation))
      return takeBody(state).then((body) => runOnce(state, operation, route, body));

    // A host's own catalog or engine has no version that tells of a change: its answers are tagged
    // by data.
    const { versioned, searched } = ctx.catalog;
    const unversioned = route.ofSource === true && (!versioned || (searched && isSearch(state)));
    return route.cache === "catalog" && !unversioned
      ? answerFromCatalog(ctx, state, operation, route)
      : answerFresh(ctx, state, operation, route);
  };
}

/** Feeds are read seldom: a process that answers with none does not load how. */
const answerFeed: typeof import("./answer-feed.ts").answerFeed = async (...call) =>
  (await import("./answer-feed.ts")).answerFeed(...call);

const isFeed = (operation: Operation): operation is FeedOperation =>
  "media" in routes[operation].reply;

async function takeBody(state: RequestState): Promise<unknown> {
  state.body = await readBody(state.request);
  return state.body;
}

const isIdempotent = (operation: Operation): operation is IdempotentOperation =>
  "idempotent" in routes[operation];

/**
 * Answers by the catalog version. The tag is known before any query, so an
 * unchanged answer is 304 without one, and results are cached under the version.
 */
async function answerFromCatalog(
  ctx: HttpContext,
  state: RequestState,
  operation: PlainOperation,
  route: Route,
): Promise<WireReply> {
  const name = catalogName(ctx, state, route);
  // Searches are too many to be cached.
  const cacheable = !isSearch(state);
  const cached = cacheable ? ctx.catalogCache.get(name) : undefined;
  if (cached)
    return matchesTag(state.request, cached.tag, true)
      ? notModified(state, cached.tag)
      : success(state, route, cached.result, cached.tag);

  // The input is read only when the cache has no answer, because a cached name was
  // made from an input that was right.
  const call = { ctx, caller: callerOf(state), input: readInput(state, route) };
  const tag = await tagOf(name);
  if (matchesTag(state.request, tag, false)) return notModified(state, tag);

  const result = await runOperation(operation, call);
  if (cacheable) ctx.catalogCache.set(name, { tag, result });
  return matchesTag(state.request, tag, true)
    ? notModified(state, tag)
    : success(state, route, result, tag);
}

/** Tells whether a request of the catalog is a search. Suggestions are searches too. */
const isSearch = ({ query: { values } }: RequestState): boolean =>
  "search" in values || "q" in values;

/** Runs the operation and, where the route can be cached, tags the answer by its data. */
async function answerFresh(
  ctx: HttpContext,
  state: RequestState,
  operation: PlainOperation,
  route: Route,
): Promise<WireReply> {
  const read = readInput(state, route);
  const body = route.body ? check(route.body, await takeBody(state)) : undefined;
  const call = { ctx, caller: callerOf(state), input: { ...read, body } };
  const result = await runOperation(operation, call);
  if (route.cache === "none") return success(state, route, result, null);

  const tag = await dataTag(state, result);
  return matchesTag(state.request, tag, true)
    ? notModified(state, tag)
    : success(state, route, result, tag);
}

interface RouteInput {
  readonly params: Record<string, string>;
  readonly query: unknown;
  readonly body: unknown;
}

const readInput = (state: RequestState, route: Route): RouteInput => ({
  params: readParams(state),
  query: readQuery(state, route),
  body: undefined,
});

interface UntypedCall {
  readonly ctx: OperationContext;
  readonly caller: Caller;
  readonly input: RouteInput;
}

function runOperation(operation: PlainOperation, call: UntypedCall): Promise<OperationResult> {
  // The schemas of the operation's own route have read the input, so it has the type that the
  // handler asks for. The compiler cannot see that, because the operation is known at run time.
  const handler = operations[operation] as (call: UntypedCall) => Promise<OperationResult>;
  return handler(call);
}
