import { type Books, type FakeCharge, type FakeTransaction, newId } from "./books.ts";

interface Booking {
  readonly amount: number;
  readonly currency: string;
  readonly source: string;
  readonly category: FakeTransaction["reporting_category"];
  readonly fees: readonly { readonly type: string; readonly amount: number }[];
}

/** Writes a line of the account's report, in the currency that it is settled in. */
function book(books: Books, booking: Booking): FakeTransaction {
  const { currency, rate } = books.settlement ?? { currency: booking.currency, rate: 1 };
  const settled = (amount: number): number => Math.round(amount * rate);
  const details = booking.fees.map(({ type, amount }) => ({ type, amount: settled(amount) }));
  const fee = details.reduce((sum, detail) => sum + detail.amount, 0);
  const amount = settled(booking.amount);

  const transaction: FakeTransaction = {
    id: newId("txn"),
    object: "balance_transaction",
    amount,
    available_on: books.now(),
    created: books.now(),
    currency,
    description: null,
    exchange_rate: books.settlement?.rate ?? null,
    fee,
    fee_details: details.map((detail) => ({
      ...detail,
      application: null,
      currency,
      description: null,
    })),
    net: amount - fee,
    reporting_category: booking.category,
    source: booking.source,
    status: "available",
    type: booking.category === "dispute" ? "adjustment" : booking.category,
  };
  books.transactions.set(transaction.id, transaction);
  return transaction;
}

/** Stripe keeps 3.99% and 39 units of a charge, and the platform its part of it. */
export function bookCharge(books: Books, charge: FakeCharge): void {
  const { id, amount } = charge;
  const stripe_fee = Math.min(amount, Math.round(amount * 0.0399) + 39);
  const application_fee = Math.round((amount * books.application_fee) / 100);
  const fees = [
    { type: "stripe_fee", amount: stripe_fee },
    ...(application_fee > 0 ? [{ type: "application_fee", amount: application_fee }] : []),
  ];
  const currency = String(charge["currency"]);
  const booking = { amount, currency, source: id, category: "charge", fees } as const;
  charge.balance_transaction = book(books, booking).id;
}

interface Moved {
  readonly id: string;
  readonly amount: number;
  readonly [field: string]: unknown;
}

/** Money goes back, and Stripe keeps the fee of the charge. A failed refund comes back. */
export const bookBack = (
  books: Books,
  moved: Moved,
  category: "refund" | "refund_failure" | "dispute",
): FakeTransaction =>
  book(books, {
    amount: category === "refund_failure" ? moved.amount : -moved.amount,
    currency: String(moved["currency"]),
    source: moved.id,
    category,
    fees: [],
  });
