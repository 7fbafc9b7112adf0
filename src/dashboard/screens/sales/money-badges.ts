import { type Html, html } from "../../../contract/html.ts";
import type { Subscription } from "../../../contract/schemas.ts";
import type { OwnerPayment } from "../../../owner/sales/payments.ts";
import { disputeReason } from "../../../rules/disputes/dispute-reasons.ts";
import type { DisputeStatus } from "../../../rules/owner/list-records.ts";
import { declineReason } from "../../../rules/payments/decline-reasons.ts";
import type { Refund } from "../../../rules/refunds/render-refund.ts";
import { badge, type Tone } from "../../frame/elements.ts";
import type { StoreVisit } from "../../screen.ts";

const attemptTones: Readonly<Record<OwnerPayment["status"], Tone>> = {
  in_flight: "warn",
  unknown: "bad",
  succeeded: "good",
  failed: "plain",
  duplicate: "warn",
  returned: "plain",
};

export const attemptBadge = ({ language }: StoreVisit, status: OwnerPayment["status"]): Html =>
  badge(attemptTones[status], language.say(`attempt_${status}`));

const refundTones = { pending: "warn", succeeded: "good", failed: "bad" } as const;

/** Says how a refund stands, and why it was made. */
export const refundTexts = ({ language }: StoreVisit, { status, reason }: Refund) => ({
  state: badge(refundTones[status], language.say(`refund_${status}`)),
  reason,
});

const disputeTones = { open: "bad", won: "good", lost: "plain" } as const;

export const disputeBadge = ({ language }: StoreVisit, status: DisputeStatus): Html =>
  badge(disputeTones[status], language.say(`dispute_${status}`));

const subscriptionTones = {
  trialing: "plain",
  active: "good",
  past_due: "warn",
  canceled: "plain",
} as const;

export const subscriptionBadge = ({ language }: StoreVisit, status: Subscription["status"]): Html =>
  badge(subscriptionTones[status], language.say(`subscription_${status}`));

/** Says what a refusal means and what to tell the buyer, with the provider's own code. */
export function declineText({ language: { say } }: StoreVisit, code: string | null): Html | null {
  if (code === null) return null;

  const reason = declineReason(code);
  return reasonText(reason && say(`decline_${reason}`), code);
}

/** Says why a buyer disputes a payment and what answers it, with the provider's own code. */
export function disputeText({ language: { say } }: StoreVisit, code: string | null): Html | null {
  if (code === null) return null;

  const reason = disputeReason(code);
  return reasonText(reason && say(`disputed_${reason}`), code);
}

const reasonText = (sentence: string | null, code: string): Html =>
  html`<small>${sentence === null ? null : `${sentence} `}<code>${code}</code></small>`;
