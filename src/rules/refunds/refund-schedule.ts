import { dayMs, hourMs, minuteMs } from "../../domain/durations.ts";
import type { RefundRecord } from "../payments/payment-records.ts";

/**
 * A creation may be repeated under its key for this long, counted from the first
 * time. Providers forget a key after 24 hours: the same creation would then move
 * the money a second time.
 */
const keyLifetimeMs = 23 * hourMs;

/** How far a refund has come: that of an order, or that of a duplicate. */
type SentRefund = Pick<RefundRecord, "requested_at" | "acknowledged" | "created_at">;

/** A try that has no result after this time is handed to the owner. */
const patienceMs = 14 * dayMs;

/** The first question about a refund comes this long after its creation. */
export const firstRefundCheckMs = minuteMs;

/** Gives the time of the last try of a refund. */
export const triedSince = ({
  requested_at,
  created_at,
}: Pick<RefundRecord, "requested_at" | "created_at">): number => requested_at ?? created_at;

/** The wait grows with the age of the try: it is at least a minute and at most a day. */
export const nextRefundCheck = (since: number, now: number): number =>
  now + Math.min(dayMs, Math.max(minuteMs, now - since));

/** Gives the idempotency key that the provider gets. A definite refusal uses a key up. */
export const refundKey = ({ id, key_attempt }: Pick<RefundRecord, "id" | "key_attempt">): string =>
  key_attempt === 0 ? id : `${id}.${key_attempt}`;

/**
 * What maintenance does about a refund without a result: it sends the creation, asks about it,
 * waits for the provider's message, or gives up and tells the owner.
 */
export type RefundAction = "send" | "ask" | "wait" | "give_up";

export function nextRefundAction(
  refund: SentRefund,
  now: number,
  canAsk: boolean,
  since: number = triedSince(refund),
): RefundAction {
  if (refund.requested_at === null && !refund.acknowledged) return "send";
  if (now - since >= patienceMs) return "give_up";
  if (canAsk) return "ask";
  if (!isKeyAlive(refund, now)) return "give_up";
  return refund.acknowledged ? "wait" : "send";
}

/**
 * Tells what follows when the provider knows no such refund. One that it has
 * acknowledged cannot be unknown to it, so that answer says nothing. Else the
 * creation was lost: it is sent again while its key lives, and has failed
 * afterwards.
 */
export function actionForUnknownRefund(
  refund: SentRefund,
  now: number,
): "send" | "wait" | "failed" {
  if (refund.acknowledged) return "wait";
  return isKeyAlive(refund, now) ? "send" : "failed";
}

const isKeyAlive = (refund: SentRefund, now: number): boolean =>
  now - triedSince(refund) < keyLifetimeMs;
