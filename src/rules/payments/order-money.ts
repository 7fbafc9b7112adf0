import { orderAlert } from "../orders/order-alert.ts";
import type { OrderSnapshot } from "../orders/order-snapshot.ts";
import type { AlertRecord, OrderRecord } from "../records.ts";
import type { AttemptRecord, PaymentRecord } from "./payment-records.ts";

// Store, mode, gateway, account and the provider's id identify money. The same
// money counts once, whichever attempt it is reported for.

/**
 * The time that maintenance waits before it sends a duplicate back, in case it is told of too
 * early.
 */
export const returnAfterMs = 600_000;

interface Received {
  /** The provider's id of the money. */
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly now: number;
}

export const hasMoney = ({ state }: AttemptRecord): boolean =>
  state === "succeeded" || state === "duplicate" || state === "returned";

type Account = Pick<AttemptRecord, "gateway" | "account">;

export const isSameAccount = (one: Account, other: Account): boolean =>
  one.gateway === other.gateway && one.account === other.account;

type Referred = Pick<AttemptRecord, "reference" | "payment_reference">;

/** Gives the provider's ids of what the attempt asked for, and of the money that it got. */
export const referencesOf = (attempt: Referred): readonly string[] =>
  [attempt.reference, attempt.payment_reference].filter((name) => name !== null);

/** Tells whether the reference is one of the attempt's. */
export const carries = (attempt: Referred, reference: string): boolean =>
  referencesOf(attempt).includes(reference);

/** Tells whether the attempt got the money that carries the reference. */
export const hasMoneyOf = (attempt: AttemptRecord, reference: string): boolean =>
  hasMoney(attempt) && carries(attempt, reference);

/** Finds the money that carries the reference, whichever account it came to. */
export const findByReference = (
  payments: readonly PaymentRecord[],
  reference: string,
): PaymentRecord | undefined =>
  payments.find(({ payment_reference }) => payment_reference === reference);

/** Tells whether the money of this reference has come before, for this order or another one. */
export function isKnownMoney(
  { attempts, payments, elsewhere }: OrderSnapshot,
  account: Account,
  reference: string,
): boolean {
  const isCounted = payments.some(
    (payment) =>
      isSameAccount(payment, account) &&
      payment.payment_reference === reference &&
      payment.state !== "unapplied",
  );
  const isCarried = attempts.some(
    (attempt) => isSameAccount(attempt, account) && hasMoneyOf(attempt, reference),
  );
  const isElsewhere = elsewhere.some(
    (attempt) =>
      isSameAccount(attempt, account) && (hasMoney(attempt) || attempt.received_amount !== null),
  );
  return isCounted || isCarried || isElsewhere;
}

/**
 * Finds the newest attempt of a reference. A provider may give one reference to two
 * attempts of an order, e.g. a PaymentIntent that is used again. A report of that
 * reference is about the newest of them.
 */
export function newestCarrier(
  attempts: readonly AttemptRecord[],
  named: AttemptRecord,
  reference: string | null,
): AttemptRecord {
  if (reference === null) return named;

  const carriers = attempts.filter(
    (attempt) => isSameAccount(attempt, named) && attempt.reference === reference,
  );
  const newest = carriers.at(-1);
  return newest && newest.created_at > named.created_at ? newest : named;
}

/**
 * Finds the record of the same money from an earlier report, when it pays nothing
 * so far. That report may have named the money only by what was asked for.
 */
export const findUnapplied = (
  payments: readonly PaymentRecord[],
  attempt: AttemptRecord,
  reference: string,
): PaymentRecord | undefined =>
  payments.find(
    (payment) =>
      payment.state === "unapplied" &&
      isSameAccount(payment, attempt) &&
      (payment.payment_reference === reference ||
        (payment.attempt_id === attempt.id && payment.payment_reference === attempt.reference)),
  );

/** Makes the record of money that came for the attempt. */
export function newMoney(
  { payments }: OrderSnapshot,
  attempt: AttemptRecord,
  { reference, amount, currency, now }: Received,
  state: "booked" | "duplicate" | "unapplied",
): PaymentRecord {
  const known = findUnapplied(payments, attempt, reference);
  if (known)
    return {
      ...known,
      payment_reference: reference,
      state,
      amount,
      currency,
      updated_at: now,
    };

  const earlier = payments.filter(({ attempt_id }) => attempt_id === attempt.id).length;
  return {
    store_id: attempt.store_id,
    livemode: attempt.livemode,
    id: earlier === 0 ? attempt.id : `${attempt.id}.${earlier + 1}`,
    gateway: attempt.gateway,
    account: attempt.account,
    payment_reference: reference,
    attempt_id: attempt.id,
    order_id: attempt.order_id,
    state,
    amount,
    currency,
    sent_back: [],
    return: null,
    check_at: null,
    created_at: now,
    updated_at: now,
  };
}

/** Plans the return of money, which maintenance then sends back without being asked. */
export const withReturnPlanned = (money: PaymentRecord): PaymentRecord => ({
  ...money,
  check_at: money.updated_at + returnAfterMs,
});

/** Gives the attempt with the money that came for it. Its first money stays its own. */
export const withReceived = (
  attempt: AttemptRecord,
  { reference, amount, currency, now }: Received,
): AttemptRecord => ({
  ...attempt,
  reference: attempt.reference ?? reference,
  payment_reference:
    attempt.payment_reference ??
    (reference === (attempt.reference ?? reference) ? null : reference),
  received_amount: attempt.received_amount ?? amount,
  received_currency: attempt.received_currency ?? currency,
  updated_at: now,
});

/**
 * An alert of this type tells the owner of money that pays nothing: its order was
 * paid, or its subscription had ended.
 */
export type DuplicateAlert = "duplicate_payment" | "payment_after_end";

/** Tells the owner of money that pays nothing. */
export const duplicateAlert = (
  order: OrderRecord,
  money: PaymentRecord,
  { id, type }: { readonly id: string | undefined; readonly type: DuplicateAlert },
): AlertRecord =>
  orderAlert(order, {
    id,
    type,
    subject: money.id,
    data: {
      payment_id: money.id,
      attempt_id: money.attempt_id,
      gateway: money.gateway,
      reference: money.payment_reference,
      amount: money.amount,
      currency: money.currency,
    },
    now: money.updated_at,
  });

type Created = Pick<PaymentRecord, "id" | "created_at">;

/** Sorts attempts and their money by the time when they came; `pay_X.10` comes after `pay_X.9`. */
export const byCreation = (one: Created, other: Created): number =>
  one.created_at - other.created_at ||
  one.id.length - other.id.length ||
  (one.id < other.id ? -1 : 1);
