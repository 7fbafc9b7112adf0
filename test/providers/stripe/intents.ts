import { type Books, emit, type FakeIntent, type IntentPlan, newId } from "./books.ts";
import { invalidRequest, missing } from "./fault.ts";
import { type Form, fieldsOf, listOf, numberOf, textOf, textsOf } from "./form.ts";
import { chargeKept } from "./methods.ts";
import { checkMoney } from "./money.ts";

interface NewIntent extends IntentPlan {
  readonly amount: number;
  readonly currency: string;
  readonly types: readonly string[];
  readonly receipt_email: string | null;
}

export function addIntent(books: Books, intent: NewIntent): FakeIntent {
  const id = newId("pi");
  const made: FakeIntent = {
    id,
    object: "payment_intent",
    amount: intent.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic",
    client_secret: `${id}_secret_${newId("x").slice(2)}`,
    confirmation_method: "automatic",
    created: books.now(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    invoice: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: intent.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_options: null,
    payment_method_types: intent.types,
    processing: null,
    receipt_email: intent.receipt_email,
    review: null,
    setup_future_usage: intent.setup_future_usage,
    shipping: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "requires_payment_method",
    transfer_data: null,
    transfer_group: null,
  };
  books.intents.set(id, made);
  emit(books, "payment_intent.created", made);
  return made;
}

/** `POST /v1/payment_intents`. */
export function createIntent(books: Books, form: Form): FakeIntent {
  const types = listOf(form["payment_method_types"]).map(String);
  const currency = textOf(form["currency"]) ?? "";
  const amount = checkMoney(numberOf(form["amount"]) ?? 0, currency);
  const isPix = types.includes("pix");
  if (isPix && currency !== "brl")
    throw invalidRequest("The currency provided (usd) is invalid for the payment method pix.", {
      param: "payment_method_types",
    });

  const intent = addIntent(books, {
    amount,
    currency,
    types,
    description: textOf(form["description"]),
    receipt_email: textOf(form["receipt_email"]),
    metadata: textsOf(form["metadata"]),
    customer: textOf(form["customer"]),
    setup_future_usage: textOf(form["setup_future_usage"]),
  });
  if (form["confirm"] === "true" && isPix) showPix(books, intent, form);
  if (form["off_session"] === "true") chargeKept(books, intent, textOf(form["payment_method"]));
  return intent;
}

/** A confirmed Pix payment waits for the buyer, who pays the code. */
function showPix(books: Books, intent: FakeIntent, form: Form): void {
  const { pix } = fieldsOf(form["payment_method_options"]);
  const expires_at = numberOf(fieldsOf(pix)["expires_at"]) ?? books.now() + 86_400;
  if (expires_at < books.now() + 10 || expires_at > books.now() + 1_209_600)
    throw invalidRequest("The Pix must expire between 10 and 1209600 seconds in the future.", {
      param: "payment_method_options[pix][expires_at]",
    });

  const page = `${books.pageOrigin()}/pix/${intent.id}`;
  intent.status = "requires_action";
  intent.next_action = {
    type: "pix_display_qr_code",
    pix_display_qr_code: {
      data: `00020126FAKE-PIX-OF-STRIPE${intent.id}`,
      expires_at,
      hosted_instructions_url: page,
      image_url_png: `${page}.png`,
      image_url_svg: `${page}.svg`,
    },
  };
  emit(books, "payment_intent.requires_action", intent);
}

const cancelable: ReadonlySet<string> = new Set([
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
  "requires_capture",
]);

/** `POST /v1/payment_intents/{intent}/cancel`. */
export function cancelIntent(books: Books, id: string, reason: string | null): FakeIntent {
  const intent = findIntent(books, id);
  const session = [...books.sessions.values()].find(({ payment_intent }) => payment_intent === id);
  if (!cancelable.has(intent.status) || session?.status === "open")
    throw invalidRequest(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
      { code: "payment_intent_unexpected_state", payment_intent: structuredClone(intent) },
    );

  endIntent(books, intent, reason ?? "requested_by_customer");
  return intent;
}

export function endIntent(books: Books, intent: FakeIntent, reason: string): void {
  intent.status = "canceled";
  intent.canceled_at = books.now();
  intent.cancellation_reason = reason;
  intent.next_action = null;
  emit(books, "payment_intent.canceled", intent);
}

export function findIntent(books: Books, id: string): FakeIntent {
  const intent = books.intents.get(id);
  if (!intent) throw missing("payment_intent", id);
  return intent;
}
