import type {
  DisputeClosedFact,
  DisputeOpenedFact,
} from "#core/payments/gateway/gateway-results.ts";
import { fromStripeAmount } from "./amounts.ts";
import type { StripeDispute, StripeIntent } from "./objects.ts";

/** What became of a dispute. */
export type DisputeFact = DisputeOpenedFact | DisputeClosedFact;

type DisputeFacts = readonly (readonly [name: string, fact: DisputeFact])[];

/** Gives the id of an intent, whether Stripe has expanded it or not. */
export const idOf = (intent: string | StripeIntent | null): string =>
  typeof intent === "string" ? intent : (intent?.id ?? "");

/**
 * Gives the facts of a dispute. A closed one tells of its opening too, whose
 * message may have been lost.
 */
export function disputeSteps(dispute: StripeDispute): DisputeFacts {
  const { id, status, amount, currency, reason, evidence_details } = dispute;
  const due_by = evidence_details?.due_by ?? null;
  const money = { reference: id, payment_reference: idOf(dispute.payment_intent) };
  const opened: DisputeOpenedFact = {
    type: "dispute_opened",
    ...money,
    amount: fromStripeAmount(amount, currency),
    reason,
    ...(due_by !== null && { due_by: due_by * 1000 }),
  };

  switch (status) {
    // The dispute has ended, and no money was lost by it.
    case "warning_closed":
    case "charge_refunded":
    case "prevented":
      return [["closed", { type: "dispute_closed", ...money, result: "won", known_only: true }]];
    case "needs_response":
    case "under_review":
    case "appeal_needs_response":
    case "appeal_under_review":
      return [["opened", opened]];
    case "won":
    case "lost":
      return [
        ["opened", opened],
        ["closed", { type: "dispute_closed", ...money, result: status }],
      ];
    // This is an inquiry or a status of a later version of Stripe. The owner gets an alert about
    // it.
    default:
      return [["inquiry", { ...opened, inquiry: true }]];
  }
}
