import { describe, expect, test } from "vitest";
import { heldOf } from "./books.ts";
import { answerThreeDSecure, payOnOwnPage, payOnPage, testCards } from "./buyer.ts";
import { keptCards } from "./methods.ts";
import { endFakesAfterEach } from "./setup.ts";
import { type StripeShopOptions, stripeShop } from "./shop.ts";

endFakesAfterEach();

const day = 86_400_000;
const consent = "Charge me every month.";
const buyer = { customer: { id: "u_1", email: "ana@example.com", name: "Ana" }, consent };

/** A shop with a monthly product, whose buyer has paid the first month. */
async function subscribed(card: string, options: StripeShopOptions = {}) {
  const shop = await stripeShop({ ...options, monthly: true });
  // Nobody is charged at night.
  await shop.advanceClock(day / 2);
  const { order } = await shop.submit(buyer);
  if (options.stripe?.flow === "payment_intents") payOnOwnPage(shop.books(), shop.intent(), card);
  else if (payOnPage(shop.books(), shop.session(), card) === "three_d_secure")
    answerThreeDSecure(shop.books(), shop.session(), true);
  await shop.fake.outbox.deliver();

  const id = (await shop.order(order)).subscription_id ?? "";
  const { subscriptions } = shop.storefront;
  const find = () => subscriptions.retrieve(id, shop.where);
  const goTo = async (time: string | number): Promise<void> => {
    await shop.advanceClock(new Date(time).getTime() - shop.now());
  };
  /** What came in all, in Stripe's units. */
  const taken = () =>
    [...shop.books().intents.values()].reduce((sum, one) => sum + heldOf(shop.books(), one), 0);
  return { ...shop, id, find, goTo, taken, first: await find() };
}

describe.each<[string, StripeShopOptions]>([
  ["on Stripe's page", {}],
  ["on the host's page", { stripe: { flow: "payment_intents", publishableKey: "pk_test_1" } }],
  ["of a connected account", { stripe: { account: () => "acct_1" }, account: "acct_1" }],
])("a card that was saved %s", (_name, options) => {
  test("pays a year by itself, and Stripe has what our books have", async () => {
    const shop = await subscribed(keptCards.succeeds, options);
    expect(shop.first).toMatchObject({
      collection_method: "charge_automatically",
      saved_method: {
        kind: "card",
        label: "Visa ···· 4242",
        expires_at: "2028-12-31T23:59:59.999Z",
      },
    });

    for (let month = 1; month <= 12; month += 1) {
      const { next_charge_at } = await shop.find();
      await shop.goTo(next_charge_at ?? "");
      await shop.fake.outbox.deliver();
    }
    expect(await shop.find()).toMatchObject({
      status: "active",
      current_period_start: "2027-01-01T12:00:00.000Z",
    });
    const { data } = await shop.storefront.owner.orders.list({ ...shop.where, limit: 100 });
    const booked = data.reduce((sum, { amount_total }) => sum + amount_total, 0);
    expect([data.length, booked, shop.taken()]).toEqual([13, 26_000, 26_000]);
    expect(shop.books().customers.size).toBe(1);
    expect(shop.errors).toEqual([]);
    expect(shop.fake.complaints).toEqual([]);
  });
});

test("without consent Stripe keeps no card", async () => {
  const shop = await stripeShop({ monthly: true });
  await shop.submit({ customer: buyer.customer });
  payOnPage(shop.books(), shop.session(), testCards.succeeds);
  await shop.fake.outbox.deliver();
  expect([shop.books().customers.size, shop.books().methods.size]).toEqual([0, 0]);
  expect(shop.intent().setup_future_usage).toBeNull();
});

test("a card that was asked about once is charged without a question", async () => {
  const shop = await subscribed(testCards.asks);
  await shop.goTo(shop.first.next_charge_at ?? "");
  expect((await shop.find()).status).toBe("active");
});

test("a decline that may pass is tried again, and a second month is not charged twice", async () => {
  const shop = await subscribed(keptCards.declinesLater);
  const end = Date.parse(shop.first.next_charge_at ?? "");
  for (const after of [0, 1, 2, 3, 4, 5, 6, 7]) await shop.goTo(end + after * day);
  const charges = shop.fake.calls.filter((call) => call === "POST /v1/payment_intents");
  expect(charges).toHaveLength(4);
  const { data } = await shop.storefront.owner.payments.list(shop.where);
  expect(data.map(({ decline_code }) => decline_code)).toEqual([
    ...Array(4).fill("insufficient_funds"),
    null,
  ]);
  expect((await shop.find()).status).toBe("canceled");
  expect(shop.taken()).toBe(2_000);
});

test.each([
  ["a bank that asks each time", keptCards.asksEachTime],
  ["a card that has expired", keptCards.expiresLater],
])("%s is charged once, and the buyer pays by the link", async (_name, card) => {
  const shop = await subscribed(card);
  const end = Date.parse(shop.first.next_charge_at ?? "");
  for (const after of [0, 1, 2, 3]) await shop.goTo(end + after * day);
  expect(await shop.find()).toMatchObject({ status: "past_due" });
  expect(shop.fake.calls.filter((call) => call === "POST /v1/payment_intents")).toHaveLength(1);

  const { subscriptions, checkout, owner } = shop.storefront;
  const { url } = await subscriptions.payLink(shop.id, {
    ...shop.where,
    success_url: "https://shop.example/thanks",
  });
  const methods = await owner.paymentMethods.list(shop.where.store_id);
  const payment_method_id = methods.find(({ gateway }) => gateway === "stripe")?.id ?? "";
  await checkout.submit(url.split("/").at(-1) ?? "", { payment_method_id, ...buyer });
  const session = [...shop.books().sessions.values()].at(-1);
  if (session) payOnPage(shop.books(), session, keptCards.succeeds);
  await shop.fake.outbox.deliver();

  const recovered = await shop.find();
  expect(recovered).toMatchObject({ status: "active" });
  await shop.goTo(recovered.next_charge_at ?? "");
  expect((await shop.find()).status).toBe("active");
  expect(shop.taken()).toBe(6_000);
});

test.each(["lose_request", "lose_answer", "half_answer"] as const)(
  "of a charge with the fault %s one comes of it",
  async (fault) => {
    const shop = await subscribed(keptCards.succeeds);
    const charges = ({ method, path }: { method: string; path: string }) =>
      method === "POST" && path === "/v1/payment_intents";
    let left = 2;
    shop.fake.wire.choose = (call) => (charges(call) && left-- > 0 ? fault : null);

    const end = Date.parse(shop.first.next_charge_at ?? "");
    for (let minutes = 0; minutes <= 90; minutes += 5) await shop.goTo(end + minutes * 60_000);
    expect((await shop.find()).status).toBe("active");
    expect(shop.taken()).toBe(4_000);
  },
);

test("an erased buyer's card is forgotten at Stripe", async () => {
  const shop = await subscribed(keptCards.succeeds);
  await shop.storefront.owner.eraseCustomer(shop.where.store_id, "u_1");
  const [method] = shop.books().methods.values();
  expect(method?.customer).toBeNull();
});
