import { type Books, emit, type FakeIntent, type FakeRefund, heldOf, newId } from "./books.ts";
import { invalidRequest } from "./fault.ts";
import { type Form, numberOf, textOf, textsOf } from "./form.ts";
import { findIntent } from "./intents.ts";
import { bookBack } from "./transactions.ts";

/** `POST /v1/refunds`. */
export function createRefund(books: Books, form: Form): FakeRefund {
  const intent = findIntent(books, textOf(form["payment_intent"]) ?? "");
  const left = heldOf(books, intent);
  const amount = numberOf(form["amount"]) ?? left;
  if (books.charges.get(intent.latest_charge ?? "")?.["status"] !== "succeeded")
    throw invalidRequest(`This PaymentIntent (${intent.id}) does not have a successful charge.`);
  if (left === 0)
    throw invalidRequest(`Charge ${intent.latest_charge} has already been refunded.`, {
      code: "charge_already_refunded",
    });
  if (amount > left)
    throw invalidRequest(`Refund amount (${amount}) is greater than unrefunded amount (${left}).`, {
      param: "amount",
    });
  if (books.refunds_are === "refuse")
    throw invalidRequest("Insufficient funds in your Stripe balance to refund this amount.", {
      code: "balance_insufficient",
    });
  return addRefund(books, intent, { amount, metadata: textsOf(form["metadata"]) });
}

/** A refund that the API or the dashboard asks for. */
export function addRefund(
  books: Books,
  intent: FakeIntent,
  { amount, metadata }: { readonly amount: number; readonly metadata: Record<string, string> },
): FakeRefund {
  const refund: FakeRefund = {
    id: newId("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: intent.latest_charge ?? "",
    created: books.now(),
    currency: intent.currency,
    metadata,
    payment_intent: intent.id,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: books.refunds_are === "pending" ? "pending" : "succeeded",
    transfer_reversal: null,
  };
  books.refunds.set(refund.id, refund);
  if (refund.status === "succeeded")
    refund.balance_transaction = bookBack(books, refund, "refund").id;
  emit(books, "refund.created", refund);
  countRefunds(books, intent);
  return refund;
}

/** A refund under way ends. Stripe can also take a success back. */
export function settleRefund(
  books: Books,
  refund: FakeRefund,
  status: "succeeded" | "failed",
): void {
  if (refund.status !== status) {
    if (status === "succeeded") refund.balance_transaction = bookBack(books, refund, "refund").id;
    else if (refund.status === "succeeded") bookBack(books, refund, "refund_failure");
  }
  refund.status = status;
  if (status === "failed") refund.failure_reason = "expired_or_canceled_card";
  emit(books, "refund.updated", refund);
  emit(books, "charge.refund.updated", refund);
  if (status === "failed") emit(books, "refund.failed", refund);
  countRefunds(books, findIntent(books, refund.payment_intent));
}

function countRefunds(books: Books, intent: FakeIntent): void {
  const charge = books.charges.get(intent.latest_charge ?? "");
  if (!charge) return;

  const before = charge.amount_refunded;
  charge.amount_refunded = intent.amount_received - heldOf(books, intent);
  charge.refunded = charge.amount_refunded === charge.amount;
  if (charge.amount_refunded > before) emit(books, "charge.refunded", charge);
}
