import { beforeEach, describe, expect, test } from "vitest";
import { type Storage, sandboxGateway } from "vitrine";
import type { SavedMethodQuery } from "vitrine/gateway";
import { sellMonthly } from "../support/monthly-plan.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const minute = 60_000;
const consent = "I agree that Store A charges 50.00 BRL every month until I cancel.";
const customer = { id: "u_1", email: "ana@example.com" };

describe.each(storages)("a saved method that is charged no more, on %s", (_name, open) => {
  let shop: Shop;
  let storage: Storage;
  let where: { store_id: string; livemode: boolean };
  let asked: SavedMethodQuery[];
  let isAway: boolean;
  beforeEach(async () => {
    storage = await open();
    asked = [];
    isAway = false;
    await openShop();
  });

  async function openShop(): Promise<void> {
    const sandbox = sandboxGateway();
    const gateway = {
      ...sandbox,
      async forgetSaved(query: SavedMethodQuery) {
        asked.push(query);
        if (isAway) throw new Error("The provider is away.");
        await sandbox.forgetSaved?.(query);
      },
    };
    shop = await createShop(storage, { limits: { checkout: null }, gateways: [gateway] });
    where = { store_id: shop.a.id, livemode: false };
  }

  const subscribe = async () => {
    const items = [{ product_id: await sellMonthly(shop), quantity: 1 }];
    const order = await shop.buy({ items }, {}, { customer, consent });
    return order.subscription_id ?? "";
  };
  const run = async (ms = 0): Promise<void> => {
    shop.advance(ms);
    await shop.storefront.runMaintenance();
  };
  const references = () => asked.map(({ saved_reference }) => saved_reference);

  test("is forgotten once the subscription has ended, at once or with its period", async () => {
    const now = await subscribe();
    const later = await subscribe();
    await shop.storefront.subscriptions.cancel(now, { ...where, at_period_end: false });
    await shop.storefront.subscriptions.cancel(later, { ...where, at_period_end: true });
    await run();
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ store_id: shop.a.id, customer });
    await run(32 * 24 * 60 * minute);
    await run();
    expect(new Set(references()).size).toBe(2);
    await run(60 * minute);
    expect(asked).toHaveLength(2);
  });

  test("is forgotten once another one has taken its place, which goes on being charged", async () => {
    const id = await subscribe();
    const link = { ...where, success_url: returnUrl };
    const { url } = await shop.storefront.subscriptions.payLink(id, link);
    await shop.storefront.checkout.submit(url.split("/").at(-1) ?? "", {
      payment_method_id: shop.a.method_id,
      customer,
      consent,
    });
    await run();
    expect(asked).toHaveLength(1);
    const { current_period_end } = await shop.storefront.subscriptions.retrieve(id, where);
    await run(Date.parse(current_period_end) - shop.now());
    expect(await shop.storefront.subscriptions.retrieve(id, where)).toMatchObject({
      status: "active",
      current_period_start: current_period_end,
    });
  });

  test("is asked for until the provider has answered, ever more seldom", async () => {
    isAway = true;
    const id = await subscribe();
    await shop.storefront.subscriptions.cancel(id, { ...where, at_period_end: false });
    await run();
    await run();
    expect(asked).toHaveLength(1);
    for (const wait of [1, 2, 4, 8]) await run(wait * minute);
    expect(asked).toHaveLength(5);

    isAway = false;
    await run(16 * minute);
    expect(asked).toHaveLength(6);
    await run(48 * 60 * minute);
    expect(asked).toHaveLength(6);
    expect(new Set(references()).size).toBe(1);
  });

  test("is not lost by a process that dies after the provider has answered", async () => {
    const id = await subscribe();
    await shop.storefront.subscriptions.cancel(id, { ...where, at_period_end: false });
    const { step } = storage.orders;
    let dies = true;
    storage.orders.step = (subject, decide) => {
      if (dies && subject.step === "noteForgotten") throw new Error("The process is dead.");
      return step.call(storage.orders, subject, decide) as never;
    };
    await run();
    expect(asked).toHaveLength(1);
    dies = false;
    await run(11 * minute);
    expect(asked).toHaveLength(2);
    await run(11 * minute);
    expect(asked).toHaveLength(2);
  });

  describe("of a buyer who is erased", () => {
    const erase = () => shop.owner.eraseCustomer(shop.a.id, customer.id);
    const names = () => asked.map(({ customer: { id } }) => id);

    test("is forgotten within the call, which still names the buyer to the provider", async () => {
      await subscribe();
      await subscribe();
      expect(await erase()).toBe(true);
      expect(new Set(references()).size).toBe(2);
      expect(asked[0]).toMatchObject({ store_id: shop.a.id, customer });
      await run(48 * 60 * minute);
      expect(asked).toHaveLength(2);
    });

    test("is asked for until the provider has answered, though nobody knows their name", async () => {
      isAway = true;
      const id = await subscribe();
      expect(await erase()).toBe(true);
      expect(names()).toEqual([customer.id]);
      await run(minute);
      await run(2 * minute);
      expect(names()).toEqual([customer.id, "cus_erased", "cus_erased"]);
      isAway = false;
      await run(4 * minute);
      await run(48 * 60 * minute);
      expect(asked).toHaveLength(4);
      expect(new Set(references()).size).toBe(1);
      expect(await shop.storefront.subscriptions.retrieve(id, where)).toMatchObject({
        collection_method: "host",
        saved_method: null,
        customer: { id: "cus_erased" },
      });
    });

    test("is forgotten though the process dies before it has asked the provider", async () => {
      const id = await subscribe();
      const { find } = storage.orders;
      storage.orders.find = () => Promise.reject(new Error("The process is dead."));
      await expect(erase()).rejects.toThrow("The process is dead.");
      storage.orders.find = find;
      expect(asked).toEqual([]);
      await run();
      expect(names()).toEqual(["cus_erased"]);
      expect(await storage.orders.find("subscription", where, id)).toMatchObject({ forget: null });
    });

    test("is forgotten where its subscription had ended, and keeps nothing of another buyer", async () => {
      const ended = await subscribe();
      const items = [{ product_id: await sellMonthly(shop), quantity: 1 }];
      const bia = { id: "u_2", email: "bia@example.com" };
      await shop.buy({ items }, {}, { customer: bia, consent });
      isAway = true;
      await shop.storefront.subscriptions.cancel(ended, { ...where, at_period_end: false });
      await run();
      isAway = false;
      await erase();
      await run(48 * 60 * minute);
      expect(names()).toEqual([customer.id, customer.id]);
    });
  });
});
