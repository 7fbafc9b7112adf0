import { type Books, emit, type FakeIntent, type FakeSession, type FakeSetup } from "./books.ts";
import { keepCard, keptCards } from "./methods.ts";
import { receiveMoney, refuseAttempt } from "./money-moves.ts";
import { intentOf } from "./sessions.ts";
import { askAtSetup, findSetup, refuseSetup, setUpCard, unansweredSetup } from "./setups.ts";

/** Stripe's test cards: https://docs.stripe.com/testing. */
export const testCards = {
  succeeds: "4242424242424242",
  declines: "4000000000000002",
  asks: "4000002500003155",
} as const;

/** What the hosted page shows next. */
export type PageStep = "paid" | "declined" | "three_d_secure" | "waits";

/** The buyer sends the hosted page's form. */
export function payOnPage(books: Books, session: FakeSession, card: string): PageStep {
  if (session.mode === "setup") return keepOnPage(books, session, card);
  const intent = intentOf(books, session);
  if (session.payment_method_types.includes("boleto")) return placeBoleto(books, session, intent);

  if (card === testCards.asks) {
    intent.status = "requires_action";
    intent.next_action = {
      type: "redirect_to_url",
      redirect_to_url: { url: `${books.pageOrigin()}/3ds/${session.id}`, return_url: session.url },
    };
    emit(books, "payment_intent.requires_action", intent);
    return "three_d_secure";
  }
  const isTaken = Object.values<string>(keptCards).includes(card);
  if (isTaken) return completeSession(books, session, intent, card);

  refuseAttempt(books, intent, {
    code: "card_declined",
    decline_code: "generic_decline",
    message: "Your card was declined.",
  });
  return "declined";
}

/** The buyer gives the card of a trial: nothing is charged. */
function keepOnPage(books: Books, session: FakeSession, card: string): PageStep {
  const setup = findSetup(books, session.setup_intent ?? "");
  if (card === testCards.asks) {
    const url = `${books.pageOrigin()}/3ds/${session.id}`;
    askAtSetup(books, setup, {
      type: "redirect_to_url",
      redirect_to_url: { url, return_url: null },
    });
    return "three_d_secure";
  }
  if (!Object.values<string>(keptCards).includes(card)) {
    refuseSetup(books, setup);
    return "declined";
  }

  return completeSetup(books, session, card);
}

function completeSetup(books: Books, session: FakeSession, card: string): PageStep {
  setUpCard(books, findSetup(books, session.setup_intent ?? ""), card);
  session.status = "complete";
  session.url = null;
  emit(books, "checkout.session.completed", session);
  return "paid";
}

/** The host's own page has Stripe's script keep a card without a payment. */
export function keepOnOwnPage(books: Books, setup: FakeSetup, card: string): void {
  if (card === testCards.asks) askAtSetup(books, setup, { type: "use_stripe_sdk" });
  else if (Object.values<string>(keptCards).includes(card)) setUpCard(books, setup, card);
  else refuseSetup(books, setup);
}

/** The buyer's bank has asked on the host's own page, and the buyer has answered. */
export function answerAtSetup(books: Books, setup: FakeSetup, isApproved: boolean): void {
  if (isApproved) setUpCard(books, setup, testCards.asks);
  else refuseSetup(books, setup, unansweredSetup);
}

/** The buyer's bank has asked, and the buyer has answered. */
export function answerThreeDSecure(
  books: Books,
  session: FakeSession,
  isApproved: boolean,
): PageStep {
  if (session.mode === "setup") {
    if (isApproved) return completeSetup(books, session, testCards.asks);
    refuseSetup(books, findSetup(books, session.setup_intent ?? ""), unansweredSetup);
    return "declined";
  }
  const intent = intentOf(books, session);
  if (isApproved) return completeSession(books, session, intent, testCards.asks);

  refuseAttempt(books, intent, {
    code: "payment_intent_authentication_failure",
    message: "The provided PaymentMethod has failed authentication.",
  });
  return "declined";
}

function completeSession(
  books: Books,
  session: FakeSession,
  intent: FakeIntent,
  card: string,
): PageStep {
  keepCard(books, intent, card);
  receiveMoney(books, intent);
  session.status = "complete";
  session.payment_status = "paid";
  session.url = null;
  emit(books, "checkout.session.completed", session);
  return "paid";
}

function placeBoleto(books: Books, session: FakeSession, intent: FakeIntent): PageStep {
  intent.status = "requires_action";
  intent.next_action = {
    type: "boleto_display_details",
    boleto_display_details: {
      number: "01010101010101010101010101010101010101010101010",
      expires_at: books.now() + 3 * 86_400,
      hosted_voucher_url: `${books.pageOrigin()}/boleto/${intent.id}`,
      pdf: `${books.pageOrigin()}/boleto/${intent.id}/pdf`,
    },
  };
  session.status = "complete";
  session.url = null;
  emit(books, "payment_intent.requires_action", intent);
  emit(books, "checkout.session.completed", session);
  return "waits";
}

/** The buyer pays a boleto or a Pix code at a bank. */
export function payAtBank(books: Books, intent: FakeIntent): void {
  receiveMoney(books, intent);
  const session = [...books.sessions.values()].find((one) => one.payment_intent === intent.id);
  if (!session) return;
  session.payment_status = "paid";
  emit(books, "checkout.session.async_payment_succeeded", session);
}

/** The host's own page pays an intent with Stripe's script and a test card. */
export function payOnOwnPage(books: Books, intent: FakeIntent, card: string): void {
  if (card === testCards.succeeds) {
    keepCard(books, intent, card);
    receiveMoney(books, intent);
  } else
    refuseAttempt(books, intent, {
      code: "card_declined",
      decline_code: "generic_decline",
      message: "Your card was declined.",
    });
}
