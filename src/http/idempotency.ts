import { fail } from "../contract/errors.ts";
import { CheckoutRequest, type Route } from "../contract/routes.ts";
import { canonicalJson } from "../domain/canonical-json.ts";
import { normalizeCode } from "../domain/coupon.ts";
import { base64url, sha256 } from "../domain/hash.ts";
import { parseUrl } from "../domain/parse-url.ts";
import { parse } from "../input/parse.ts";
import { partitionOf } from "../operations/caller.ts";
import { type CheckoutBody, draftSession } from "../operations/checkout.ts";
import type { KeyScope, KeyState, StoredReply } from "../rules/checkout-records.ts";
import type { ExternalSession } from "../rules/checkout-urls.ts";
import type { SessionRecord } from "../rules/records.ts";
import { iso, renderSession } from "../rules/render.ts";
import { admitted, type Call, callerOf } from "./call.ts";
import type { HttpContext } from "./context.ts";
import { baseHeaders, envelope } from "./reply.ts";
import type { WireReply } from "./wire.ts";

const leaseMs = 30_000;
const builderTimeoutMs = 25_000;
/** Stands for the checkout address in a stored reply, so that no token is at rest. The first one is always ours: no client text comes before it. */
const placeholder = '"checkout_url":"{checkout_url}"';

type Once = (call: Call, route: Route, body: unknown) => Promise<WireReply>;

/** POST /checkout/sessions under its Idempotency-Key (CONTRACT 5): one transaction holds key, session and reply. */
export function createIdempotency(ctx: HttpContext): Once {
  /** Keys that this process is working on, with the fingerprint of their body. */
  const running = new Map<string, string>();

  return async function once(call, route, body) {
    const key = readKey(call);
    const operation = call.match?.operation ?? "";
    const fingerprint = await sha256(
      `${operation}\n${call.buyer?.customer_id ?? ""}\n${canonicalJson(body)}`,
    );
    const scope: KeyScope = {
      key_kind: admitted(call).key.kind,
      operation,
      idempotency_key: key,
      ...partitionOf(callerOf(call)),
    };
    const name = `${scope.store_id}\n${scope.livemode}\n${scope.key_kind}\n${operation}\n${key}`;
    const other = running.get(name);
    if (other !== undefined)
      return refuse(other === fingerprint ? "in_progress" : "different_body");
    running.set(name, fingerprint);
    try {
      return await create(ctx, call, route, scope, fingerprint, body);
    } finally {
      running.delete(name);
    }
  };
}

async function create(
  ctx: HttpContext,
  call: Call,
  route: Route,
  scope: KeyScope,
  fingerprint: string,
  body: unknown,
): Promise<WireReply> {
  const now = ctx.now();
  const parsed = parse(CheckoutRequest, body);
  const wanted = parsed.ok ? (parsed.value as CheckoutBody) : null;
  const product_ids = [...new Set(wanted?.items.map((item) => item.product_id))];
  const { key, cart } = await ctx.storage.checkout.openCheckout({
    fingerprint,
    product_ids: ctx.catalog.cartProducts ? [] : product_ids,
    coupon_code: wanted?.coupon_code === undefined ? null : normalizeCode(wanted.coupon_code),
    now,
    ...scope,
  });
  if (key.outcome === "replay") return replay(ctx, call, route, key);
  if (key.outcome !== "free") return refuse(key.outcome);
  if (!parsed.ok || !wanted)
    return parsed.ok ? fail("invalid_json") : fail(parsed.code, parsed.details);

  const products = (await ctx.catalog.cartProducts?.(scope, product_ids)) ?? cart.products;
  const session = draftSession(ctx, callerOf(call), wanted, { ...cart, products }, now);
  const { build } = ctx.checkoutUrls;
  if (!build) return store(ctx, call, route, scope, fingerprint, session, null);

  const lock_token = base64url(ctx.randomBytes(16));
  const claim = await ctx.storage.checkout.claimKey(scope, {
    fingerprint,
    lock_token,
    session_id: session.id,
    now,
    locked_until: now + leaseMs,
  });
  if (claim.outcome === "replay") return replay(ctx, call, route, claim);
  if (claim.outcome !== "claimed") return refuse(claim.outcome);
  try {
    const own = { ...session, id: claim.session_id };
    const checkout_url = await buildOutside(build, own);
    return await store(ctx, call, route, scope, fingerprint, { ...own, checkout_url }, lock_token);
  } catch (error) {
    await ctx.storage.checkout
      .releaseKey(scope, lock_token)
      .catch((cause: unknown) => ctx.onError(cause, "idempotency"));
    throw error;
  }
}

async function store(
  ctx: HttpContext,
  call: Call,
  route: Route,
  scope: KeyScope,
  fingerprint: string,
  session: SessionRecord,
  lock_token: string | null,
): Promise<WireReply> {
  const data = JSON.stringify(renderSession(session, "{checkout_url}", session.created_at));
  const reply: StoredReply = {
    status: route.reply.status,
    body: envelope({ data, page: null }, call.livemode, call.request_id),
    request_id: call.request_id,
    session_id: session.id,
    fingerprint,
    created_at: session.created_at,
  };
  const result = await ctx.storage.checkout.createSession(scope, { session, reply, lock_token });
  if (result.outcome === "replay") return replay(ctx, call, route, result);
  if (result.outcome !== "created") return refuse(result.outcome);
  return {
    status: reply.status,
    headers: baseHeaders(call, route),
    body: await fillAddress(ctx, reply, session),
  };
}

async function replay(
  ctx: HttpContext,
  call: Call,
  route: Route,
  state: Extract<KeyState, { outcome: "replay" }>,
): Promise<WireReply> {
  const headers = {
    ...baseHeaders(call, route),
    "idempotent-replayed": "true",
    "original-request-id": state.reply.request_id,
  };
  return {
    status: state.reply.status,
    headers,
    body: await fillAddress(ctx, state.reply, state.session),
  };
}

async function fillAddress(
  ctx: HttpContext,
  reply: StoredReply,
  session: SessionRecord,
): Promise<string> {
  const address = await ctx.checkoutUrls.address(session);
  return reply.body.replace(placeholder, () => `"checkout_url":${JSON.stringify(address)}`);
}

function refuse(state: "in_progress" | "different_body"): never {
  return state === "in_progress"
    ? fail("request_in_progress", { retry_after: 1 })
    : fail("idempotency_key_reuse");
}

/** 1..255 visible ASCII characters; an RFC 8941 quoted string is unquoted. */
function readKey(call: Call): string {
  const raw = call.request.header("idempotency-key")?.trim() ?? "";
  if (raw === "") fail("missing_idempotency_key");
  const quoted = raw.length >= 2 && raw.startsWith('"') && raw.endsWith('"');
  const key = quoted ? raw.slice(1, -1).replace(/\\(["\\])/g, "$1") : raw;
  if (key === "") fail("missing_idempotency_key");
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) fail("invalid_idempotency_key");
  return key;
}

/** The host's builder, outside any transaction. What goes wrong in it is 503: the claim becomes free and keeps its session id. */
async function buildOutside(
  build: (session: ExternalSession) => string | Promise<string>,
  session: SessionRecord,
): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error("checkout.url took longer than 25 s.")),
      builderTimeoutMs,
    );
  });
  try {
    const address = await Promise.race([build(externalSession(session)), late]);
    if (
      typeof address === "string" &&
      address.length <= 2_048 &&
      /^(https:\/\/|http:\/\/localhost[:/])/.test(address) &&
      parseUrl(address) !== null
    )
      return address;
    throw new Error("checkout.url must give an https address (or http://localhost).");
  } catch (cause) {
    return fail("service_unavailable", { retry_after: 1, cause });
  } finally {
    clearTimeout(timer);
  }
}

const externalSession = (session: SessionRecord): ExternalSession => ({
  id: session.id,
  store_id: session.store_id,
  livemode: session.livemode,
  amount_total: session.amount_total,
  currency: session.currency,
  line_items: session.lines.map(({ name, quantity, unit_amount, amount_total }) => ({
    name,
    quantity,
    unit_amount,
    amount_total,
  })),
  customer: { email: session.email, discord_id: session.discord_id },
  success_url: session.success_url,
  cancel_url: session.cancel_url,
  metadata: session.metadata,
  expires_at: iso(session.expires_at),
});
