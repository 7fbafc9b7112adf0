import type {
  AttemptRecord,
  DisputeRecord,
  PaymentRecord,
  RefundRecord,
} from "./payment-records.ts";

// Rows that an older version wrote lack fields of these records. Each function reads such a row as
// this version would have written it.

interface OldAttempt {
  readonly redirect_url?: string | null;
}

export function readAttempt(json: string): AttemptRecord {
  const stored: AttemptRecord & OldAttempt = JSON.parse(json);
  const { redirect_url = null, ...attempt } = stored;
  return {
    ...attempt,
    account: attempt.account ?? null,
    payment_reference: attempt.payment_reference ?? null,
    next_action: attempt.next_action ?? asRedirect(redirect_url),
    received_amount: attempt.received_amount ?? null,
    received_currency: attempt.received_currency ?? null,
    asked: attempt.asked ?? 0,
    method_type: attempt.method_type ?? null,
    call_ends_at: attempt.call_ends_at ?? attempt.created_at,
  };
}

const asRedirect = (url: string | null): AttemptRecord["next_action"] =>
  url === null ? null : { type: "redirect", url };

interface OldPayment {
  readonly sent_back?: PaymentRecord["sent_back"];
}

export function readPayment(json: string): PaymentRecord {
  const stored: PaymentRecord & OldPayment = JSON.parse(json);
  const { state, amount, sent_back } = stored;
  const whole = { reference: null, amount, state: "succeeded" } as const;
  return { ...stored, sent_back: sent_back ?? (state === "returned" ? [whole] : []) };
}

type OldRefund = Omit<RefundRecord, "state"> & {
  readonly state: RefundRecord["state"] | "reserved";
};

export function readRefund(json: string): RefundRecord {
  const stored: OldRefund = JSON.parse(json);
  return {
    ...stored,
    attempt_id: stored.attempt_id ?? null,
    state: stored.state === "reserved" ? "pending" : stored.state,
    moved: stored.moved ?? (stored.gateway === null ? "by_host" : "by_gateway"),
    account: stored.account ?? null,
    attempt_reference: stored.attempt_reference ?? stored.payment_reference,
    provider_reference: stored.provider_reference ?? null,
    failure_reason: stored.failure_reason ?? null,
    key_attempt: stored.key_attempt ?? 0,
    acknowledged: stored.acknowledged ?? stored.state === "succeeded",
    asks_first: stored.asks_first ?? false,
    requested_at: stored.requested_at ?? (stored.state === "reserved" ? stored.created_at : null),
    succeeded_at: stored.succeeded_at ?? (stored.state === "succeeded" ? stored.updated_at : null),
  };
}

export function readDispute(json: string): DisputeRecord {
  const stored: DisputeRecord = JSON.parse(json);
  return {
    ...stored,
    payment_reference: stored.payment_reference ?? null,
    notified: stored.notified ?? false,
  };
}
