import { type Books, emit, type FakeIntent, type FakeMethod, newId } from "./books.ts";
import { missing, StripeFault } from "./fault.ts";
import { receiveMoney, refuseAttempt } from "./money-moves.ts";

/** Cards of Stripe's list that are kept without a word, and answer otherwise later. */
export const keptCards = {
  succeeds: "4242424242424242",
  declinesLater: "4000000000000341",
  asksEachTime: "4000002760003184",
  expiresLater: "4000000000000069",
} as const;

/** Keeps the card that has paid the intent, where the intent says so. */
export function keepCard(books: Books, intent: FakeIntent, number: string): void {
  if (intent.setup_future_usage !== "off_session" || intent.customer === null) return;
  intent.payment_method = addMethod(books, intent.customer, number).id;
}

/** Attaches a card to a customer. */
export function addMethod(books: Books, customer: string | null, number: string): FakeMethod {
  const method: FakeMethod = {
    id: newId("pm"),
    object: "payment_method",
    billing_details: { address: null, email: null, name: null, phone: null },
    card: {
      brand: "visa",
      checks: null,
      country: "BR",
      exp_month: 12,
      exp_year: 2028,
      fingerprint: null,
      funding: "credit",
      generated_from: null,
      last4: number.slice(-4),
      networks: null,
      three_d_secure_usage: null,
      wallet: null,
    },
    created: books.now(),
    customer,
    livemode: false,
    metadata: {},
    type: "card",
  };
  books.methods.set(method.id, method);
  books.numbers.set(method.id, number);
  emit(books, "payment_method.attached", method);
  return method;
}

/** `POST /v1/payment_methods/{payment_method}/detach`. */
export function detachMethod(books: Books, id: string): FakeMethod {
  const method = books.methods.get(id);
  if (!method) throw missing("payment_method", id);

  method.customer = null;
  emit(books, "payment_method.detached", method);
  return method;
}

const declines: Readonly<
  Record<string, { readonly code: string; readonly decline_code?: string }>
> = {
  [keptCards.declinesLater]: { code: "card_declined", decline_code: "insufficient_funds" },
  [keptCards.asksEachTime]: {
    code: "authentication_required",
    decline_code: "authentication_required",
  },
  [keptCards.expiresLater]: { code: "expired_card" },
};

/** Charges a kept card without its owner. A decline is an error that holds the intent. */
export function chargeKept(books: Books, intent: FakeIntent, id: string | null): void {
  const method = books.methods.get(id ?? "");
  if (!method || method.customer === null || method.customer !== intent.customer)
    throw missing("PaymentMethod", id ?? "");

  intent.payment_method = method.id;
  const decline = declines[books.numbers.get(method.id) ?? ""];
  if (!decline) {
    receiveMoney(books, intent);
    return;
  }

  const message = "Your card was declined.";
  refuseAttempt(books, intent, { ...decline, message });
  throw new StripeFault(402, {
    type: "card_error",
    message,
    ...decline,
    payment_intent: structuredClone(intent),
  });
}
