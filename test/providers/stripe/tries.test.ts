import { expect, test } from "vitest";
import { keepOnOwnPage, payOnOwnPage, testCards } from "./buyer.ts";
import { endFakesAfterEach } from "./setup.ts";
import { stripeShop } from "./shop.ts";

endFakesAfterEach();

const element = { stripe: { flow: "element", publishableKey: "pk_test_1" } } as const;
type Shop = Awaited<ReturnType<typeof stripeShop>>;

/** Gives a card in the form of the newest payment. */
function pay(shop: Shop, card: string): void {
  const intent = [...shop.books().intents.values()].at(-1);
  if (!intent) throw new Error("There is no payment.");
  payOnOwnPage(shop.books(), intent, card);
}

/** Begins another payment of the same checkout, by the same method. */
async function again({ storefront }: Shop, token: string) {
  const { payment_methods } = await storefront.checkout.view(token);
  return storefront.checkout.submit(token, {
    payment_method_id: payment_methods[0]?.id,
    on_page: true,
  });
}

test("ten refused cards end the payment of a form, and count as one failed payment", async () => {
  const shop = await stripeShop(element);
  const { order, token } = await shop.submit({ on_page: true });
  const intent = shop.intent();
  for (let card = 1; card < 10; card += 1) pay(shop, testCards.declines);
  await shop.fake.outbox.deliver();
  expect([intent.status, (await shop.order(order)).status]).toEqual([
    "requires_payment_method",
    "pending",
  ]);

  pay(shop, testCards.declines);
  await shop.fake.outbox.deliver();
  expect([intent.status, intent.cancellation_reason]).toEqual(["canceled", "fraudulent"]);
  const payments = await shop.storefront.owner.payments.list(shop.where);
  expect(payments.data).toMatchObject([
    { status: "failed", failure_code: "fraud", decline_code: "generic_decline" },
  ]);

  // The buyer begins another payment of the same checkout, and pays it.
  const second = await again(shop, token);
  expect(second.next_action?.type).toBe("client_secret");
  pay(shop, testCards.succeeds);
  await shop.fake.outbox.deliver();
  expect(await shop.order(second.order)).toMatchObject({ status: "paid" });
  expect([shop.errors, shop.fake.complaints]).toEqual([[], []]);
});

test("ten refused payments of ten cards each are all that a checkout session takes", async () => {
  const shop = await stripeShop(element);
  const { token } = await shop.submit({ on_page: true });
  for (let payment = 1; payment <= 10; payment += 1) {
    for (let card = 1; card <= 10; card += 1) pay(shop, testCards.declines);
    await shop.fake.outbox.deliver();
    if (payment < 10) await again(shop, token);
  }
  await expect(again(shop, token)).rejects.toMatchObject({ code: "too_many_attempts" });
});

test("ten refused cards end the form that keeps a card for a trial", async () => {
  const shop = await stripeShop({ ...element, monthly: true, trialDays: 7 });
  const { order } = await shop.submit({
    ...{ on_page: true, customer: { id: "u_1" }, consent: "yes" },
  });
  const [setup] = [...shop.books().setups.values()];
  for (let card = 1; card <= 10; card += 1)
    keepOnOwnPage(shop.books(), setup as never, testCards.declines);
  await shop.fake.outbox.deliver();
  expect([setup?.status, setup?.cancellation_reason]).toEqual(["canceled", "duplicate"]);
  const payments = await shop.storefront.owner.payments.list(shop.where);
  expect(payments.data).toMatchObject([{ status: "failed", failure_code: "fraud" }]);
  expect((await shop.order(order)).status).not.toBe("paid");
});

test("money that comes while the tenth refusal is read counts", async () => {
  const shop = await stripeShop(element);
  const { order } = await shop.submit({ on_page: true });
  const intent = shop.intent();
  for (let card = 1; card <= 10; card += 1) pay(shop, testCards.declines);
  pay(shop, testCards.succeeds);
  await shop.fake.outbox.deliver();
  expect(intent.status).toBe("succeeded");
  expect(await shop.order(order)).toMatchObject({ status: "paid" });
});

test("where Stripe does not tell the tries, the payment goes on", async () => {
  const shop = await stripeShop(element);
  const { order } = await shop.submit({ on_page: true });
  for (let card = 1; card < 10; card += 1) pay(shop, testCards.declines);
  await shop.fake.outbox.deliver();
  shop.fake.wire.choose = ({ path }) => (path === "/v1/charges" ? "lose_request" : null);
  pay(shop, testCards.declines);
  await shop.fake.outbox.deliver();
  pay(shop, testCards.succeeds);
  await shop.fake.outbox.deliver();
  expect(await shop.order(order)).toMatchObject({ status: "paid" });
});
