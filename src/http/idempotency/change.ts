import { fail } from "../../contract/errors.ts";
import { CheckoutChange } from "../../contract/request-bodies.ts";
import { validate } from "../../input/check.ts";
import { modeTime } from "../../operations/caller.ts";
import {
  maxChangeTries,
  updateCheckoutSession,
  wantedGoods,
} from "../../operations/update-session.ts";
import { renderSession } from "../../rules/catalog/render.ts";
import type { StoredReply } from "../../rules/checkout/checkout-records.ts";
import { refuseChange, type SessionChangeResult } from "../../rules/checkout/session-change.ts";
import type { SessionRecord } from "../../rules/records.ts";
import { changeSession } from "../../steps/checkout-steps.ts";
import { baseHeaders, envelope } from "../replies/reply.ts";
import { readParams } from "../route-input.ts";
import type { WireReply } from "../wire.ts";
import {
  type Attempt,
  addressIn,
  cartOf,
  fillAddress,
  noGoods,
  openAttempt,
  refuse,
  replay,
} from "./attempt.ts";

/**
 * Answers a known key with its reply, and changes the session under a new one. The change
 * is priced outside the lock, and written only over the version that it was priced for.
 */
export async function runChange(attempt: Attempt, body: unknown): Promise<WireReply> {
  const { id = "" } = readParams(attempt.state);
  for (let tries = 0; tries < maxChangeTries; tries += 1) {
    const reply = await tryChange(attempt, id, body);
    if (reply) return reply;
  }
  return fail("session_changed");
}

/** Gives null when another change came first. */
async function tryChange(attempt: Attempt, id: string, body: unknown): Promise<WireReply | null> {
  const { ctx, scope, now } = attempt;
  const read = validate(CheckoutChange, body);
  const found = await ctx.storage.checkout.findSession(scope, id);

  const changesGoods = read.ok && (read.value.items ?? read.value.coupon_code) !== undefined;
  const goods = found && changesGoods ? wantedGoods(found.session, read.value) : null;
  const { key, cart, caller } = await openAttempt(attempt, goods ? cartOf(ctx, goods) : noGoods);
  if (key.outcome === "replay") return replay(attempt, key);
  if (key.outcome !== "free") return refuse(attempt, key);
  if (!read.ok) throw read.error;
  if (!found) return fail("resource_not_found");

  const { session } = found;
  const time = modeTime(caller, now);
  const from_source = ctx.catalog.cartProducts !== undefined;
  const refusal = refuseChange(found, session, { now: time, from_source });
  if (refusal) return refuseSession(refusal);
  if (ctx.checkoutUrls.build) return refuseSession("payment_started");
  await addressIn(ctx, session);

  const input = { params: { id }, query: undefined, body: read.value };
  const call = { ctx, caller, input, cart, now: time, session };
  const changed = await updateCheckoutSession(call);
  const reply = replyOf(attempt, changed, time);
  const result = await changeSession(ctx.storage.orders, {
    ...{ store_id: session.store_id, livemode: session.livemode, session_id: id },
    ...{ keyed: { scope, reply }, changed, now, from_source, new_customer_id: ctx.newId("cus") },
  });
  return answer(attempt, result, reply);
}

function replyOf(
  { state, route, fingerprint, now }: Attempt,
  session: SessionRecord,
  time: number,
): StoredReply {
  const data = JSON.stringify(renderSession(session, "{checkout_url}", time));
  return {
    status: route.reply.status,
    body: envelope({ data, page: null }, state.livemode, state.request_id),
    request_id: state.request_id,
    session_id: session.id,
    fingerprint,
    created_at: now,
  };
}

async function answer(
  attempt: Attempt,
  result: SessionChangeResult,
  reply: StoredReply,
): Promise<WireReply | null> {
  const { ctx, state, route } = attempt;
  switch (result.outcome) {
    case "changed": {
      const body = await fillAddress(ctx, reply, result.session);
      return { status: reply.status, headers: baseHeaders(state, route), body };
    }
    case "moved":
      return null;
    case "replay":
      return replay(attempt, result);
    case "in_progress":
    case "different_body":
      return refuse(attempt, result);
    default:
      return refuseSession(result.outcome);
  }
}

type Refusal = Exclude<
  SessionChangeResult["outcome"],
  "changed" | "moved" | "replay" | "in_progress" | "different_body"
>;

function refuseSession(outcome: Refusal): never {
  switch (outcome) {
    case "unknown_session":
      return fail("resource_not_found");
    case "payment_started":
      return fail("session_not_open", {
        message: "A payment of the checkout session has begun: its goods and amounts stay.",
      });
    default:
      return fail(outcome);
  }
}
