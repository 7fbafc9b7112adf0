import { hourMs } from "../../domain/durations.ts";
import type { SourceAnswer } from "../../rules/orders/order-commands.ts";
import { holderOf } from "../../rules/orders/order-goods.ts";
import { awaitsPayment } from "../../rules/orders/order-states.ts";
import type { AttemptRecord } from "../../rules/payments/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../../rules/records.ts";
import { holdSession } from "../../steps/checkout-steps.ts";
import type { PaymentContext } from "../context.ts";
import { releaseHold } from "./session-holds.ts";
import { askSource, reserveAtSource, type SourceGoods } from "./source-stock.ts";

/** What the host's own catalog says of a submission's goods, and what it keeps for it. */
export interface ReservedGoods {
  readonly answer: SourceAnswer;
  /** True means that pieces are reserved there: the order needs the hold that gives them back. */
  readonly needs_hold: boolean;
  /** Gives back what this call has reserved, when no order has taken it over. */
  release(): Promise<void>;
}

/**
 * Judges and reserves the goods in the host's own catalog, before the order is written.
 * A hold of the session is written first. So maintenance gives the pieces back when this
 * process dies, and when the host's answer or its `release` is lost. The hold ends with
 * the session: no order can be written after that.
 */
export async function reserveSubmission(
  ctx: PaymentContext,
  goods: SourceGoods,
  attempt: PaymentTime,
): Promise<ReservedGoods> {
  const { session, order } = goods;
  const answer = await askSource(ctx, session);
  const nothing: ReservedGoods = { answer, needs_hold: false, release: async () => {} };
  if (!ctx.source?.reserve || answer.from_source !== "available") return nothing;

  const kept: ReservedGoods = { ...nothing, needs_hold: true };
  const { now } = await ctx.clock.of(session);
  const isOver = session.status !== "open" || now >= session.expires_at;
  if (isOver) return kept;

  const release = holderOf(order, session) === "order" ? null : await takeHold(ctx, goods);
  // The step that writes the submission says what has refused the hold.
  if (release === "refused") return kept;

  const giveBack = release ?? kept.release;
  try {
    const isReserved = await reserveAtSource(ctx, goods, keptUntil(session, attempt));
    const said = isReserved ? answer : { from_source: "insufficient_stock" as const };
    return { answer: said, needs_hold: true, release: giveBack };
  } catch (error) {
    await giveBack();
    throw error;
  }
}

/** The order waits for its payment until then, in epoch milliseconds. */
type PaymentTime = Pick<AttemptRecord, "expires_at">;

/** Maintenance ends orders and holds by then, even where it stood still for a while. */
const settledWithinMs = hourMs;

/**
 * Says until when the host's catalog keeps the pieces: past the time of session and
 * payment, because a catalog that frees them earlier would sell them twice.
 */
const keptUntil = (session: SessionRecord, attempt: PaymentTime): number =>
  Math.max(session.expires_at, attempt.expires_at) + settledWithinMs;

/**
 * Has the host's catalog keep the pieces for as long as the gateway says that the
 * payment may take. A failure is only reported: the confirmation asks once more.
 */
export async function keepForPayment(
  ctx: PaymentContext,
  goods: SourceGoods & { readonly order: OrderRecord },
  times: { readonly asked: PaymentTime; readonly now: PaymentTime },
): Promise<void> {
  const isWaiting = awaitsPayment(goods.order.status);
  if (!ctx.source?.reserve || !isWaiting || times.now.expires_at <= times.asked.expires_at) return;
  try {
    await reserveAtSource(ctx, goods, keptUntil(goods.session, times.now));
  } catch (error) {
    ctx.onError(error, "catalog");
  }
}

/**
 * Writes the hold, and gives the call that ends it. That call leaves a hold of the
 * host's own code alone, and one that a submission at the same time has taken over.
 */
async function takeHold(
  ctx: PaymentContext,
  { session }: SourceGoods,
): Promise<ReservedGoods["release"] | "refused"> {
  const { store_id, livemode, id: session_id } = session;
  const token = ctx.newId("req");
  const held = await holdSession(ctx.storage.orders, {
    store_id,
    livemode,
    session_id,
    until: session.expires_at,
    token,
    address: null,
    from_source: "available",
    new_customer_id: ctx.newId("cus"),
    now: ctx.now(),
    for_submission: true,
  });
  if (held.outcome !== "held") return "refused";

  return async () => {
    await releaseHold(ctx, { store_id, livemode, session_id, token, ended_by: null });
  };
}
