import { type Decision, orderChanges } from "../../orders/order-changes.ts";
import type { PaymentApplication, PaymentApplied } from "../../orders/order-commands.ts";
import { hasMoneyOf } from "../order-money.ts";
import type { AttemptRecord } from "../payment-records.ts";
import { isSameFee } from "./payment-fee.ts";

/**
 * Notes the fee of a report with the attempt that has its money, and with the order that this
 * attempt pays. The report may come after the one that brought the money: a provider settles
 * some payments later. The fee of further money of the same attempt is left out.
 */
export function noteFee(
  decision: Decision<PaymentApplied>,
  before: AttemptRecord,
  { result: told, now }: PaymentApplication,
): Decision<PaymentApplied> {
  const { result, changes } = decision;
  const { fee } = told;
  if (told.status !== "succeeded" || !fee || result.outcome === "unknown_attempt") return decision;

  const { attempt, order } = result;
  const money = told.payment_reference ?? told.reference;
  const isItsMoney =
    hasMoneyOf(attempt, money ?? attempt.id) && (attempt.payment_reference ?? money) === money;
  if (!isItsMoney || isSameFee(before.fee, fee)) return decision;

  const noted: AttemptRecord = { ...attempt, fee, updated_at: now };
  const pays = attempt.state === "succeeded" && order.paid_at !== null;
  const paid = pays ? { ...order, fee } : order;
  const written = changes ?? orderChanges({});
  const others = written.attempts.filter(({ id }) => id !== noted.id);
  return {
    result: { ...result, attempt: noted, order: paid },
    changes: { ...written, order: paid, attempts: [noted, ...others] },
  };
}
