import { type Books, emit, type FakeSetup, newId } from "./books.ts";
import { invalidRequest, missing } from "./fault.ts";
import { type Form, listOf, textOf, textsOf } from "./form.ts";
import { addMethod } from "./methods.ts";

interface NewSetup {
  readonly customer: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export function addSetup(books: Books, { customer, description, metadata }: NewSetup): FakeSetup {
  const id = newId("seti");
  const setup: FakeSetup = {
    id,
    object: "setup_intent",
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${newId("x").slice(2)}`,
    created: books.now(),
    customer,
    description,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_options: null,
    payment_method_types: ["card"],
    single_use_mandate: null,
    status: "requires_payment_method",
    usage: "off_session",
  };
  books.setups.set(id, setup);
  emit(books, "setup_intent.created", setup);
  return setup;
}

/** `POST /v1/setup_intents`. */
export function createSetup(books: Books, form: Form): FakeSetup {
  const customer = textOf(form["customer"]);
  if (customer !== null && !books.customers.has(customer)) throw missing("customer", customer);
  if (listOf(form["payment_method_types"]).join() !== "card")
    throw invalidRequest("The fake keeps cards alone.", { param: "payment_method_types" });

  const metadata = textsOf(form["metadata"]);
  return addSetup(books, { customer, description: textOf(form["description"]), metadata });
}

export function findSetup(books: Books, id: string): FakeSetup {
  const setup = books.setups.get(id);
  if (!setup) throw missing("setup_intent", id);
  return setup;
}

/** `POST /v1/setup_intents/{intent}/cancel`. */
export function cancelSetup(books: Books, id: string, reason: string | null): FakeSetup {
  const setup = findSetup(books, id);
  const session = [...books.sessions.values()].find(({ setup_intent }) => setup_intent === id);
  const isOver = setup.status === "succeeded" || setup.status === "canceled";
  if (isOver || session?.status === "open")
    throw invalidRequest(
      `You cannot cancel this SetupIntent because it has a status of ${setup.status}.`,
      { code: "setup_intent_unexpected_state" },
    );

  endSetup(books, setup, reason ?? "requested_by_customer");
  return setup;
}

export function endSetup(books: Books, setup: FakeSetup, reason: string): void {
  setup.status = "canceled";
  setup.cancellation_reason = reason;
  emit(books, "setup_intent.canceled", setup);
}

/** The buyer gives a card, which is kept for the customer. */
export function setUpCard(books: Books, setup: FakeSetup, number: string): void {
  const method = addMethod(books, setup.customer, number);
  setup.payment_method = method.id;
  setup.status = "succeeded";
  setup.next_action = null;
  emit(books, "setup_intent.succeeded", setup);
}

/** The bank asks before it lets the card be kept. */
export function askAtSetup(books: Books, setup: FakeSetup, next_action: object): void {
  setup.status = "requires_action";
  setup.next_action = next_action;
  emit(books, "setup_intent.requires_action", setup);
}

interface SetupError {
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
}

const declinedSetup: SetupError = {
  code: "card_declined",
  decline_code: "generic_decline",
  message: "Your card was declined.",
};

/** What is told when the buyer has not answered their bank. */
export const unansweredSetup: SetupError = {
  code: "setup_intent_authentication_failure",
  message: "The provided PaymentMethod has failed authentication.",
};

function addAttempt(books: Books, setup: FakeSetup): void {
  const attempt = {
    id: newId("setatt"),
    object: "setup_attempt",
    application: null,
    created: books.now(),
    customer: setup.customer,
    flow_directions: null,
    livemode: false,
    on_behalf_of: null,
    payment_method: newId("pm"),
    payment_method_details: { type: "card", card: {} },
    setup_error: setup.last_setup_error,
    setup_intent: setup.id,
    status: "failed",
    usage: "off_session",
  };
  books.attempts.set(attempt.id, attempt);
}

/** The bank refuses the card, and the buyer may give another one. */
export function refuseSetup(books: Books, setup: FakeSetup, error = declinedSetup): void {
  setup.status = "requires_payment_method";
  setup.next_action = null;
  setup.last_setup_error = { type: "card_error", ...error };
  addAttempt(books, setup);
  emit(books, "setup_intent.setup_failed", setup);
}
