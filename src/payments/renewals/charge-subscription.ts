import type { SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import { callBeginsBy } from "../../rules/payments/payment-schedule.ts";
import type { RenewalCharge, RenewalCharged } from "../../rules/subscriptions/renewal-charge.ts";
import {
  chargeDueAt,
  noticeDueAt,
  renewalWorkAt,
} from "../../rules/subscriptions/subscription-record.ts";
import { chargeRenewal } from "../../steps/subscription-steps.ts";
import { writeAnswer } from "../charge.ts";
import { eventIds, type PaymentContext, tellStep } from "../context.ts";
import { findGateway } from "../gateway/find-gateway.ts";
import { chargeSaved, storePlan } from "./charge-saved.ts";
import { forgetDue } from "./forget-saved.ts";

/** Does for a subscription what is due: a saved method is forgotten, a period charged. */
export async function renewSubscription(
  ctx: PaymentContext,
  counts: { renewals_charged: number; subscriptions_ended: number },
  subscription: SubscriptionRecord,
): Promise<void> {
  const { now: read } = await ctx.clock.of(subscription);
  // What was claimed is due, though a test clock may have been turned since this process read it.
  const now = Math.max(read, renewalWorkAt(subscription) ?? read);
  if (subscription.forget && subscription.forget.at <= now) await forgetDue(ctx, subscription);

  const isDue = [chargeDueAt(subscription), noticeDueAt(subscription)].some(
    (time) => time !== null && time <= now,
  );
  if (isDue) await chargeSubscription(ctx, counts, subscription);
}

/**
 * Charges the next period of a subscription, or plans the charge, tells of it, or ends what nobody
 * pays. A process that dies after the step has written the attempt leaves it to the
 * look-ups of payments, which send the same charge again under the same id.
 */
async function chargeSubscription(
  ctx: PaymentContext,
  counts: { renewals_charged: number; subscriptions_ended: number },
  subscription: SubscriptionRecord,
): Promise<void> {
  const { store_id, livemode, id, current_period_end } = subscription;
  const partition = { store_id, livemode };
  const command = {
    ...partition,
    subscription_id: id,
    period_start: current_period_end,
    plan: await storePlan(ctx, store_id),
    can_charge: canCharge(ctx, subscription),
  };

  const begun = await beginCharge(ctx, command);
  if (begun.outcome === "ended") counts.subscriptions_ended += 1;
  if (writesEvents.has(begun.outcome)) ctx.committed(partition);
  if (begun.outcome !== "charging") return;

  counts.renewals_charged += 1;
  const { order, attempt } = begun;
  tellStep(ctx, attempt, { outcome: "pending", order, gateway: attempt.gateway });
  // A process that slept in between must not charge: maintenance may have asked about the attempt.
  const isLate = ctx.now() > callBeginsBy(attempt);
  const answer = isLate ? "lost" : await chargeSaved(ctx, begun);
  const charged = await writeAnswer(ctx, attempt, answer);
  // The day of the next try is planned now, so that nobody reads a time that is over.
  if (charged?.attempt.state === "failed") await beginCharge(ctx, command);
}

const writesEvents: ReadonlySet<string> = new Set(["ended", "charging", "announced"]);

/** Tells the host of a gateway that is gone, or that charges no saved method any more. */
function canCharge(ctx: PaymentContext, { id, livemode, renewal }: SubscriptionRecord): boolean {
  const name = renewal?.saved.gateway ?? "";
  if (findGateway(ctx, name, livemode)?.chargeSaved) return true;

  const error = `Gateway ${name} is not configured, or charges no saved method: ${id} waits.`;
  ctx.onError(new Error(error), "maintenance");
  return false;
}

const beginCharge = (
  ctx: PaymentContext,
  command: Omit<RenewalCharge, "attempt_id" | "ids" | "now">,
): Promise<RenewalCharged> =>
  chargeRenewal(ctx.storage.orders, {
    ...command,
    attempt_id: ctx.newId("pay"),
    ids: { ...eventIds(ctx), order: ctx.newId("ord"), items: [ctx.newId("oi")] },
    now: ctx.now(),
  });
