import { fail, isApiError } from "../../contract/errors.ts";
import type { LimitName, Route } from "../../contract/route.ts";
import { rateLimitIp } from "../../domain/client-ip.ts";
import type { Partition } from "../../rules/records.ts";
import type { HitResult } from "../../storage/limit-store.ts";
import type { HttpContext, Limit } from "../context.ts";
import { accessOf, type RequestState } from "../request-state.ts";

/** The limits that are counted over all processes. The others are counted within this one. */
const sharedLimits: ReadonlySet<LimitName> = new Set([
  "checkout",
  "coupons",
  "licenses",
  "payments",
  "agents",
  "agentSessions",
  "agentStores",
]);

/** Counts the request and refuses it when its limit is exceeded. */
export async function limitRate(
  ctx: HttpContext,
  state: RequestState,
  { limit: name }: Route,
): Promise<void> {
  const limit = ctx.limits[name];
  if (!limit) return;

  const bucket = bucketOf(ctx, state, name);
  const hit = await countHit(ctx, name, { bucket, ...limit });
  if (!hit) return;

  const seconds = retryAfter(hit);
  const windowSeconds = Math.ceil(limit.window_ms / 1000);
  state.headers["ratelimit-policy"] = `"${name}";q=${limit.limit};w=${windowSeconds}`;
  state.headers["ratelimit"] = `"${name}";r=${hit.remaining};t=${seconds}`;
  if (hit.allowed) return;

  if (bucket.endsWith(`:${rateLimitIp(undefined)}`))
    ctx.warnOnce("clients share a rate limit, as the host gives no `ip`");
  fail("rate_limit_exceeded", { retry_after: seconds });
}

/**
 * Counts a buyer's form by the address, such as a submission of a payment, and refuses it
 * when the limit is exceeded. Nothing is charged, reserved or written then.
 */
export async function limitBuyer(
  ctx: HttpContext,
  name: "payments" | "coupons",
  { ip, ...partition }: Partition & { readonly ip: string },
): Promise<void> {
  await limitBucket(ctx, name, `${halfOf(partition)}:${rateLimitIp(ip)}`);
}

/**
 * Counts a call that came through an endpoint for agents, for the checkout session that it names,
 * for the agent, and for all agents of the store. The count of a session belongs to one agent:
 * another agent that knows the session's id does not use it up.
 */
export async function limitAgent(
  ctx: HttpContext,
  state: RequestState,
  channel: string,
): Promise<void> {
  const store = halfOf(accessOf(state).key);
  const agent = `${store}:${channel}`;
  const { operation = "", params = {} } = state.match ?? {};
  const id = operation.endsWith("CheckoutSession") ? params["id"] : undefined;
  if (id !== undefined) await limitBucket(ctx, "agentSessions", `${agent}:${id}`);
  await limitBucket(ctx, "agents", agent);
  await limitBucket(ctx, "agentStores", store);
}

/** Counts in a bucket of the limit, and refuses when the limit is exceeded. */
async function limitBucket(ctx: HttpContext, name: LimitName, counted: string): Promise<void> {
  const limit = ctx.limits[name];
  if (!limit) return;

  const hit = await countHit(ctx, name, { bucket: `${name}:${counted}`, ...limit });
  if (hit && !hit.allowed) fail("rate_limit_exceeded", { retry_after: retryAfter(hit) });
}

/** Gives the whole seconds until the window ends, at least 1. */
export const retryAfter = ({ reset_ms }: HitResult): number =>
  Math.max(1, Math.ceil(reset_ms / 1000));

/** Counts one request. Gives null when the host's own limiter failed. */
export async function countHit(
  ctx: HttpContext,
  name: LimitName,
  hit: Limit & { readonly bucket: string },
): Promise<HitResult | null> {
  if (!sharedLimits.has(name)) return ctx.processLimiter.hit(hit, ctx.steadyNow());

  const { store, givenByHost, databaseClock } = ctx.sharedLimiter;
  if (!givenByHost) return store.hit(hit, databaseClock ? null : ctx.now());
  try {
    return await store.hit(hit, ctx.now());
  } catch (error) {
    // The failure of the host's limiter must not stop sales: it is reported, and the request
    // passes.
    ctx.onError(isApiError(error) ? error.details.cause : error, "limiter");
    return null;
  }
}

/**
 * Names what is counted together: the requests of a key, of a buyer, or of a
 * client's address.
 */
function bucketOf(ctx: HttpContext, state: RequestState, name: LimitName): string {
  const { key } = accessOf(state);
  const partition = `${name}:${halfOf(key)}`;
  if (name === "orders") return `${partition}:${key.id}`;
  if (name === "customers") return `${partition}:${state.buyer?.customer_id ?? ""}`;
  if (name === "catalog" && key.kind === "secret") return `${partition}:${key.id}`;
  return `${partition}:${buyerIp(ctx, state)}`;
}

const halfOf = ({ store_id, livemode }: Partition): string =>
  `${store_id}:${livemode ? "live" : "test"}`;

/**
 * Gives the address for which a hold of goods counts. A call with a secret key
 * comes from the shop's own server: its hold counts only for a buyer's address that
 * it names.
 */
export function holdAddress(ctx: HttpContext, state: RequestState): string | null {
  const isServer = accessOf(state).key.kind === "secret";
  const namesBuyer = ctx.trustBuyerIp && state.request.header("x-service-buyer-ip") !== undefined;
  return isServer && !namesBuyer ? null : buyerIp(ctx, state);
}

function buyerIp(ctx: HttpContext, state: RequestState): string {
  const trusted = ctx.trustBuyerIp && accessOf(state).key.kind === "secret";
  const forwarded = trusted ? state.request.header("x-service-buyer-ip") : undefined;
  return rateLimitIp(forwarded ?? state.request.ip);
}
