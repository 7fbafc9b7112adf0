import { beforeEach, describe, expect, test } from "vitest";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("a gateway that declines everything, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    const limits = { checkout: null, payments: null };
    shop = await createShop(await open(), { limits });
  });

  const type = "gateway_declining";
  const alerts = async () =>
    (await shop.owner.alerts.list(shop.a.id)).data.filter((alert) => alert.type === type);
  const told = () => shop.alerts.filter((alert) => alert === type);
  const tries = async (count: number, outcome: string): Promise<void> => {
    for (let made = 0; made < count; made += 1) {
      shop.advance(1_000);
      await shop.buy({}, {}, { input: { outcome } });
    }
  };

  test("is told of once, and again after it had recovered", async () => {
    await tries(19, "decline");
    expect(await alerts()).toEqual([]);
    await tries(1, "decline");
    await tries(10, "decline");
    const [alert] = await alerts();
    expect(alert).toMatchObject({
      subject: "sandbox",
      livemode: false,
      data: { gateway: "sandbox", tries: 20, declined: 20 },
    });
    expect(await alerts()).toHaveLength(1);
    await shop.storefront.runMaintenance();
    expect(told()).toHaveLength(1);

    await tries(4, "succeed");
    expect(await alerts()).toHaveLength(1);
    await tries(1, "succeed");
    expect(await alerts()).toEqual([]);

    await tries(20, "decline");
    expect(await alerts()).toHaveLength(1);
    expect((await alerts())[0]?.id).not.toBe(alert?.id);
    expect(shop.errors).toEqual([]);
  });

  test("one in twenty that succeeds still counts as declining; two do not", async () => {
    await tries(2, "succeed");
    await tries(18, "decline");
    expect(await alerts()).toEqual([]);
    await tries(1, "decline");
    expect(await alerts()).toHaveLength(1);
  });

  test("another store, and what buyers gave up, count for nothing", async () => {
    await tries(19, "decline");
    const made = await shop.session({});
    const token = shop.tokenOf(made);
    await shop.storefront.checkout.submit(token, {
      payment_method_id: shop.a.method_id,
      input: { outcome: "pending_then_succeed" },
    });
    await shop.storefront.checkout.cancel(token);
    expect(await alerts()).toEqual([]);
    expect((await shop.owner.alerts.list(shop.b.id)).data).toEqual([]);
  });
});
