import { fail } from "../../contract/errors.ts";
import { CheckoutRequest } from "../../contract/request-bodies.ts";
import type { Route } from "../../contract/route.ts";
import { normalizeCode } from "../../domain/coupon.ts";
import { base64url } from "../../domain/keys/hash.ts";
import { validate } from "../../input/check.ts";
import { type Caller, modeTime } from "../../operations/caller.ts";
import { type CartLine, productIdsOf } from "../../operations/cart.ts";
import { addressOf } from "../../operations/checkout-session.ts";
import { operations } from "../../operations/index.ts";
import { renderSession } from "../../rules/catalog/render.ts";
import { isTokenRevoked } from "../../rules/checkout/buyer.ts";
import type {
  Cart,
  KeyRefusal,
  KeyScope,
  KeyState,
  StoredReply,
  TooManySessions,
} from "../../rules/checkout/checkout-records.ts";
import type { ExternalSession } from "../../rules/checkout/checkout-urls.ts";
import { secondsToNextDay } from "../../rules/checkout/session-day.ts";
import { isIdSpent } from "../../rules/owner/erased-customer.ts";
import type { SessionRecord } from "../../rules/records.ts";
import { sentFor } from "../../rules/request-log/sent-request.ts";
import { claimKey, createSession, releaseKey } from "../../steps/key-steps.ts";
import type { SessionLookup } from "../../storage/checkout-store.ts";
import { buildHostAddress } from "../access/host-address.ts";
import { holdAddress } from "../access/rate-limit.ts";
import type { HttpContext } from "../context.ts";
import { baseHeaders, envelope } from "../replies/reply.ts";
import { callerOf, type RequestState } from "../request-state.ts";
import type { WireReply } from "../wire.ts";

/** One request to create or change a checkout session under its Idempotency-Key. */
export interface Attempt {
  readonly ctx: HttpContext;
  readonly state: RequestState;
  readonly route: Route;
  readonly scope: KeyScope;
  /**
   * Names the operation, the buyer and the body. The same key with another
   * fingerprint is refused.
   */
  readonly fingerprint: string;
  /** The time is in epoch milliseconds. */
  readonly now: number;
}

type BuildAddress = (session: ExternalSession) => string | Promise<string>;
type Replay = Extract<KeyState, { outcome: "replay" }>;

/** A claim keeps the key for this long while the host builds the checkout address. */
const claimMs = 30_000;
/**
 * Stands for the checkout address in a stored reply, so that the storage holds no
 * token. The first one in a body is always ours, because no text of the client's
 * comes before it.
 */
const addressPlaceholder = '"checkout_url":"{checkout_url}"';

/**
 * Answers a known key with its reply and a new one with a new session. The state of
 * the key, the cart and the revocation of the buyer's tokens are read in one query;
 * the key, the session and the reply are written in one transaction.
 */
export async function runAttempt(attempt: Attempt, body: unknown): Promise<WireReply> {
  const { ctx, now } = attempt;
  const read = validate(CheckoutRequest, body);
  const wanted = read.ok ? cartOf(ctx, read.value) : noGoods;
  const { key, cart, caller } = await openAttempt(attempt, wanted);
  if (key.outcome === "replay") return replay(attempt, key);
  if (key.outcome !== "free") return refuse(attempt, key);

  // A wrong body is refused only now: under a known key the request is a repetition first.
  if (!read.ok) throw read.error;
  const input = { params: undefined, query: undefined, body: read.value };
  const { draft } = key;
  const call = { ctx, caller, input, cart, now: modeTime(caller, now) };
  const session = draft ?? (await operations.createCheckoutSession(call));

  const { build } = ctx.checkoutUrls;
  return build ? claimAndCommit(attempt, session, build) : commit(attempt, session, null);
}

/** The products and the coupon that a request names. */
type NamedGoods = Pick<SessionLookup, "product_ids" | "coupon_code">;

export const noGoods: NamedGoods = { product_ids: [], coupon_code: null };

/** What a request finds under its key. */
interface OpenedAttempt {
  readonly key: KeyState;
  readonly cart: Cart;
  readonly caller: Caller;
}

/**
 * Reads the key's state with the goods, and judges the buyer's token. The order of a session
 * whose buyer was erased gets a new customer id: its caller has no buyer.
 */
export async function openAttempt(attempt: Attempt, goods: NamedGoods): Promise<OpenedAttempt> {
  const { ctx, state, scope, fingerprint, now } = attempt;
  const { buyer } = state;
  const customer_keys = buyer ? await ctx.customerKeys(scope.store_id, buyer.customer_id) : [];
  const { key, cart, not_before, customer_erased } = await ctx.storage.checkout.openCheckout({
    fingerprint,
    now,
    customer_keys,
    ...goods,
    ...scope,
  });
  if (buyer && isTokenRevoked(buyer.issued_at, not_before)) return fail("invalid_customer_token");

  const isSpent = buyer !== null && isIdSpent(buyer.customer_id, customer_erased);
  const caller = isSpent ? { ...callerOf(state), buyer: null } : callerOf(state);
  return { key, cart, caller };
}

/**
 * Says what is read together with the key. The host's own products are read after
 * it.
 */
export const cartOf = (
  ctx: HttpContext,
  {
    items,
    coupon_code,
  }: {
    readonly items: readonly CartLine[];
    readonly coupon_code?: string | null | undefined;
  },
): NamedGoods => ({
  product_ids: ctx.catalog.cartProducts ? [] : productIdsOf(items),
  coupon_code: coupon_code == null ? null : normalizeCode(coupon_code),
});

/**
 * Claims the key and stores the session before the host builds the address, which
 * happens outside any transaction. Another request cannot take over the key
 * meanwhile, and a later one goes on with the same session.
 */
async function claimAndCommit(
  attempt: Attempt,
  draft: SessionRecord,
  build: BuildAddress,
): Promise<WireReply> {
  const { ctx, scope, fingerprint, now } = attempt;
  const { checkout } = ctx.storage;
  const lock_token = base64url(ctx.randomBytes(16));
  const claim = await claimKey(checkout, scope, {
    fingerprint,
    lock_token,
    session: draft,
    max_per_day: ctx.maxSessionsPerDay,
    now,
    locked_until: now + claimMs,
  });
  if (claim.outcome === "replay") return replay(attempt, claim);
  if (claim.outcome !== "claimed") return refuse(attempt, claim);

  try {
    const { session } = claim;
    const checkout_url = await buildHeldAddress(attempt, session, { build, lock_token });
    return await commit(attempt, { ...session, checkout_url }, lock_token);
  } catch (error) {
    await releaseKey(checkout, scope, lock_token).catch((cause: unknown) =>
      ctx.onError(cause, "idempotency"),
    );
    throw error;
  }
}

interface Builder {
  readonly build: BuildAddress;
  readonly lock_token: string;
}

/** Holds the goods before the host builds the address, where the host wants it so. */
async function buildHeldAddress(
  { ctx, state }: Attempt,
  session: SessionRecord,
  { build, lock_token }: Builder,
): Promise<string> {
  const { holds } = ctx;
  if (!holds) return buildHostAddress(build, session);

  const { store_id, livemode, id: session_id } = session;
  const hold = { store_id, livemode, session_id, token: lock_token };
  await holds.take({ ...hold, until: session.expires_at, address: holdAddress(ctx, state) });
  try {
    return await buildHostAddress(build, session);
  } catch (error) {
    await holds.release({ ...hold, ended_by: null });
    throw error;
  }
}

/**
 * Writes the key, the session and the reply, unless another request has written the
 * key first.
 */
async function commit(
  attempt: Attempt,
  session: SessionRecord,
  lock_token: string | null,
): Promise<WireReply> {
  const { ctx, state, route, scope, fingerprint } = attempt;
  const data = JSON.stringify(renderSession(session, "{checkout_url}", session.created_at));
  const reply: StoredReply = {
    status: route.reply.status,
    body: envelope({ data, page: null }, state.livemode, state.request_id),
    request_id: state.request_id,
    session_id: session.id,
    fingerprint,
    created_at: session.created_at,
  };

  // A claim has counted its session already.
  const max_per_day = lock_token === null ? ctx.maxSessionsPerDay : null;
  const draft = { session, reply, lock_token, max_per_day };
  const result = await createSession(ctx.storage.checkout, scope, draft);
  if (result.outcome === "replay") return replay(attempt, result);
  if (result.outcome !== "created") return refuse(attempt, result);

  const { store_id, livemode } = session;
  ctx.outcomes.session({ outcome: "created", store_id, livemode });

  const headers = baseHeaders(state, route);
  return { status: reply.status, headers, body: await fillAddress(ctx, reply, session) };
}

/** Answers with the stored reply, byte for byte. */
export async function replay(
  { ctx, state, route }: Attempt,
  { reply, session }: Replay,
): Promise<WireReply> {
  state.earlier = { request_id: reply.request_id, sent: null };
  const headers = {
    ...baseHeaders(state, route),
    "idempotent-replayed": "true",
    "original-request-id": reply.request_id,
  };
  return { status: reply.status, headers, body: await fillAddress(ctx, reply, session) };
}

export async function fillAddress(
  ctx: HttpContext,
  reply: StoredReply,
  session: SessionRecord,
): Promise<string> {
  const address = JSON.stringify(await addressIn(ctx, session));
  // A function gives the text, because `$` has a meaning of its own in a
  // replacement text.
  return reply.body.replace(addressPlaceholder, () => `"checkout_url":${address}`);
}

/** Gives the address of a session. Throws `session_not_open` when its seal key is gone. */
export const addressIn = async (ctx: HttpContext, session: SessionRecord): Promise<string> =>
  (await addressOf(ctx, session)) ??
  fail("session_not_open", {
    message:
      "The checkout session's address cannot be made any more, because the key that sealed it is" +
      " gone. Create a new session.",
  });

export function refuse(
  { state, now }: Attempt,
  refusal: Exclude<KeyRefusal, Replay> | TooManySessions,
): never {
  if (refusal.outcome === "too_many_sessions")
    return fail("rate_limit_exceeded", { retry_after: secondsToNextDay(now) });

  if (refusal.outcome === "different_body") {
    const { request_id, known_session } = refusal;
    state.earlier = { request_id, sent: known_session && sentFor(known_session) };
  }
  return refuseKey(refusal.outcome);
}

/** Refuses a key that is in use, or was used with another body. */
export function refuseKey(outcome: "in_progress" | "different_body"): never {
  return outcome === "in_progress"
    ? fail("request_in_progress", { retry_after: 1 })
    : fail("idempotency_key_reuse");
}
