import { beforeEach, describe, expect, test } from "vitest";
import { sandboxGateway } from "vitrine";
import type { PaymentGateway, PaymentResult } from "vitrine/gateway";
import { sellMonthly } from "../support/monthly-plan.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const hour = 3_600_000;
const day = 24 * hour;
const customer = { id: "u_1", email: "ana@example.com" };
const consent = "I agree that Store A charges 50.00 BRL every month until I cancel.";

describe.each(storages)("a payment by a link that runs when a pause ends, on %s", (_name, open) => {
  let shop: Shop;
  let where: { store_id: string; livemode: boolean };
  /** What the provider knows of slips that a buyer pays at a bank. */
  let slips: Map<string, PaymentResult>;
  /** The ids of the charges of saved methods. */
  let charges: string[];

  beforeEach(async () => {
    slips = new Map();
    charges = [];
    const sandbox = sandboxGateway();
    const gateway: PaymentGateway = {
      ...sandbox,
      async chargeSaved({ id, amount, currency }) {
        charges.push(id);
        return { status: "succeeded", reference: `r_${id}`, amount, currency };
      },
      async createPayment(request) {
        if (request.method.type !== "boleto") return sandbox.createPayment(request);
        const { id, amount, currency } = request;
        const slip = { status: "pending", reference: `r_${id}`, amount, currency } as const;
        slips.set(id, slip);
        return slip;
      },
      async getPayment(query) {
        return slips.get(query.id) ?? (await sandbox.getPayment?.(query)) ?? null;
      },
    };
    shop = await createShop(await open(), { limits: { checkout: null }, gateways: [gateway] });
    where = { store_id: shop.a.id, livemode: false };
  });

  const find = (id: string) => shop.storefront.subscriptions.retrieve(id, where);
  const alerts = async () =>
    (await shop.owner.alerts.list(shop.a.id)).data.map((alert) => alert.type);
  const iso = (): string => new Date(shop.now()).toISOString();

  /** Sells a plan, pauses it over four of its periods, and begins a slow payment of a link. */
  const payInPause = async (kept: { readonly consent?: string }) => {
    const { subscriptions, checkout } = shop.storefront;
    const items = [{ product_id: await sellMonthly(shop), quantity: 1 }];
    const order = await shop.buy({ items }, {}, { customer, ...kept });
    const id = order.subscription_id ?? "";
    await subscriptions.pause(id, where);
    shop.advance(130 * day);

    const boleto = await shop.owner.paymentMethods.create(shop.a.id, {
      ...{ type: "boleto", name: "Boleto", currencies: ["BRL"], gateway: "sandbox" },
      ...{ settlement: "delayed", supports_recurring: true },
    });
    const { url } = await subscriptions.payLink(id, { ...where, success_url: returnUrl });
    const payment = { payment_method_id: boleto.id, customer };
    await checkout.submit(url.split("/").at(-1) ?? "", payment);
    shop.advance(hour);
    return id;
  };
  const paySlips = (): void => {
    for (const [id, slip] of slips) slips.set(id, { ...slip, status: "succeeded" });
  };

  test("pays the period of the resumption, where the host charges", async () => {
    const id = await payInPause({});
    const resumed = await shop.storefront.subscriptions.resume(id, where);
    expect(resumed).toMatchObject({ collection_method: "host", current_period_end: iso() });

    paySlips();
    shop.advance(hour);
    await shop.storefront.runMaintenance();
    const paid = await find(id);
    expect(paid).toMatchObject({
      status: "active",
      current_period_start: resumed.current_period_end,
    });
    expect(Date.parse(paid.current_period_end)).toBeGreaterThan(shop.now() + 27 * day);
    expect(await alerts()).toEqual([]);
  });

  test("and that ends at the same moment is the money of one period", async () => {
    const id = await payInPause({});
    paySlips();
    await Promise.all([
      shop.storefront.subscriptions.resume(id, where),
      shop.storefront.runMaintenance(),
    ]);
    expect(await find(id)).toMatchObject({ status: "active", paused_at: null });
    const { data } = await shop.owner.orders.list({ ...where, status: "paid" });
    expect(data.map(({ subscription_id }) => subscription_id)).toEqual([id, id]);
    expect(await alerts()).toEqual([]);
  });

  test("is told to the owner once the host has charged the period of the resumption", async () => {
    const id = await payInPause({});
    const { subscriptions } = shop.storefront;
    const { current_period_end: period_start } = await subscriptions.resume(id, where);
    const money = { reference: "host_1", amount: 5000, currency: "BRL" };
    await subscriptions.renew(id, { ...where, period_start, ...money });

    paySlips();
    shop.advance(hour);
    await shop.storefront.runMaintenance();
    expect((await find(id)).current_period_start).toBe(period_start);
    expect(await alerts()).toEqual(["payment_after_end"]);
  });

  test("leaves no months of the pause to the saved method", async () => {
    const id = await payInPause({ consent });
    const { current_period_end } = await shop.storefront.subscriptions.resume(id, where);
    expect(current_period_end).toBe(iso());

    paySlips();
    for (let days = 0; days < 20; days += 1) {
      shop.advance(day);
      await shop.storefront.runMaintenance();
    }
    expect(charges).toEqual([]);
    expect(await find(id)).toMatchObject({
      status: "active",
      current_period_start: current_period_end,
    });
    expect(await alerts()).toEqual([]);
  });

  test("that fails leaves the period of the resumption to the saved method, once", async () => {
    const id = await payInPause({ consent });
    const { current_period_end } = await shop.storefront.subscriptions.resume(id, where);
    for (const [key, slip] of slips) slips.set(key, { ...slip, status: "failed" });
    for (let days = 0; days < 20; days += 1) {
      shop.advance(day);
      await shop.storefront.runMaintenance();
    }
    expect(charges).toHaveLength(1);
    expect((await find(id)).current_period_start).toBe(current_period_end);
  });
});
