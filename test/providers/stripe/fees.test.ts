import { describe, expect, test } from "vitest";
import { answerThreeDSecure, payAtBank, payOnOwnPage, payOnPage, testCards } from "./buyer.ts";
import { keptCards } from "./methods.ts";
import { endFakesAfterEach } from "./setup.ts";
import { type StripeShopOptions, stripeShop } from "./shop.ts";
import { bookCharge } from "./transactions.ts";

endFakesAfterEach();

type Shop = Awaited<ReturnType<typeof stripeShop>>;

const told = async (shop: Shop) =>
  (await shop.storefront.owner.payments.list({ ...shop.where })).data.map(({ fee }) => fee);
/** What the account's own report says was kept. */
const kept = (shop: Shop) =>
  [...shop.books().transactions.values()].map(({ fee, currency }) => ({
    amount: fee,
    currency: currency.toUpperCase(),
  }));

const ownPage = { flow: "payment_intents", publishableKey: "pk_test_1" } as const;
const ways: readonly [string, StripeShopOptions, (shop: Shop) => void][] = [
  [
    "a card on Stripe's page",
    {},
    (shop) => void payOnPage(shop.books(), shop.session(), testCards.succeeds),
  ],
  [
    "a card on the host's page",
    { stripe: ownPage },
    (shop) => payOnOwnPage(shop.books(), shop.intent(), testCards.succeeds),
  ],
  ["a Pix code", { type: "pix" }, (shop) => payAtBank(shop.books(), shop.intent())],
  [
    "a card on a connected account",
    { stripe: { account: () => "acct_1" }, account: "acct_1" },
    (shop) => void payOnPage(shop.books(), shop.session(), testCards.succeeds),
  ],
];

describe.each(ways)("%s", (_name, options, pay) => {
  test("tells what Stripe keeps, by its message and by a look-up", async () => {
    const shop = await stripeShop(options);
    await shop.submit();
    pay(shop);
    await shop.fake.outbox.deliver();
    expect(await told(shop)).toEqual([{ amount: 119, currency: "BRL" }]);
    expect(await told(shop)).toEqual(kept(shop));

    const silent = await stripeShop(options);
    const { token } = await silent.submit();
    pay(silent);
    silent.fake.outbox.take();
    await silent.storefront.checkout.resume(token);
    expect(await told(silent)).toEqual(kept(silent));
  });
});

const payCard = (shop: Shop) => payOnPage(shop.books(), shop.session(), testCards.succeeds);

test("a platform's application fee is a part of what its store's account loses", async () => {
  const shop = await stripeShop({ stripe: { account: () => "acct_1" }, account: "acct_1" });
  shop.books().application_fee = 10;
  await shop.submit();
  payCard(shop);
  await shop.fake.outbox.deliver();
  expect(await told(shop)).toEqual([{ amount: 119 + 200, currency: "BRL" }]);
});

test("an account that is settled in another currency tells its fee in that one", async () => {
  const shop = await stripeShop();
  shop.books().settlement = { currency: "usd", rate: 0.2 };
  await shop.submit();
  payCard(shop);
  await shop.fake.outbox.deliver();
  expect(await told(shop)).toEqual([{ amount: 24, currency: "USD" }]);
});

test("money that Stripe has not booked yet is paid, and its fee comes with a later report", async () => {
  const shop = await stripeShop();
  shop.books().books_later = true;
  const { order } = await shop.submit();
  payCard(shop);
  await shop.fake.outbox.deliver();
  expect((await shop.order(order)).status).toBe("paid");
  expect(await told(shop)).toEqual([null]);

  for (const charge of shop.books().charges.values()) bookCharge(shop.books(), charge);
  const intent = shop.intent();
  const reference = { reference: shop.session().id, payment_reference: intent.id };
  const signal = new AbortController().signal;
  const query = { id: "pay_1", store_id: "str_1", account: null, created_at: 0, signal };
  const found = await shop.gateway.getPayment?.({ ...query, ...reference });
  expect(found?.fee).toEqual({ amount: 119, currency: "BRL" });
});

test("a message counts where Stripe does not tell the rest", async () => {
  const shop = await stripeShop();
  const { order } = await shop.submit();
  payCard(shop);
  shop.fake.wire.choose = ({ method }) => (method === "GET" ? "lose_request" : null);
  await shop.fake.outbox.deliver();
  expect((await shop.order(order)).status).toBe("paid");
  expect(await told(shop)).toEqual([null]);
});

test("a look-up finds the payment where the key may not read what Stripe keeps", async () => {
  const shop = await stripeShop();
  const { token } = await shop.submit();
  payCard(shop);
  shop.fake.outbox.take();
  shop.fake.wire.choose = ({ path }) =>
    path.startsWith("/v1/payment_intents/") ? "lose_request" : null;
  expect((await shop.storefront.checkout.resume(token)).status).toBe("paid");
  expect(await told(shop)).toEqual([null]);
});

test("a card that was saved tells what is kept of each of its charges", async () => {
  const shop = await stripeShop({ monthly: true });
  await shop.advanceClock(43_200_000);
  const buyer = { customer: { id: "u_1", email: "ana@example.com", name: "Ana" } };
  const { order } = await shop.submit({ ...buyer, consent: "Charge me every month." });
  if (payOnPage(shop.books(), shop.session(), keptCards.succeeds) === "three_d_secure")
    answerThreeDSecure(shop.books(), shop.session(), true);
  await shop.fake.outbox.deliver();

  const id = (await shop.order(order)).subscription_id ?? "";
  const { next_charge_at } = await shop.storefront.subscriptions.retrieve(id, shop.where);
  await shop.advanceClock(Date.parse(next_charge_at ?? "") - shop.now());
  shop.fake.outbox.take();
  expect(await told(shop)).toHaveLength(2);
  expect(await told(shop)).toEqual(kept(shop));
});
