import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import { type StripeOptions, stripeGateway } from "vitrine/stripe";
import { gatewaySuite, runGatewayCase } from "vitrine/testing";
import type { FakeIntent } from "./books.ts";
import { keepOnOwnPage, payAtBank, payOnOwnPage, payOnPage, testCards } from "./buyer.ts";
import { type FakeStripe, webhookSecret } from "./fake-stripe.ts";
import { cancelIntent } from "./intents.ts";
import { refuseAttempt } from "./money-moves.ts";
import { expireSession, findSession } from "./sessions.ts";
import { endFakesAfterEach, judgedStripe, withBuyer } from "./setup.ts";
import { cancelSetup } from "./setups.ts";

endFakesAfterEach();

type Buyer = (fake: FakeStripe, reference: string, act: unknown) => void;

/** On Stripe's page a decline leaves the session open: this buyer gives up after it. */
const onCheckout: Buyer = (fake, reference, act) => {
  const books = fake.books();
  const session = findSession(books, reference);
  if (session.status !== "open") return;
  payOnPage(books, session, act === "declines" ? testCards.declines : testCards.succeeds);
  if (act === "declines") expireSession(books, reference);
};

const openIntent = (fake: FakeStripe, reference: string): FakeIntent | null => {
  const intent = fake.books().intents.get(reference);
  return intent && intent.status !== "succeeded" && intent.status !== "canceled" ? intent : null;
};

const onOwnPage: Buyer = (fake, reference, act) => {
  const setup = fake.books().setups.get(reference);
  if (setup) {
    if (act === "declines") cancelSetup(fake.books(), reference, null);
    else keepOnOwnPage(fake.books(), setup, testCards.succeeds);
    return;
  }
  const intent = openIntent(fake, reference);
  if (!intent) return;
  payOnOwnPage(fake.books(), intent, act === "declines" ? testCards.declines : testCards.succeeds);
  if (act === "declines") cancelIntent(fake.books(), intent.id, null);
};

const withPix: Buyer = (fake, reference, act) => {
  const intent = openIntent(fake, reference);
  if (intent?.status !== "requires_action") return;
  if (act !== "declines") return payAtBank(fake.books(), intent);
  const code = "payment_intent_payment_attempt_expired";
  refuseAttempt(fake.books(), intent, { code, message: "The Pix has expired." });
};

const ownPage = { flow: "payment_intents", publishableKey: "pk_test_1" } as const;
const ways: readonly [string, "card" | "pix", Partial<StripeOptions>, Buyer][] = [
  ["a card on Stripe's page", "card", {}, onCheckout],
  ["a card on the host's page", "card", ownPage, onOwnPage],
  ["a Pix code", "pix", {}, withPix],
];

describe.each(ways)("Stripe passes the gateway suite, %s", (_name, type, options, buyer) => {
  test.each(gatewaySuite)("$name", async (rule) => {
    const fake = await judgedStripe();
    const { client: stripe } = fake;
    const gateway = stripeGateway({ stripe, webhookSecret, livemode: false, ...options });

    await runGatewayCase(rule, {
      gateway: withBuyer(gateway, (reference, act) => buyer(fake, reference, act)),
      assert,
      now: Date.now,
      method: { id: "pm_1", type },
      succeeds: { buyer: "pays" },
      declines: { buyer: "declines" },
      waits: { buyer: "waits" },
    });
    expect(fake.complaints).toEqual([]);
  });
});
