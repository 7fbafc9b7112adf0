import { type Books, emit, type FakeCharge, type FakeIntent, newId } from "./books.ts";
import { bookCharge } from "./transactions.ts";

function addCharge(books: Books, intent: FakeIntent, more: object): FakeCharge {
  const charge: FakeCharge = {
    id: newId("ch"),
    object: "charge",
    amount: intent.amount,
    amount_captured: intent.amount,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null },
    captured: true,
    created: books.now(),
    currency: intent.currency,
    disputed: false,
    livemode: false,
    metadata: intent.metadata,
    paid: true,
    payment_intent: intent.id,
    refunded: false,
    status: "succeeded",
    ...more,
  };
  books.charges.set(charge.id, charge);
  return charge;
}

/** The money comes. */
export function receiveMoney(books: Books, intent: FakeIntent): void {
  const charge = addCharge(books, intent, {});
  if (!books.books_later) bookCharge(books, charge);
  intent.status = "succeeded";
  intent.amount_received = intent.amount;
  intent.latest_charge = charge.id;
  intent.next_action = null;
  intent.last_payment_error = null;
  emit(books, "charge.succeeded", charge);
  emit(books, "payment_intent.succeeded", intent);
}

/** The attempt fails; the intent takes another one. */
export function refuseAttempt(
  books: Books,
  intent: FakeIntent,
  error: { readonly code: string; readonly decline_code?: string; readonly message: string },
): void {
  intent.status = "requires_payment_method";
  intent.next_action = null;
  intent.last_payment_error = { type: "card_error", ...error };
  // Where the buyer's bank has not let the card be asked, there is no charge.
  if (error.code !== "payment_intent_authentication_failure") {
    const failed = { amount_captured: 0, captured: false, paid: false, status: "failed" };
    const charge = addCharge(books, intent, failed);
    intent.latest_charge = charge.id;
    emit(books, "charge.failed", charge);
  }
  emit(books, "payment_intent.payment_failed", intent);
}
