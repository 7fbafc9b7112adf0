import { fail } from "../contract/errors.ts";
import { rateLimitIp } from "../domain/client-ip.ts";
import { check, checkId } from "../input/check.ts";
import type { Hold, HoldRelease, HoldReleased, HoldResult } from "../rules/hold-commands.ts";
import type { SessionRecord } from "../rules/records.ts";
import { iso } from "../rules/render.ts";
import * as steps from "../steps/checkout-steps.ts";
import type { CheckoutHold } from "./checkout-service.ts";
import type { PaymentContext } from "./context.ts";
import { HoldInput } from "./inputs.ts";
import { askSource, releaseAtSource, reserveAtSource } from "./source-stock.ts";

const maxHoldMs = 86_400_000;
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
  const now = ctx.now();
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
export type WantedHold = Omit<Hold, "new_customer_id" | "now" | "from_source">;

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
 * Takes the goods, or moves the end of the hold. The hold is written here before
 * the host's catalog is asked. So maintenance finds it after a crash and gives the
 * goods back on both sides.
 */
export async function holdGoods(ctx: PaymentContext, wanted: WantedHold): Promise<void> {
  if (ctx.source && !ctx.source.reserve)
    fail("invalid_option", {
      param: "catalog",
      message: "Option catalog must have reserve, confirm and release to hold goods.",
    });

  const { orders } = ctx.storage;
  const found = await orders.findCheckout(wanted, wanted.session_id);
  if (!found) return fail("resource_not_found");

  const held = await steps.holdSession(orders, {
    ...wanted,
    ...(await askSource(ctx, found.session)),
    new_customer_id: ctx.newId("cus"),
    now: ctx.now(),
  });
  if (held.outcome !== "held") return refuseHold(held.outcome);

  ctx.committed(wanted);
  const { store_id, livemode, session_id, token } = wanted;
  const release = { store_id, livemode, session_id, token, ended_by: null };
  const giveBack = async (): Promise<void> => {
    await releaseHold(ctx, release);
  };

  const goods = { session: held.session, order: found.order };
  const isReserved = await reserveAtSource(ctx, goods, wanted.until).catch(
    async (error: unknown) => {
      await giveBack();
      throw error;
    },
  );
  if (isReserved) return;

  await giveBack();
  fail("insufficient_stock");
}

type HoldRefusal = Exclude<HoldResult["outcome"], "held">;

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
    default:
      return fail(outcome);
  }
}

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
    const found = ctx.source && (await orders.findCheckout(release, release.session_id));
    if (found && isMeant(found.session, release)) await releaseAtSource(ctx, found);

    const { outcome } = await steps.releaseHold(orders, release);
    if (outcome === "released") ctx.committed(release);
    return outcome;
  } catch (error) {
    ctx.onError(error, "catalog");
    return "unchanged";
  }
}

const isMeant = ({ hold }: SessionRecord, { token, ended_by }: HoldRelease): boolean =>
  hold != null &&
  (token === null || hold.token === token) &&
  (ended_by === null || hold.until <= ended_by);
