import { expect, test } from "vitest";
import { createTestShop, type TestShop, type TestShopOptions } from "vitrine/testing";

const hourMs = 3_600_000;
const status = (code: number) => new Response(null, { status: code });

async function sell(deliverTo: TestShopOptions["deliverTo"]): Promise<TestShop> {
  const shop = await createTestShop({ deliverTo, onError: () => {} });
  const product = await shop.product();
  await shop.pay(await shop.checkout([{ product_id: product.id, quantity: 1 }]));
  return shop;
}

async function deliveriesOf({ storefront: { owner }, where }: TestShop) {
  const { data } = await owner.deliveries.list(where);
  return data;
}

test("webhooks are the events that the receiver took, each as often as it took it", async () => {
  let code = 500;
  const shop = await sell(() => status(code));
  expect(shop.webhooks).toEqual([]);

  code = 204;
  await shop.advanceClock(hourMs);
  expect(shop.webhooks.map(({ type }) => type).toSorted()).toEqual([
    "checkout.session.completed",
    "order.created",
    "order.paid",
  ]);

  const [delivery] = await deliveriesOf(shop);
  if (delivery) await shop.storefront.owner.deliveries.resend(delivery);
  await shop.advanceClock(0);
  expect(shop.webhooks).toHaveLength(4);
});

test("a receiver that throws is a failed attempt, which tells the error, and is tried again", async () => {
  let isDown = true;
  const shop = await sell(() => {
    if (isDown) throw new Error("the queue is down");
    return status(200);
  });
  const { deliveries } = shop.storefront.owner;
  const [delivery] = await deliveriesOf(shop);
  expect(delivery).toMatchObject({ state: "pending", attempts: 1 });
  expect(await deliveries.attempts(delivery as never)).toMatchObject([
    { status: null, error: "connection_reset", snippet: "Error: the queue is down" },
  ]);

  isDown = false;
  await shop.advanceClock(hourMs);
  expect(shop.webhooks).toHaveLength(3);
});

test.each([undefined, null, 200, {}])(
  "a receiver that gives %s fails the step, by its name",
  async (given) => {
    let isRight = false;
    const shop = await createTestShop({
      deliverTo: (() => (isRight ? status(200) : given)) as never,
    });
    const product = await shop.product();
    const session = await shop.checkout([{ product_id: product.id, quantity: 1 }]);
    await expect(shop.pay(session)).rejects.toThrow("deliverTo must give a Response");
    await expect(shop.advanceClock(hourMs)).rejects.toThrow("deliverTo must give a Response");

    isRight = true;
    await shop.advanceClock(hourMs * 24);
    expect(shop.webhooks).toHaveLength(3);
  },
);

test("an answer whose body was read counts by its status", async () => {
  const shop = await sell(async () => {
    const answer = new Response("taken", { status: 200 });
    await answer.text();
    return answer;
  });
  expect(shop.webhooks).toHaveLength(3);
});
