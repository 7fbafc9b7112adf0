import { describe, expect, test } from "vitest";
import { heldOf } from "./books.ts";
import {
  answerAtSetup,
  answerThreeDSecure,
  keepOnOwnPage,
  payOnOwnPage,
  payOnPage,
  testCards,
} from "./buyer.ts";
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

describe.each<[string, StripeShopOptions]>([
  ["on Stripe's page", {}],
  ["on the host's page", { stripe: { flow: "payment_intents", publishableKey: "pk_test_1" } }],
  ["of a connected account", { stripe: { account: () => "acct_1" }, account: "acct_1" }],
])("a trial whose card is kept %s", (_name, options) => {
  const openTrial = async () => {
    const shop = await stripeShop({ ...options, monthly: true, trialDays: 14 });
    await shop.advanceClock(day / 2);
    const isOwn = options.stripe?.flow === "payment_intents";
    /** The buyer gives a card where Stripe asks for it. */
    const give = (card: string): void => {
      const [setup] = shop.books().setups.values();
      if (isOwn && setup) keepOnOwnPage(shop.books(), setup, card);
      else payOnPage(shop.books(), shop.session(), card);
    };
    return { shop, give, submitted: await shop.submit(buyer) };
  };

  test("takes nothing until its end, and then each month", async () => {
    const { shop, give, submitted } = await openTrial();
    expect(submitted.status).toBe("requires_action");
    give(testCards.declines);
    await shop.fake.outbox.deliver();
    expect((await shop.order(submitted.order)).status).toBe("pending");
    give(testCards.succeeds);
    await shop.fake.outbox.deliver();

    const { subscription_id } = await shop.order(submitted.order);
    const find = () => shop.storefront.subscriptions.retrieve(subscription_id ?? "", shop.where);
    expect(await find()).toMatchObject({
      status: "trialing",
      trial_end: "2026-01-15T12:00:00.000Z",
      saved_method: { kind: "card", label: "Visa ···· 4242" },
    });
    expect(shop.books().intents.size).toBe(0);
    for (const end of ["2026-01-15T12:00:00.000Z", "2026-02-15T12:00:00.000Z"]) {
      await shop.advanceClock(Date.parse(end) - shop.now());
      await shop.fake.outbox.deliver();
    }
    expect(await find()).toMatchObject({ status: "active" });
    const [first, second, ...more] = [...shop.books().intents.values()];
    expect([first?.amount_received, second?.amount_received, more]).toEqual([2_000, 2_000, []]);
    expect([shop.errors, shop.fake.complaints]).toEqual([[], []]);
  });

  test("waits while the bank asks, and begins once its buyer has answered", async () => {
    const { shop, give, submitted } = await openTrial();
    const isOwn = options.stripe?.flow === "payment_intents";
    const answer = (isApproved: boolean): void => {
      const [setup] = shop.books().setups.values();
      if (!isOwn) answerThreeDSecure(shop.books(), shop.session(), isApproved);
      else if (setup) answerAtSetup(shop.books(), setup, isApproved);
    };
    const look = async () => {
      await shop.fake.outbox.deliver();
      await shop.advanceClock(11 * 60_000);
      return shop.order(submitted.order);
    };

    give(testCards.asks);
    expect(await look()).toMatchObject({ status: "pending" });
    answer(false);
    expect(await look()).toMatchObject({ status: "pending" });
    give(testCards.asks);
    expect(await look()).toMatchObject({ status: "pending" });
    answer(true);
    expect(await look()).toMatchObject({ status: "paid" });
    expect(shop.books().methods.size).toBe(1);
    expect([shop.books().intents.size, shop.errors]).toEqual([0, []]);
  });

  test.each(["lose_request", "lose_answer", "half_answer"] as const)(
    "begins once though the request or its answer is lost (%s)",
    async (fault) => {
      const shop = await stripeShop({ ...options, monthly: true, trialDays: 14 });
      await shop.advanceClock(day / 2);
      let left = 2;
      shop.fake.wire.choose = ({ method, path }) => {
        const isSaving = /checkout.sessions|setup_intents/.test(path) && method === "POST";
        return isSaving && left-- > 0 ? fault : null;
      };
      const { order } = await shop.submit(buyer);
      for (const minutes of [3, 5, 10, 30, 60, 120]) await shop.advanceClock(minutes * 60_000);
      const { status } = await shop.order(order);
      expect(["pending", "failed"]).toContain(status);
      expect(shop.books().setups.size).toBeLessThanOrEqual(1);
    },
  );

  test("that its buyer gives up is given back, and had later", async () => {
    const { shop, give, submitted } = await openTrial();
    await shop.storefront.checkout.cancel(submitted.token);
    expect((await shop.order(submitted.order)).failure_code).toBe("canceled");
    const [setup] = shop.books().setups.values();
    expect(setup?.status).toBe("canceled");
    shop.books().setups.clear();
    shop.books().sessions.clear();
    const { order } = await shop.submit(buyer);
    give(testCards.succeeds);
    await shop.fake.outbox.deliver();
    expect((await shop.order(order)).status).toBe("paid");
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

test("no page has words of consent for what Stripe does not keep", async () => {
  const shop = await stripeShop({ monthly: true });
  const { owner, checkout } = shop.storefront;
  for (const type of ["pix", "boleto"] as const) {
    const method = { type, name: type, currencies: ["BRL"], gateway: "stripe" };
    const kept = { ...method, supports_recurring: true };
    await owner.paymentMethods.create(shop.where.store_id, kept);
  }
  const { token } = await shop.submit(buyer);
  const { recurring, payment_methods } = await checkout.view(token);
  const named = payment_methods.filter(({ id }) => recurring?.saved_by.includes(id));
  expect(payment_methods.map(({ type }) => type)).toContain("boleto");
  expect(named.map(({ type, name }) => [type, name])).toContainEqual(["card", "card"]);
  expect(named.filter(({ type }) => type !== "card")).toEqual([]);
});
