import { type Books, emit, type FakeIntent, type FakeSession, newId } from "./books.ts";
import { invalidRequest, missing, StripeFault } from "./fault.ts";
import { type Form, fieldsOf, listOf, numberOf, textOf, textsOf } from "./form.ts";
import { addIntent, endIntent } from "./intents.ts";
import { checkMoney } from "./money.ts";
import { refuseAttempt } from "./money-moves.ts";
import { addSetup, endSetup } from "./setups.ts";

/** From this version on Stripe takes no list of methods. Versions compare as text. */
const dropsMethodTypes = "2026-09-30";

/** `POST /v1/checkout/sessions`. */
export function createSession(books: Books, form: Form, version: string): FakeSession {
  if (version >= dropsMethodTypes && "payment_method_types" in form)
    throw new StripeFault(400, {
      type: "invalid_request_error",
      code: "payment_method_types_no_longer_supported",
      message: "payment_method_types is no longer supported on this API version.",
      param: "payment_method_types",
    });

  if (form["mode"] === "setup") return createSetupSession(books, form);
  const lines = listOf(form["line_items"]).map(readLine);
  const [currency = ""] = lines.map((line) => line.currency);
  if (lines.some((line) => line.currency !== currency))
    throw invalidRequest("All line items must have the same currency.", { param: "line_items" });
  const total = checkMoney(
    lines.reduce((sum, line) => sum + line.amount, 0),
    currency,
  );
  const types = listOf(form["payment_method_types"]).map(String);
  if (types.includes("boleto") && currency !== "brl")
    throw invalidRequest("The payment method boleto takes BRL only.", {
      param: "payment_method_types",
    });

  const session = shownSession(books, form, { currency, total, types });
  books.sessions.set(session.id, session);
  books.lines.set(session.id, lines);
  const plan = fieldsOf(form["payment_intent_data"]);
  books.plans.set(session.id, {
    description: textOf(plan["description"]),
    metadata: textsOf(plan["metadata"]),
    customer: textOf(form["customer"]),
    setup_future_usage: textOf(plan["setup_future_usage"]),
  });
  return session;
}

/** A session that keeps a card without a payment. Stripe makes its intent at once. */
function createSetupSession(books: Books, form: Form): FakeSession {
  const customer = textOf(form["customer"]);
  if (customer === null || !books.customers.has(customer))
    throw missing("customer", customer ?? "");

  const plan = fieldsOf(form["setup_intent_data"]);
  const setup = addSetup(books, {
    customer,
    description: textOf(plan["description"]),
    metadata: textsOf(plan["metadata"]),
  });
  const types = listOf(form["payment_method_types"]).map(String);
  const shown = shownSession(books, form, { currency: "", total: 0, types });
  const session: FakeSession = {
    ...shown,
    amount_subtotal: null,
    amount_total: null as never,
    currency: null as never,
    mode: "setup",
    payment_status: "no_payment_required",
    setup_intent: setup.id,
  };
  books.sessions.set(session.id, session);
  return session;
}

function readLine(value: Form[string]) {
  const line = fieldsOf(value);
  const price = fieldsOf(line["price_data"]);
  const quantity = numberOf(line["quantity"]) ?? 1;
  return {
    name: textOf(fieldsOf(price["product_data"])["name"]) ?? "",
    currency: textOf(price["currency"]) ?? "",
    amount: (numberOf(price["unit_amount"]) ?? 0) * quantity,
  };
}

function shownSession(
  books: Books,
  form: Form,
  {
    currency,
    total,
    types,
  }: { readonly currency: string; readonly total: number; readonly types: readonly string[] },
): FakeSession {
  const now = books.now();
  const expires_at = numberOf(form["expires_at"]) ?? now + 86_400;
  if (expires_at < now + 1_800 || expires_at > now + 86_400)
    throw invalidRequest("expires_at must be between 30 minutes and 24 hours from now.", {
      param: "expires_at",
    });

  const id = newId("cs_test");
  return {
    id,
    object: "checkout.session",
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, status: null },
    cancel_url: textOf(form["cancel_url"]) ?? "",
    client_reference_id: textOf(form["client_reference_id"]),
    created: now,
    currency,
    custom_fields: [],
    custom_text: { shipping_address: null, submit: null },
    customer: textOf(form["customer"]),
    customer_email: textOf(form["customer_email"]),
    expires_at,
    livemode: false,
    metadata: textsOf(form["metadata"]),
    mode: "payment",
    payment_intent: null,
    setup_intent: null,
    payment_method_types: types,
    payment_status: "unpaid",
    phone_number_collection: { enabled: false },
    shipping_options: [],
    status: "open",
    success_url: textOf(form["success_url"]) ?? "",
    url: `${books.pageOrigin()}/pay/${id}`,
  };
}

/** `POST /v1/checkout/sessions/{session}/expire`. */
export function expireSession(books: Books, id: string): FakeSession {
  const session = findSession(books, id);
  if (session.status !== "open")
    throw invalidRequest(`Only open Checkout Sessions can be expired: it is ${session.status}.`);

  endSession(books, session);
  return session;
}

export function findSession(books: Books, id: string): FakeSession {
  const session = books.sessions.get(id);
  if (!session) throw missing("checkout.session", id);
  return session;
}

const noPlan = { description: null, metadata: {}, customer: null, setup_future_usage: null };

/** The intent of a session. Stripe makes it when the buyer first pays. */
export function intentOf(books: Books, session: FakeSession): FakeIntent {
  const known = books.intents.get(session.payment_intent ?? "");
  if (known) return known;

  const intent = addIntent(books, {
    amount: session.amount_total,
    currency: session.currency,
    types: session.payment_method_types,
    receipt_email: null,
    ...(books.plans.get(session.id) ?? noPlan),
  });
  session.payment_intent = intent.id;
  return intent;
}

function endSession(books: Books, session: FakeSession): void {
  session.status = "expired";
  session.url = null;
  const intent = books.intents.get(session.payment_intent ?? "");
  if (intent && intent.status !== "succeeded") endIntent(books, intent, "automatic");
  const setup = books.setups.get(session.setup_intent ?? "");
  if (setup && setup.status !== "succeeded") endSetup(books, setup, "abandoned");
  emit(books, "checkout.session.expired", session);
}

/** Ends what its time has ended: open sessions, Pix codes and boletos. */
export function sweep(books: Books): void {
  const now = books.now();
  for (const session of books.sessions.values())
    if (session.status === "open" && session.expires_at <= now) endSession(books, session);

  for (const intent of books.intents.values()) {
    const action = intent.status === "requires_action" ? (intent.next_action ?? {}) : {};
    const waiting = action["pix_display_qr_code"] ?? action["boleto_display_details"];
    const { expires_at } = (waiting ?? {}) as { readonly expires_at?: number };
    if (expires_at === undefined || expires_at > now) continue;
    refuseAttempt(books, intent, {
      code: "payment_intent_payment_attempt_expired",
      message: "The latest payment attempt has expired.",
    });
    const session = [...books.sessions.values()].find((one) => one.payment_intent === intent.id);
    if (session) emit(books, "checkout.session.async_payment_failed", session);
  }
}
