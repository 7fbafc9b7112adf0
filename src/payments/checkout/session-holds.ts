import { fail } from "../../contract/errors.ts";
import { rateLimitIp } from "../../domain/client-ip.ts";
import { dayMs } from "../../domain/durations.ts";
import { iso } from "../../domain/text/iso.ts";
import { check, checkId } from "../../input/check.ts";
import { invalidOption } from "../../input/option-error.ts";
import type {
  Hold,
  HoldRelease,
  HoldReleased,
  HoldResult,
} from "../../rules/checkout/hold-commands.ts";
import { isEnding } from "../../rules/checkout/session-hold.ts";
import * as steps from "../../steps/checkout-steps.ts";
import type { PaymentContext } from "../context.ts";
import { HoldInput } from "../inputs.ts";
import type { CheckoutHold } from "./checkout-service.ts";
import { askSource, releaseAtSource, reserveAtSource, type SourceGoods } from "./source-stock.ts";

export const maxHoldMs = dayMs;
/** After this time a client whose address has too many open holds may try again. */
const retryAfterSeconds = 60;

/** Does `checkout.hold`: the host's own code holds the goods of a session. */
export async function holdCheckout(
  ctx: PaymentContext,
  session_id: string,
  input: HoldInput,
): Promise<CheckoutHold> {
  const { until: untilText, ip, ...partition } = check(HoldInput, input);
  const id = checkId("session_id", session_id);

  const until = Date.parse(untilText);
  const { now } = await ctx.clock.of(partition);
  if (until <= now || until > now + maxHoldMs)
    return fail("parameter_invalid", {
      param: "until",
      message: "until must be in the future, and at most 24 hours ahead.",
    });

  const address = ip == null ? null : rateLimitIp(ip);
  await holdGoods(ctx, { ...partition, session_id: id, until, address, token: ctx.newId("req") });
  return { session_id: id, until: iso(until) };
}

/** A hold that is asked for; the step's own fields join it. */
export type WantedHold = Omit<
  Hold,
  "new_customer_id" | "now" | "from_source" | "for_submission" | "prolongs"
>;

/** Holds goods for the HTTP API. */
export interface SessionHolds {
  take(hold: WantedHold): Promise<void>;
  release(release: HoldRelease): Promise<void>;
}

export const createSessionHolds = (ctx: PaymentContext): SessionHolds => ({
  take: (hold) => holdGoods(ctx, hold),
  release: async (release) => {
    await releaseHold(ctx, release);
  },
});

/**
 * Takes the goods, or moves the end of the hold. A new hold is written here before
 * the host's catalog is asked. So maintenance finds it after a crash and gives the
 * goods back on both sides. A standing hold is moved there first: when that fails, it
 * stays as it was until its old time.
 */
export async function holdGoods(ctx: PaymentContext, wanted: WantedHold): Promise<void> {
  if (ctx.source && !ctx.source.reserve)
    invalidOption("catalog", "must have reserve, confirm and release to hold goods");

  for (let tries = 0; tries < maxTries; tries += 1) {
    const found = await ctx.storage.orders.findCheckout(wanted, wanted.session_id);
    if (!found) return fail("resource_not_found");
    if ((await holdOnce(ctx, wanted, found)) === "held") return;
  }
  return fail("service_unavailable", { retry_after: 1 });
}

/** Calls that move one hold at the same time make one another look again, but not for ever. */
const maxTries = 5;

async function holdOnce(
  ctx: PaymentContext,
  wanted: WantedHold,
  found: SourceGoods,
): Promise<"held" | "hold_changed"> {
  const known = found.session.hold ?? null;
  const { now } = await ctx.clock.of(wanted);
  if (known && now < found.session.expires_at) await reserveOrFail(ctx, found, wanted);

  const held = await steps.holdSession(ctx.storage.orders, {
    ...wanted,
    ...(await askSource(ctx, found.session)),
    ...(ctx.source ? { prolongs: known?.token ?? null } : {}),
    new_customer_id: ctx.newId("cus"),
    now: ctx.now(),
  });
  if (held.outcome === "hold_changed") return held.outcome;
  if (held.outcome !== "held") return refuseHold(held.outcome);

  ctx.committed(wanted);
  if (known) return "held";

  try {
    await reserveOrFail(ctx, { ...found, session: held.session }, wanted);
  } catch (error) {
    const { store_id, livemode, session_id, token } = wanted;
    await releaseHold(ctx, { store_id, livemode, session_id, token, ended_by: null });
    throw error;
  }
  return "held";
}

async function reserveOrFail(
  ctx: PaymentContext,
  goods: SourceGoods,
  { until }: WantedHold,
): Promise<void> {
  if (isEnding(goods.session.hold, ctx.now())) refuseHold("hold_ending");
  if (!(await reserveAtSource(ctx, goods, until))) fail("insufficient_stock");
}

type HoldRefusal = Exclude<HoldResult["outcome"], "held" | "hold_changed">;

function refuseHold(outcome: HoldRefusal): never {
  switch (outcome) {
    case "unknown_session":
      return fail("resource_not_found");
    case "payment_started":
      return fail("invalid_transition", {
        message: "A payment of this session is under way: its order holds the goods.",
      });
    case "too_many_holds":
      return fail("rate_limit_exceeded", {
        retry_after: retryAfterSeconds,
        message: "This address has too many open holds.",
      });
    case "hold_ending":
      return fail("service_unavailable", { retry_after: 1 });
    default:
      return fail(outcome);
  }
}

/** The host's catalog has this long to give the goods of a hold back. */
const releaseMs = 30_000;

/**
 * Gives back what a session holds: first in the host's own catalog. When that fails,
 * the hold stays until maintenance gives it back.
 */
export async function releaseHold(
  ctx: PaymentContext,
  release: HoldRelease,
): Promise<HoldReleased["outcome"]> {
  const { orders } = ctx.storage;
  try {
    if (ctx.source) {
      const releasing_until = ctx.now() + releaseMs;
      const { outcome } = await steps.releaseHold(orders, { ...release, releasing_until });
      if (outcome !== "releasing") return outcome;

      const found = await orders.findCheckout(release, release.session_id);
      if (found) await releaseAtSource(ctx, found);
    }

    const { outcome } = await steps.releaseHold(orders, release);
    if (outcome === "released") ctx.committed(release);
    return outcome;
  } catch (error) {
    ctx.onError(error, "catalog");
    return "unchanged";
  }
}
