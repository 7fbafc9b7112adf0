import type { FailureCode } from "../contract/schemas.ts";
import type { AttemptRecord } from "./payment-records.ts";
import type { OrderRecord } from "./records.ts";

/** Stands as the gateway of a payment that the host's own code took. */
export const hostGateway = "host";

/** A payment that the host's own code took. Its result is known: no gateway is asked about it. */
export const hostAttempt = (
  order: OrderRecord,
  payment: Pick<AttemptRecord, "id" | "reference"> & {
    /** Null: it succeeded. */
    readonly failure_code: FailureCode | null;
    readonly now: number;
  },
): AttemptRecord => ({
  store_id: order.store_id,
  livemode: order.livemode,
  id: payment.id,
  order_id: order.id,
  session_id: order.session_id,
  gateway: hostGateway,
  account: null,
  method_id: null,
  state: payment.failure_code === null ? "succeeded" : "failed",
  reference: payment.reference,
  payment_reference: null,
  next_action: null,
  amount: order.amount_total,
  currency: order.currency,
  received_amount: payment.failure_code === null ? order.amount_total : null,
  received_currency: payment.failure_code === null ? order.currency : null,
  failure_code: payment.failure_code,
  idempotency_key: null,
  expires_at: payment.now,
  check_at: null,
  asked: 0,
  created_at: payment.now,
  updated_at: payment.now,
});

export const isInFlight = (attempt: AttemptRecord): boolean => attempt.state === "in_flight";

/** True when another payment of the order runs: then a failed one does not fail the order. */
export const hasOtherInFlight = (
  attempts: readonly AttemptRecord[],
  failed: AttemptRecord,
): boolean => attempts.some((attempt) => attempt.id !== failed.id && isInFlight(attempt));
