import { fail } from "../../contract/errors.ts";
import { type PaymentMethod, paymentMethodTypes } from "../../contract/schemas.ts";
import { paidWith, type StatChange, type StatKind } from "../../rules/owner/stats.ts";

/** The numbers of one currency. Amounts are in its minor units. */
export interface StatsNumbers {
  /** Counts the orders that were paid, at the time when their money came. */
  readonly orders_paid: number;
  /** The sum of the totals of these orders. */
  readonly amount_gross: number;
  /**
   * The sum of the refunds, at the time when they succeeded. A refund that
   * fails later is taken off at the time when it failed, so that this may be
   * negative.
   */
  readonly amount_refunded: number;
  /** Counts the disputes that were lost, at the time when they closed. */
  readonly disputes_lost: number;
  readonly amount_disputes_lost: number;
  /** `amount_gross` without refunds and lost disputes. */
  readonly amount_net: number;
  /** Counts those of `orders_paid` whose fee the provider has told in this currency. */
  readonly fees_told: number;
  /**
   * The sum of the known fees, counted when the money came. A fee in another currency than its
   * order's is counted in the numbers of that currency.
   */
  readonly amount_fees: number;
  /** `amount_net` without the fees. A refund does not bring its fee back. */
  readonly amount_after_fees: number;
  /**
   * Counts the payments that ended without money. A payment that is paid later
   * all the same is taken off at the time of its money.
   */
  readonly payments_failed: number;
  /** Those of `orders_paid` that an agent sold, and the sum of their totals. */
  readonly orders_by_agents: number;
  readonly amount_by_agents: number;
  /**
   * Divides `orders_paid` by the type of the payment method. Types without an order are
   * left out, and so are free orders and those of versions before.
   */
  readonly by_method: readonly {
    readonly type: PaymentMethod["type"];
    readonly orders_paid: number;
    readonly amount_gross: number;
  }[];
}

/**
 * The numbers of checkout sessions, paid or not. Each session counts in the hour in
 * which it was created.
 */
export interface SessionNumbers {
  readonly created: number;
  /** Counts the created sessions that were paid at any later time. */
  readonly completed: number;
  /**
   * The share of `completed` in `created`, from 0 to 1. It is null when none
   * was created.
   */
  readonly conversion: number | null;
}

/**
 * The numbers of attempts to deliver webhooks. Each attempt counts in the hour in
 * which it began.
 */
export interface DeliveryNumbers {
  readonly attempts: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** Adds up the numbers of one kind. */
const totalsOf =
  (rows: readonly StatChange[]) =>
  (kind: StatKind, field: "count" | "amount"): number =>
    rows.reduce((added, row) => (row.kind === kind ? exact(added + row[field]) : added), 0);

/** Refuses a sum that a number does not hold exactly. */
function exact(sum: number): number {
  if (Number.isSafeInteger(sum)) return sum;

  const message = "The amounts of this range add up to more than 2^53-1. Ask for a shorter range.";
  return fail("amount_out_of_range", { message, param: "from" });
}

/** Adds up sessions. */
export function sumSessions(rows: readonly StatChange[]): SessionNumbers {
  const total = totalsOf(rows);
  const created = total("session_created", "count");
  const completed = total("session_completed", "count");
  return { created, completed, conversion: created === 0 ? null : completed / created };
}

/** Adds up attempts to deliver. */
export function sumDeliveries(rows: readonly StatChange[]): DeliveryNumbers {
  const total = totalsOf(rows);
  const succeeded = total("delivery_succeeded", "count");
  const failed = total("delivery_failed", "count");
  return { attempts: succeeded + failed, succeeded, failed };
}

/** Adds up the orders and money of one currency. */
export function sum(rows: readonly StatChange[]): StatsNumbers {
  const total = totalsOf(rows);
  const amount_gross = total("paid", "amount");
  const amount_refunded = total("refunded", "amount");
  const amount_disputes_lost = total("dispute_lost", "amount");
  const amount_net = exact(amount_gross - amount_refunded - amount_disputes_lost);
  const amount_fees = total("fee", "amount");
  return {
    orders_paid: total("paid", "count"),
    amount_gross,
    amount_refunded,
    disputes_lost: total("dispute_lost", "count"),
    amount_disputes_lost,
    amount_net,
    fees_told: total("fee", "count"),
    amount_fees,
    amount_after_fees: exact(amount_net - amount_fees),
    payments_failed: total("payment_failed", "count"),
    orders_by_agents: total("paid_by_agent", "count"),
    amount_by_agents: total("paid_by_agent", "amount"),
    by_method: paymentMethodTypes.flatMap((type) => {
      const orders_paid = total(paidWith(type), "count");
      if (orders_paid === 0) return [];
      return [{ type, orders_paid, amount_gross: total(paidWith(type), "amount") }];
    }),
  };
}
