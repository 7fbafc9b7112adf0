import { describe, expect, test } from "vitest";
import { createTestShop, type TestShop } from "vitrine/testing";

const dayMs = 86_400_000;
const monthly = { recurring: { interval: "month", interval_count: 1 } } as const;

const types = (shop: TestShop): string[] => shop.webhooks.map(({ type }) => type);

async function sell(shop: TestShop, recurring: boolean) {
  const product = await shop.product(recurring ? monthly : {});
  return shop.checkout([{ product_id: product.id, quantity: 1 }]);
}

describe("a buyer who lets the method be kept", () => {
  test.each([true, "Charge me every month."])(
    "by the consent %s is charged by the clock",
    async (consent) => {
      const shop = await createTestShop();
      const order = await shop.pay(await sell(shop, true), { consent });
      const id = order.subscription_id ?? "";
      expect(await shop.storefront.subscriptions.retrieve(id, shop.where)).toMatchObject({
        collection_method: "charge_automatically",
      });
      await shop.advanceClock(92 * dayMs);
      expect(types(shop).filter((type) => type === "subscription.renewed")).toHaveLength(3);
    },
  );

  test("and whose later charges are declined falls behind, and ends", async () => {
    const shop = await createTestShop();
    await shop.pay(await sell(shop, true), { consent: true, renewals: "decline" });
    await shop.advanceClock(33 * dayMs);
    expect(types(shop)).toContain("subscription.past_due");
    await shop.advanceClock(7 * dayMs);
    expect(types(shop).at(-1)).toBe("subscription.canceled");
  });

  test("in a trial is charged at its end", async () => {
    const shop = await createTestShop();
    const plan = await shop.product({ recurring: { ...monthly.recurring, trial_days: 7 } });
    const session = await shop.checkout([{ product_id: plan.id, quantity: 1 }], { trial: true });
    const customer = { email: "ana@example.com", name: "Ana" };
    const order = await shop.pay(session, { consent: true, customer });
    expect(order).toMatchObject({ status: "paid", amount_total: 0 });
    await shop.advanceClock(9 * dayMs);
    expect(types(shop)).toContain("subscription.renewed");
  });

  test("is another than one who does not, whose periods the host charges", async () => {
    const shop = await createTestShop();
    const order = await shop.pay(await sell(shop, true), { consent: false });
    const id = order.subscription_id ?? "";
    expect(await shop.storefront.subscriptions.retrieve(id, shop.where)).toMatchObject({
      collection_method: "host",
    });
  });
});

test("a checkout takes what the buyer typed for a product, and what a session has beside", async () => {
  const shop = await createTestShop();
  const variables = [{ key: "name", label: "Name", type: "text", required: true }] as const;
  const mug = await shop.product({ variables: [...variables] });
  const items = [{ product_id: mug.id, quantity: 1, variables: { name: "Ana" } }];
  const session = await shop.checkout(items, { metadata: { cart: "7" } });
  expect(session.metadata).toEqual({ cart: "7" });
  const wrong = shop.checkout([{ product_id: mug.id, quantity: 1 }]);
  await expect(wrong).rejects.toThrow("variables");
  // @ts-expect-error: a session has no such field
  await expect(shop.checkout(items, { cupon_code: "A" })).rejects.toThrow("cupon_code");
});

describe("a mistake in a step", () => {
  const refused = async (step: Promise<unknown>, ...words: readonly string[]): Promise<void> => {
    const error = await step.then(
      () => new Error("nothing was refused"),
      (thrown: Error) => thrown,
    );
    for (const word of words) expect(error.message).toContain(word);
  };

  test("in the name of an option is refused, by the names that are known", async () => {
    const shop = await createTestShop();
    const session = await sell(shop, false);
    await refused(shop.pay(session, { outcom: "decline" } as never), "outcom ", "outcome");
    await refused(
      shop.pay(session, { cards: 1 } as never),
      "cards ",
      "outcome, renewals, consent, customer",
    );
    const order = await shop.pay(await sell(shop, true));
    const subscription = { id: order.subscription_id ?? "" };
    await refused(shop.renew(subscription, { faild: true } as never), "faild ", "failed");
    await refused(shop.dispute(order, { outcom: "won" } as never), "outcom ", "outcome");
    await refused(
      shop.cancel(subscription, { at_once: true } as never),
      "at_once",
      "at_period_end",
    );
    await refused(shop.refund(order, { amonut: 1 } as never), "amonut", "amount");
    await refused(shop.call("GET", "/store", { boddy: {} } as never), "boddy", "body");
    await refused(createTestShop({ startat: 1 } as never), "startat");
    expect(types(shop)).not.toContain("order.failed");
  });

  test("in the value of an option is refused, by the values that are known", async () => {
    const shop = await createTestShop();
    const session = await sell(shop, true);
    await refused(
      shop.pay(session, { outcome: "declin" } as never),
      "outcome",
      "succeed, decline,",
    );
    await refused(shop.pay(session, { consent: 5 } as never), "consent must be true or the words");
    await refused(
      shop.pay(session, { consent: true, renewals: "fail" } as never),
      "renewals",
      "decline,",
    );
    await refused(shop.pay(session, { renewals: "decline" }), "renewals", "consent");
    await refused(shop.pay(session, "decline" as never), "options must be an object");
    await refused(shop.pay(session, { customer: { emial: "a@b.c" } } as never), "customer.emial");
    const order = await shop.pay(session);
    const subscription = { id: order.subscription_id ?? "" };
    await refused(
      shop.renew(subscription, { failed: "no" } as never),
      "failed must be true or false",
    );
    await refused(
      shop.dispute(order, { outcome: "win" } as never),
      "outcome must be one of won, lost",
    );
    await refused(shop.call("GET", undefined as never), "path");
    await refused(shop.call("GET", "/v1/store"), "path", "/store");
    for (const startAt of ["2026-01-01", new Date(), Number.NaN, -1])
      await refused(createTestShop({ startAt } as never), "startAt", "milliseconds");
    await refused(
      createTestShop({ deliverTo: "http://localhost" } as never),
      "deliverTo",
      "function",
    );
    await refused(createTestShop("BRL" as never), "options");
    expect(types(shop)).not.toContain("subscription.past_due");
  });

  test("in what a step is about is refused, by what it takes", async () => {
    const shop = await createTestShop();
    await refused(shop.pay({ id: "cs_x" } as never), "session", "checkout_url");
    await refused(shop.cancel(undefined as never), "subscription", "await its promise");
    await refused(shop.renew(null as never), "subscription");
  });
});
