import { beforeEach, describe, expect, test } from "vitest";
import { type Storage, sandboxGateway } from "vitrine";
import type { PaymentGateway, PaymentResult, SavedMethodGoneFact } from "vitrine/gateway";
import { sellMonthly } from "../support/monthly-plan.ts";
import { notifier } from "../support/notify.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const hour = 3_600_000;
const day = 24 * hour;
const consent = "I agree that Store A charges 50.00 BRL every month until I cancel.";
const customer = { id: "u_1", email: "ana@example.com" };

describe.each(storages)("a provider that is told of a charge in advance, on %s", (_name, open) => {
  let storage: Storage;
  let shop: Shop;
  let where: { store_id: string; livemode: boolean };
  /** What the provider takes on its day, by the ids of the charges. */
  let charges: Map<string, PaymentResult>;
  beforeEach(async () => {
    storage = await open();
    charges = new Map();
    shop = await createShop(storage, { limits: { checkout: null }, gateways: [ahead()] });
    where = { store_id: shop.a.id, livemode: false };
  });

  function ahead(): PaymentGateway {
    const sandbox = sandboxGateway();
    return {
      ...sandbox,
      chargeAheadDays: 5,
      async chargeSaved({ id, amount, currency, period_start: expires_at }) {
        const pending = { status: "pending", amount, currency, expires_at } as const;
        charges.set(id, { ...pending, reference: `charge_${id}`, expires_at: expires_at + day });
        return charges.get(id) as PaymentResult;
      },
      getPayment: async (query) => charges.get(query.id) ?? sandbox.getPayment?.(query) ?? null,
      async cancelPayment(query) {
        const known = charges.get(query.id);
        if (!known) return sandbox.cancelPayment?.(query);
        const { reference, amount, currency } = known;
        const over = { reference, amount, currency, failure_code: "canceled" } as const;
        charges.set(query.id, { ...over, status: "failed" });
        return charges.get(query.id);
      },
      async parseNotification({ body }) {
        const told: SavedMethodGoneFact = JSON.parse(new TextDecoder().decode(body));
        return [{ ...told, notification_id: `gone_${told.payment_id}` }];
      },
    };
  }

  const subscribe = async () => {
    const items = [{ product_id: await sellMonthly(shop), quantity: 1 }];
    const order = await shop.buy({ items }, {}, { customer, consent });
    return find(order.subscription_id ?? "");
  };
  const find = (id: string) => shop.storefront.subscriptions.retrieve(id, where);
  const goTo = async (time: number): Promise<void> => {
    shop.advance(time - shop.now());
    await shop.storefront.runMaintenance();
  };
  const stands = () => [...charges.values()].map(({ status }) => status);
  const events = async () =>
    (await shop.owner.events.list({ ...where, limit: 100 })).data.map(({ type }) => type);

  /** Tells that the method of the newest payment, or of another one, is gone. */
  async function tellGone(payment_id?: string): Promise<number> {
    const { data } = await shop.owner.payments.list(where);
    const id = payment_id ?? data.at(-1)?.id;
    const body = JSON.stringify({ type: "saved_method_gone", payment_id: id });
    return notifier(() => shop.storefront)({ gateway: "sandbox", body });
  }

  test("charges before the period, and takes back what a cancel or a pause made needless", async () => {
    const { id, current_period_end, next_charge_at } = await subscribe();
    const { subscriptions } = shop.storefront;
    expect(next_charge_at).toBe(current_period_end);
    const end = Date.parse(current_period_end);
    await goTo(end - 5 * day - 1);
    expect(stands()).toEqual([]);
    await goTo(end - 5 * day);
    expect(stands()).toEqual(["pending"]);

    await subscriptions.cancel(id, { ...where, at_period_end: true });
    await goTo(end - 5 * day + hour);
    expect(stands()).toEqual(["failed"]);
    expect((await find(id)).status).toBe("active");
    await subscriptions.keep(id, where);
    await goTo(end - 4 * day);
    expect(stands()).toEqual(["failed", "pending"]);

    await subscriptions.pause(id, where);
    await goTo(end - 4 * day + hour);
    expect(stands()).toEqual(["failed", "failed"]);
    expect(await find(id)).toMatchObject({ status: "active", next_charge_at: null });
    await subscriptions.resume(id, where);
    await goTo(end - 3 * day);
    expect(stands()).toEqual(["failed", "failed", "pending"]);

    const [last = ""] = [...charges.keys()].slice(-1);
    const asked = charges.get(last);
    if (asked) charges.set(last, { ...asked, status: "succeeded" });
    await goTo(end);
    expect(await find(id)).toMatchObject({
      status: "active",
      current_period_start: current_period_end,
    });
  });

  test("charges the price of now once a charge was taken back", async () => {
    const { id, current_period_end } = await subscribe();
    const { subscriptions } = shop.storefront;
    const end = Date.parse(current_period_end);
    await goTo(end - 5 * day);
    await subscriptions.pause(id, where);
    await goTo(end - 5 * day + hour);
    await subscriptions.changePrice(id, { ...where, unit_amount: 7000 });
    await subscriptions.resume(id, where);
    await goTo(end - 4 * day);
    expect([...charges.values()].map(({ amount }) => amount)).toEqual([5000, 7000]);
  });

  test("takes back the charge of a period that the buyer has paid by a link", async () => {
    const { id, current_period_end } = await subscribe();
    const end = Date.parse(current_period_end);
    await goTo(end - 5 * day);
    const link = { ...where, success_url: returnUrl };
    const { url } = await shop.storefront.subscriptions.payLink(id, link);
    const { method_id: payment_method_id } = shop.a;
    const token = url.split("/").at(-1) ?? "";
    await shop.storefront.checkout.submit(token, { payment_method_id, customer });
    await goTo(end - 5 * day + hour);
    expect(stands()).toEqual(["failed"]);
    expect(await find(id)).toMatchObject({
      status: "active",
      current_period_start: current_period_end,
    });
  });

  test("takes back the charge of a buyer who is erased, and calls nothing past due", async () => {
    const { id, current_period_end } = await subscribe();
    const end = Date.parse(current_period_end);
    await goTo(end - 5 * day);
    expect(stands()).toEqual(["pending"]);
    await shop.owner.eraseCustomer(where.store_id, customer.id);
    for (const [charge, { reference, amount, currency }] of charges) {
      const over = { reference, amount, currency, failure_code: "canceled" } as const;
      charges.set(charge, { ...over, status: "failed" });
    }
    await goTo(end - 4 * day);
    expect(await find(id)).toMatchObject({ status: "active", collection_method: "host" });
    expect(await events()).not.toContain("subscription.past_due");
  });

  test("tells that a method is gone: the buyer is asked once, and the paid period goes on", async () => {
    const { id, current_period_end } = await subscribe();
    expect(await tellGone()).toBe(200);
    expect(await tellGone()).toBe(200);
    expect(await find(id)).toMatchObject({ status: "active", next_charge_at: null });
    const asked = (await events()).filter((type) => type.endsWith("action_required"));
    expect(asked).toHaveLength(1);

    const end = Date.parse(current_period_end);
    await goTo(end - 1);
    expect(stands()).toEqual([]);
    await goTo(end);
    expect(stands()).toEqual(["pending"]);
  });

  test.each(["pay_01HZZZZZZZZZZZZZZZZZZZZZZZ", "unknown"])(
    "leaves all as it is when it names the payment %s",
    async (payment_id) => {
      const { id, next_charge_at } = await subscribe();
      expect(await tellGone(payment_id)).toBe(200);
      expect((await find(id)).next_charge_at).toBe(next_charge_at);
      expect(await events()).not.toContain("subscription.payment_action_required");
    },
  );

  test("leaves a subscription that ends, or that another method pays, as it is", async () => {
    const ending = await subscribe();
    await shop.storefront.subscriptions.cancel(ending.id, { ...where, at_period_end: true });
    await tellGone();
    const replaced = await subscribe();
    const link = { ...where, success_url: returnUrl };
    const { url } = await shop.storefront.subscriptions.payLink(replaced.id, link);
    const payment = { payment_method_id: shop.a.method_id, customer, consent };
    const { data } = await shop.owner.payments.list(where);
    await shop.storefront.checkout.submit(url.split("/").at(-1) ?? "", payment);
    for (const { id } of data) await tellGone(id);
    expect(await events()).not.toContain("subscription.payment_action_required");
    expect((await find(replaced.id)).next_charge_at).not.toBeNull();
  });
});
