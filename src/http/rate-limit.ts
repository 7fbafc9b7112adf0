import { fail, isApiError } from "../contract/errors.ts";
import type { LimitName, Route } from "../contract/routes.ts";
import { rateLimitIp } from "../domain/client-ip.ts";
import type { HitResult } from "../storage/types.ts";
import { admitted, type Call } from "./call.ts";
import type { HttpContext, Limit } from "./context.ts";

/** Counted in storage, over all processes; the others within this one (CONTRACT 9). */
const shared: ReadonlySet<LimitName> = new Set(["checkout", "coupons"]);

export async function limitRate(ctx: HttpContext, call: Call, route: Route): Promise<void> {
  const rule = ctx.limits[route.limit];
  if (!rule) return;
  const hit = await count(ctx, route.limit, rule, bucketOf(ctx, call, route.limit));
  if (!hit) return;
  const seconds = Math.max(1, Math.ceil(hit.reset_ms / 1000));
  call.headers["ratelimit-policy"] =
    `"${route.limit}";q=${rule.limit};w=${Math.ceil(rule.window_ms / 1000)}`;
  call.headers["ratelimit"] = `"${route.limit}";r=${hit.remaining};t=${seconds}`;
  if (!hit.allowed) fail("rate_limit_exceeded", { retry_after: seconds });
}

async function count(
  ctx: HttpContext,
  name: LimitName,
  rule: Limit,
  bucket: string,
): Promise<HitResult | null> {
  const hit = { bucket, ...rule };
  if (!shared.has(name)) return ctx.processLimiter.hit(hit, ctx.now());
  const { store, external, ownClock } = ctx.limiter;
  if (ownClock && store.hitNow) return store.hitNow(hit);
  if (!external) return store.hit(hit, ctx.now());
  try {
    return await store.hit(hit, ctx.now());
  } catch (error) {
    // A limiter of the host's that is down must not stop sales; the host hears of it.
    ctx.onError(isApiError(error) ? error.details.cause : error, "limiter");
    return null;
  }
}

function bucketOf(ctx: HttpContext, call: Call, name: LimitName): string {
  const { key } = admitted(call);
  const partition = `${name}:${key.store_id}:${key.livemode ? "live" : "test"}`;
  if (name === "orders") return `${partition}:${key.id}`;
  if (name === "customers") return `${partition}:${call.buyer?.customer_id ?? ""}`;
  if (name === "catalog" && key.kind === "secret") return `${partition}:${key.id}`;
  return `${partition}:${clientIp(ctx, call)}`;
}

const clientIp = (ctx: HttpContext, call: Call): string => {
  const forwarded =
    ctx.trustBuyerIp && admitted(call).key.kind === "secret"
      ? call.request.header("x-service-buyer-ip")
      : undefined;
  return rateLimitIp(forwarded ?? call.request.ip);
};
