import { randomBytes } from "node:crypto";

/** An object as Stripe shows it. Only the fields that the fake itself reads have types. */
interface Shown {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly [field: string]: unknown;
}

export interface FakeSession extends Shown {
  status: "open" | "complete" | "expired";
  payment_status: "paid" | "unpaid" | "no_payment_required";
  url: string | null;
  payment_intent: string | null;
  /** The card that is kept without a payment. Null in a session that takes money. */
  setup_intent: string | null;
  readonly mode: "payment" | "setup";
  readonly expires_at: number;
  readonly amount_total: number;
  readonly currency: string;
  readonly payment_method_types: readonly string[];
  readonly success_url: string;
  readonly cancel_url: string;
}

export interface FakeIntent extends Shown {
  status: string;
  amount_received: number;
  latest_charge: string | null;
  next_action: Readonly<Record<string, unknown>> | null;
  last_payment_error: Readonly<Record<string, unknown>> | null;
  canceled_at: number | null;
  cancellation_reason: string | null;
  payment_method: string | null;
  customer: string | null;
  setup_future_usage: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly payment_method_types: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

export interface FakeSetup extends Shown {
  status: string;
  payment_method: string | null;
  cancellation_reason: string | null;
  last_setup_error: Readonly<Record<string, unknown>> | null;
  next_action: object | null;
  readonly customer: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A card that is kept for a customer. `number` stays inside: it says how its charges go. */
export interface FakeMethod extends Shown {
  customer: string | null;
}

export interface FakeCharge extends Shown {
  amount_refunded: number;
  refunded: boolean;
  disputed: boolean;
  /** Null until Stripe has booked the money. */
  balance_transaction: string | null;
  readonly amount: number;
  readonly payment_intent: string;
}

/** A line of the account's own report. Amounts are in the currency of its balance. */
export interface FakeTransaction extends Shown {
  readonly amount: number;
  readonly fee: number;
  readonly net: number;
  readonly currency: string;
  readonly reporting_category: "charge" | "refund" | "refund_failure" | "dispute";
  readonly source: string;
}

export interface FakeRefund extends Shown {
  status: "pending" | "succeeded" | "failed";
  failure_reason?: string;
  readonly amount: number;
  balance_transaction: string | null;
  readonly charge: string;
  readonly payment_intent: string;
}

export interface FakeDispute extends Shown {
  status: string;
  readonly amount: number;
  readonly charge: string;
}

export interface FakeEvent extends Shown {
  readonly type: string;
}

/** What a session's intent is made of; Stripe makes it when the buyer pays. */
export interface IntentPlan {
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The card is kept for this customer. */
  readonly customer: string | null;
  readonly setup_future_usage: string | null;
}

/** The books of one Stripe account. Times inside are epoch seconds. */
export interface Books {
  readonly account: string | null;
  readonly sessions: Map<string, FakeSession>;
  readonly plans: Map<string, IntentPlan>;
  readonly lines: Map<string, readonly { readonly name: string; readonly amount: number }[]>;
  readonly intents: Map<string, FakeIntent>;
  readonly setups: Map<string, FakeSetup>;
  readonly charges: Map<string, FakeCharge>;
  /** The attempts to keep a card that were refused. */
  readonly attempts: Map<string, Shown>;
  readonly refunds: Map<string, FakeRefund>;
  readonly disputes: Map<string, FakeDispute>;
  readonly transactions: Map<string, FakeTransaction>;
  readonly customers: Map<string, Shown>;
  readonly methods: Map<string, FakeMethod>;
  readonly events: Map<string, FakeEvent>;
  /** The numbers of the cards that are kept, by their ids. */
  readonly numbers: Map<string, string>;
  /** How the next refunds go: `refuse` is Stripe's answer when its balance is too low. */
  refunds_are: "succeeded" | "pending" | "refuse";
  /** Money is booked later than the buyer pays. */
  books_later: boolean;
  /** What the account is settled in, where that is not what the buyer pays in. */
  settlement: { readonly currency: string; readonly rate: number } | null;
  /** The part of each charge that the platform takes, in percent. */
  application_fee: number;
  /** Epoch seconds. */
  now(): number;
  /** Where the hosted pages are. */
  pageOrigin(): string;
  /** Hands a new event to the outbox. */
  tell(event: FakeEvent): void;
}

export function openBooks(settings: Pick<Books, "account" | "now" | "pageOrigin" | "tell">): Books {
  return {
    ...settings,
    sessions: new Map(),
    plans: new Map(),
    lines: new Map(),
    intents: new Map(),
    setups: new Map(),
    charges: new Map(),
    attempts: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    transactions: new Map(),
    customers: new Map(),
    methods: new Map(),
    events: new Map(),
    numbers: new Map(),
    refunds_are: "succeeded",
    books_later: false,
    settlement: null,
    application_fee: 0,
  };
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`;

/** Writes an event about the object as it is now, and hands it to the outbox. */
export function emit(books: Books, type: string, object: Shown): void {
  const event: FakeEvent = {
    id: newId("evt"),
    object: "event",
    api_version: "2025-04-30.basil",
    created: books.now(),
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    ...(books.account !== null && { account: books.account }),
  };
  books.events.set(event.id, event);
  books.tell(event);
}

/** Finds any object by its id. */
export function findObject(books: Books, id: string): Shown | null {
  const shelves: readonly ReadonlyMap<string, Shown>[] = [
    books.sessions,
    books.intents,
    books.setups,
    books.charges,
    books.refunds,
    books.disputes,
    books.transactions,
    books.customers,
    books.methods,
    books.events,
  ];
  return shelves.map((shelf) => shelf.get(id)).find((found) => found !== undefined) ?? null;
}

/** The money that the merchant keeps of an intent, in Stripe's units. */
export function heldOf(books: Books, intent: FakeIntent): number {
  const refunded = [...books.refunds.values()]
    .filter(({ payment_intent, status }) => payment_intent === intent.id && status !== "failed")
    .reduce((sum, { amount }) => sum + amount, 0);
  return intent.amount_received - refunded;
}
