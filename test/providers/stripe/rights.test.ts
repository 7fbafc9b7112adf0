import { describe, expect, test } from "vitest";
import { keepOnOwnPage, payOnOwnPage, payOnPage } from "./buyer.ts";
import { keptCards } from "./methods.ts";
import { endFakesAfterEach } from "./setup.ts";
import { type StripeShopOptions, stripeShop } from "./shop.ts";

endFakesAfterEach();

const buyer = {
  customer: { id: "u_1", email: "ana@example.com", name: "Ana" },
  consent: "Charge me every month.",
};
const ownPage: StripeShopOptions = {
  stripe: { flow: "payment_intents", publishableKey: "pk_test_1" },
};
const told = /Gateway stripe .* does not have the required permissions/;

describe.each<[string, StripeShopOptions]>([
  ["on Stripe's page", {}],
  ["on the host's page", ownPage],
])("a key that may not read payment methods, %s", (_name, options) => {
  const paid = async (more: StripeShopOptions = {}) => {
    const shop = await stripeShop({ ...options, ...more, monthly: true });
    await shop.advanceClock(43_200_000);
    const submitted = await shop.submit(buyer);
    shop.fake.forbidden.add("/v1/payment_methods");
    const [setup] = shop.books().setups.values();
    if (options !== ownPage) payOnPage(shop.books(), shop.session(), keptCards.succeeds);
    else if (setup) keepOnOwnPage(shop.books(), setup, keptCards.succeeds);
    else payOnOwnPage(shop.books(), shop.intent(), keptCards.succeeds);
    return { shop, ...submitted };
  };
  const charged = async ({ shop, order }: Awaited<ReturnType<typeof paid>>) => {
    const found = await shop.order(order);
    expect(found.status).toBe("paid");
    expect(shop.errors.filter((error) => told.test(error)).length).toBeGreaterThan(0);
    const id = found.subscription_id ?? "";
    const subscription = await shop.storefront.subscriptions.retrieve(id, shop.where);
    expect(subscription).toMatchObject({
      collection_method: "charge_automatically",
      saved_method: { kind: "card", label: "card", expires_at: null },
    });
    await shop.advanceClock(Date.parse(subscription.next_charge_at ?? "") - shop.now());
    await shop.fake.outbox.deliver();
    const renewed = await shop.storefront.subscriptions.retrieve(id, shop.where);
    expect([renewed.status, renewed.current_period_start]).toEqual([
      "active",
      subscription.current_period_end,
    ]);
  };

  test("pays the order by a message, tells the host, and charges later", async () => {
    const bought = await paid();
    await bought.shop.fake.outbox.deliver();
    await charged(bought);
  });

  test("pays the order by a look-up, and tells the host", async () => {
    const bought = await paid();
    bought.shop.fake.outbox.take();
    await bought.shop.storefront.checkout.resume(bought.token);
    await charged(bought);
  });

  test("begins a trial", async () => {
    const bought = await paid({ trialDays: 14 });
    await bought.shop.fake.outbox.deliver();
    await charged(bought);
  });
});

test("a card that Stripe does not know any more is not kept, and its order is paid", async () => {
  const shop = await stripeShop({ monthly: true });
  const { order } = await shop.submit(buyer);
  payOnPage(shop.books(), shop.session(), keptCards.succeeds);
  shop.books().methods.clear();
  await shop.fake.outbox.deliver();
  const { status, subscription_id } = await shop.order(order);
  expect(status).toBe("paid");
  const found = await shop.storefront.subscriptions.retrieve(subscription_id ?? "", shop.where);
  expect(found).toMatchObject({ collection_method: "host", saved_method: null });
});

test("a key without the right to setups finds out that Stripe has no payment", async () => {
  const shop = await stripeShop();
  shop.fake.wire.choose = ({ method }) => (method === "POST" ? "lose_request" : null);
  await shop.submit();
  shop.fake.wire.choose = () => null;
  shop.fake.forbidden.add("/v1/setup_intents");
  await shop.advanceClock(3 * 3_600_000);
  const { data } = await shop.storefront.owner.payments.list({ ...shop.where });
  expect(data.map(({ status }) => status)).toEqual(["failed"]);
});
