import type { OrderRecord, Partition } from "../records.ts";

/**
 * An observer is told this when a checkout session was created or paid, or when its
 * order failed.
 */
export interface SessionOutcome {
  readonly outcome: "created" | "paid" | "failed";
  readonly store_id: string;
  readonly livemode: boolean;
}

/**
 * The result of a payment that changed something. `pending` means that the final
 * result is still to come.
 */
export interface PaymentOutcome {
  /** The id of the gateway, or `host` when the host's own code took the payment. */
  readonly gateway: string;
  readonly outcome: "paid" | "failed" | "pending" | "duplicate" | "mismatch";
  readonly store_id: string;
  readonly livemode: boolean;
}

/** The services tell these of what a step changed. None of them may throw. */
export interface Outcomes {
  session(session: SessionOutcome): void;
  payment(payment: PaymentOutcome): void;
}

/** Stands for the gateway in payments that the host's own code took. */
export const takenByHost = "host";

/** What a step on an order gave, and the gateway of the payment that brought it. */
export interface StepOutcome {
  readonly outcome: string;
  readonly order?: OrderRecord | null;
  readonly gateway?: string;
}

/** Tells what a step changed in a session and its payment. Other outcomes are not told. */
export function tellOutcome(
  outcomes: Outcomes,
  { store_id, livemode }: Partition,
  { outcome: given, order, gateway }: StepOutcome,
): void {
  const outcome = paymentOutcomes.find((known) => known === given);
  if (outcome === undefined) return;

  if (order?.session_id && (outcome === "paid" || outcome === "failed"))
    outcomes.session({ outcome, store_id, livemode });
  if (gateway !== undefined) outcomes.payment({ gateway, outcome, store_id, livemode });
}

const paymentOutcomes = ["paid", "failed", "pending", "duplicate", "mismatch"] as const;
