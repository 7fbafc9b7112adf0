import type { FailureCode } from "../../contract/schemas.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { OrderRecord } from "../records.ts";
import type { AttemptRecord } from "./payment-records.ts";
import { callEndsAt } from "./payment-schedule.ts";

/** Stands as the gateway of a payment that the host's own code took. */
export const hostGateway = "host";

/**
 * Makes the attempt of a payment that the host's own code took. Its result is
 * known: no gateway is asked about it.
 */
export const hostAttempt = (
  order: OrderRecord,
  payment: Pick<AttemptRecord, "id" | "reference"> & {
    /** Null means that it succeeded. */
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
  method_type: null,
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
  call_ends_at: payment.now,
  check_at: null,
  asked: 0,
  created_at: payment.now,
  updated_at: payment.now,
});

type Begun = Pick<
  AttemptRecord,
  | "id"
  | "session_id"
  | "gateway"
  | "account"
  | "method_id"
  | "method_type"
  | "idempotency_key"
  | "expires_at"
  | "consent"
  | "renews"
>;

/** Makes the attempt of a payment that a gateway is to take for the whole order. */
export const begunAttempt = (
  { attempts, offset }: Pick<OrderSnapshot, "attempts" | "offset">,
  order: OrderRecord,
  begun: Begun,
  now: number,
): AttemptRecord => ({
  store_id: order.store_id,
  livemode: order.livemode,
  ...begun,
  order_id: order.id,
  state: "in_flight",
  reference: null,
  payment_reference: null,
  next_action: null,
  amount: order.amount_total,
  currency: order.currency,
  received_amount: null,
  received_currency: null,
  failure_code: null,
  call_ends_at: callEndsAt(now - offset),
  check_at: callEndsAt(now - offset),
  asked: 0,
  created_at: attemptTime(attempts, now),
  updated_at: now,
});

export const isInFlight = (attempt: AttemptRecord): boolean => attempt.state === "in_flight";

/** Tells whether the attempt has no result yet, so that its money may still come. */
export const isOpen = ({ state }: AttemptRecord): boolean =>
  state === "in_flight" || state === "unknown";

/**
 * Gives the attempt that tells how the order's payment stands: the one in flight,
 * else the newest.
 */
export const currentAttempt = (attempts: readonly AttemptRecord[]): AttemptRecord | null =>
  attempts.find(isInFlight) ?? attempts.at(-1) ?? null;

/**
 * Gives the time of a new attempt. It is later than that of every attempt before,
 * whatever the clock of the machine says: storages sort the attempts of an order by
 * it.
 */
export const attemptTime = (attempts: readonly AttemptRecord[], now: number): number =>
  Math.max(now, ...attempts.map(({ created_at }) => created_at + 1));

/** Tells whether another payment of the order runs: then a failed one does not fail the order. */
export const hasOtherInFlight = (
  attempts: readonly AttemptRecord[],
  failed: AttemptRecord,
): boolean => attempts.some((attempt) => attempt.id !== failed.id && isInFlight(attempt));

/**
 * Gives the attempts in flight of an order that is settled without them, as
 * `unknown`. Maintenance has the gateway cancel them now, and asks about them until
 * their results are known.
 */
export const endOthers = (
  attempts: readonly AttemptRecord[],
  settledBy: AttemptRecord | null,
  now: number,
): readonly AttemptRecord[] =>
  attempts
    .filter((attempt) => attempt.id !== settledBy?.id && isInFlight(attempt))
    .map((attempt) => ({
      ...attempt,
      state: "unknown",
      expires_at: Math.min(attempt.expires_at, now),
      check_at: now,
      updated_at: now,
    }));

/** The most failed attempts that a session takes: more are a thief who tries cards. */
export const maxFailedAttempts = 10;

/**
 * Tells whether so many attempts have failed that no further one may begin. Those that
 * somebody canceled, that ran out of time or that a newer one replaced were not refused.
 */
export const hasFailedTooOften = (attempts: readonly AttemptRecord[]): boolean =>
  attempts.filter(isRefused).length >= maxFailedAttempts;

const isRefused = ({ state, failure_code }: AttemptRecord): boolean =>
  state === "failed" &&
  failure_code !== "canceled" &&
  failure_code !== "expired" &&
  failure_code !== "replaced";
