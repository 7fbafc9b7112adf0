import type { PaymentElement } from "vitrine/gateway";
import { stripeElement } from "../../../adapters/payments/stripe/element.ts";
import { type Books, emit, type FakeIntent } from "./books.ts";
import { keepOnOwnPage, testCards } from "./buyer.ts";
import { bankScript, cardScript, elementScript } from "./element-script.ts";
import { keepCard } from "./methods.ts";
import { receiveMoney, refuseAttempt } from "./money-moves.ts";
import type { PageReply } from "./pages.ts";

export const publishableKey = "pk_test_fake";

/** Leads a gateway's element to the fake, which stands at this origin. */
export const elementAt = (origin: string): PaymentElement => ({
  ...stripeElement,
  script: `${origin}/basil/stripe.js`,
  origins: { script: [origin], connect: [origin], frame: [origin] },
});

interface ElementRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
}

/** Answers the addresses that a page with the element asks for. Null for any other. */
export function answerElement(
  books: (account: string) => Books,
  { method, path, query, form }: ElementRequest,
): PageReply | null {
  const [, name = ""] = /^\/basil\/([a-z0-9.]+)$/.exec(path) ?? [];
  if (method === "POST" && (name === "confirm" || name === "3ds"))
    return json(confirm(books(form.get("account") ?? ""), form));
  if (name === "stripe.js") return script(elementScript);
  if (name === "card.js") return script(cardScript);
  if (name === "bank.js") return script(bankScript);
  if (name === "element") return page(cardFrame(query));
  return name === "3ds" ? page(bankFrame()) : null;
}

type Outcome = { readonly error?: object; readonly next?: "three_d_secure" };

const refusals: Readonly<
  Record<string, { readonly code: string; readonly decline_code?: string }>
> = {
  [testCards.declines]: { code: "card_declined", decline_code: "generic_decline" },
  "4000000000009995": { code: "card_declined", decline_code: "insufficient_funds" },
  "4000000000000069": { code: "expired_card" },
  "4000000000009979": { code: "card_declined", decline_code: "stolen_card" },
};

/** The element confirms the intent: with a card, or with what the bank was told. */
function confirm(books: Books, form: URLSearchParams): Outcome {
  const secret = form.get("client_secret") ?? "";
  const invalid = (code: string): Outcome => ({ error: { type: "invalid_request_error", code } });
  if (form.get("key") !== publishableKey) return invalid("api_key_invalid");

  const card = form.get("card") ?? "";
  const setup = [...books.setups.values()].find((one) => one["client_secret"] === secret);
  if (setup) {
    keepOnOwnPage(books, setup, card);
    return setup.status === "succeeded"
      ? {}
      : { error: { type: "card_error", ...setup.last_setup_error } };
  }

  const intent = [...books.intents.values()].find((one) => one["client_secret"] === secret);
  if (!intent) return invalid("resource_missing");
  const waits = intent.status === "requires_payment_method" || intent.status === "requires_action";
  if (!waits) return invalid("payment_intent_unexpected_state");
  return form.has("approve") ? answerBank(books, intent, form) : giveCard(books, intent, card);
}

function giveCard(books: Books, intent: FakeIntent, card: string): Outcome {
  const refusal = refusals[card];
  if (refusal) {
    const error = { ...refusal, message: "Your card was declined." };
    refuseAttempt(books, intent, error);
    return { error: { type: "card_error", ...error } };
  }
  if (card === testCards.asks) {
    intent.status = "requires_action";
    intent.next_action = { type: "use_stripe_sdk", use_stripe_sdk: {} };
    emit(books, "payment_intent.requires_action", intent);
    return { next: "three_d_secure" };
  }
  keepCard(books, intent, card);
  receiveMoney(books, intent);
  return {};
}

function answerBank(books: Books, intent: FakeIntent, form: URLSearchParams): Outcome {
  if (form.get("approve") === "1") {
    keepCard(books, intent, testCards.asks);
    receiveMoney(books, intent);
    return {};
  }
  const code = "payment_intent_authentication_failure";
  const message = "We are unable to authenticate your payment method.";
  refuseAttempt(books, intent, { code, message });
  return { error: { type: "invalid_request_error", code, message } };
}

const json = (body: object): PageReply => ({
  status: 200,
  headers: { "content-type": "application/json", "access-control-allow-origin": "*" },
  body: JSON.stringify(body),
});

const script = (body: string): PageReply => ({
  status: 200,
  headers: { "content-type": "text/javascript; charset=utf-8" },
  body,
});

const page = (body: string): PageReply => ({
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  body,
});

function cardFrame(query: URLSearchParams): string {
  const isPortuguese = query.get("locale")?.startsWith("pt") === true;
  const [lang, label, wrong] = isPortuguese
    ? ["pt", "Número do cartão", "O número do cartão está incompleto."]
    : ["en", "Card number", "Your card number is incomplete."];
  const scheme = query.get("theme") === "night" ? "dark" : "light";
  return `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>${label}</title>
<style>:root{color-scheme:${scheme}}body{margin:0;font:16px/1.5 system-ui}
input{font:inherit;box-sizing:border-box;width:100%;height:3rem;padding:0 .75rem;display:block}
p{margin:0}</style>
<main><label for="card">${label}</label>
<input id="card" inputmode="numeric" autocomplete="cc-number"><p role="alert" hidden>${wrong}</p></main>
<script src="/basil/card.js"></script>`;
}

const bankFrame = (): string => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>3-D Secure</title><main><h1>3-D Secure</h1><p>A fake of a bank.</p>
<button value="1">Complete authentication</button> <button value="0">Fail authentication</button></main>
<script src="/basil/bank.js"></script>`;
