import { beforeEach, describe, expect, test } from "vitest";
import { type Storage, sandboxGateway } from "vitrine";
import type { PaymentGateway, PaymentResult } from "vitrine/gateway";
import { sellMonthly } from "../support/monthly-plan.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const consent = "I agree that Store A charges 50.00 BRL every month until I cancel.";
const customer = { id: "u_1", email: "ana@example.com" };

describe.each(storages)("a charge that is no longer needed, on %s", (_name, open) => {
  let storage: Storage;
  let shop: Shop;
  let where: { store_id: string; livemode: boolean };
  /** What the provider knows of charges, by their ids. */
  let charges: Map<string, PaymentResult>;
  /** What the provider knows of slips that a buyer pays at a bank. */
  let slips: Map<string, PaymentResult>;
  /** True while calls are lost before the provider has them. */
  let isCut: boolean;
  /** True while the provider takes a charge and its answers are lost. */
  let isSilent: boolean;

  beforeEach(async () => {
    storage = await open();
    charges = new Map();
    slips = new Map();
    isCut = false;
    isSilent = false;
    const sandbox = sandboxGateway();
    const gateway: PaymentGateway = {
      ...sandbox,
      async chargeSaved({ id, amount, currency }) {
        if (isCut) throw new Error("The call is lost.");
        const taken = { status: "succeeded", reference: `r_${id}`, amount, currency } as const;
        charges.set(id, taken);
        if (isSilent) throw new Error("The answer is lost.");
        return taken;
      },
      async createPayment(request) {
        if (request.method.type !== "boleto") return sandbox.createPayment(request);
        const { id, amount, currency } = request;
        const slow = { status: "pending", reference: `r_${id}`, amount, currency } as const;
        slips.set(id, slow);
        return slow;
      },
      async getPayment(query) {
        const slip = slips.get(query.id);
        if (slip) return slip;
        if (isSilent) throw new Error("No answer.");
        return charges.get(query.id) ?? (await sandbox.getPayment?.(query)) ?? null;
      },
    };
    shop = await createShop(storage, { limits: { checkout: null }, gateways: [gateway] });
    where = { store_id: shop.a.id, livemode: false };
  });

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

  test("is not sent again once the buyer has paid its period by a link", async () => {
    const { id, current_period_end } = await subscribe();
    const end = Date.parse(current_period_end);
    isCut = true;
    await goTo(end);
    isCut = false;
    const link = { ...where, success_url: returnUrl };
    const { url } = await shop.storefront.subscriptions.payLink(id, link);
    const payment = { payment_method_id: shop.a.method_id, customer };
    const { status } = await shop.storefront.checkout.submit(url.split("/").at(-1) ?? "", payment);
    expect(status).toBe("paid");

    for (let minutes = 1; minutes <= 30; minutes += 1) await goTo(end + minutes * minute);
    expect([...charges.keys()]).toEqual([]);
    expect(await find(id)).toMatchObject({
      status: "active",
      current_period_start: current_period_end,
    });
  });

  /** Begins a slow payment by a link, an hour before the period ends. */
  const subscribeAndPaySlowly = async () => {
    const boleto = await shop.owner.paymentMethods.create(shop.a.id, {
      ...{ type: "boleto", name: "Boleto", currencies: ["BRL"], gateway: "sandbox" },
      ...{ settlement: "delayed", supports_recurring: true },
    });
    const { id, current_period_end } = await subscribe();
    const end = Date.parse(current_period_end);
    shop.advance(end - hour - shop.now());
    const { url } = await shop.storefront.subscriptions.payLink(id, {
      ...where,
      success_url: returnUrl,
    });
    const payment = { payment_method_id: boleto.id, customer };
    await shop.storefront.checkout.submit(url.split("/").at(-1) ?? "", payment);
    return { id, current_period_end, end };
  };

  test("waits while the buyer's payment by a link may still come, for days where it is slow", async () => {
    const { id, current_period_end, end } = await subscribeAndPaySlowly();
    for (let hours = 0; hours < 70; hours += 5) await goTo(end + hours * hour);
    expect(charges.size).toBe(0);

    for (const [key, slip] of slips) slips.set(key, { ...slip, status: "succeeded" });
    for (let hours = 70; hours <= 76; hours += 1) await goTo(end + hours * hour);
    expect(charges.size).toBe(0);
    expect(await find(id)).toMatchObject({
      status: "active",
      current_period_start: current_period_end,
    });
  });

  test("leaves the period to a payment by a link that runs when a pause ends", async () => {
    const { id, end } = await subscribeAndPaySlowly();
    await shop.storefront.subscriptions.pause(id, where);
    await goTo(end + hour);
    const resumed = await shop.storefront.subscriptions.resume(id, where);
    await goTo(end + 2 * hour);

    for (const [key, slip] of slips) slips.set(key, { ...slip, status: "succeeded" });
    for (let hours = 3; hours <= 76; hours += 4) await goTo(end + hours * hour);
    expect(charges.size).toBe(0);
    expect(await find(id)).toMatchObject({
      status: "active",
      current_period_start: resumed.current_period_end,
    });
    expect((await shop.owner.alerts.list(shop.a.id)).data).toEqual([]);
  });

  test("is not sent again while the subscription is paused", async () => {
    const { id, current_period_end } = await subscribe();
    const end = Date.parse(current_period_end);
    isCut = true;
    await goTo(end);
    isCut = false;
    await shop.storefront.subscriptions.pause(id, where);
    await goTo(end + 30 * minute);
    await goTo(end + 60 * minute);
    expect([...charges.keys()]).toEqual([]);

    await shop.storefront.subscriptions.resume(id, where);
    for (let days = 1; days <= 4; days += 1) await goTo(end + days * day);
    expect(charges.size).toBe(1);
    expect((await find(id)).status).toBe("active");
  });

  test("is waited for when a pause ends before its result is known", async () => {
    const { id, current_period_end } = await subscribe();
    const end = Date.parse(current_period_end);
    isSilent = true;
    await goTo(end);
    await shop.storefront.subscriptions.pause(id, where);
    shop.advance(minute);
    const resumed = await shop.storefront.subscriptions.resume(id, where);
    expect(resumed.current_period_end).toBe(current_period_end);
    await goTo(end + 10 * minute);
    isSilent = false;
    for (let days = 1; days <= 4; days += 1) await goTo(end + days * day);
    expect(charges.size).toBe(1);
    expect(await find(id)).toMatchObject({
      status: "active",
      current_period_start: new Date(end + minute).toISOString(),
    });
    expect((await shop.owner.alerts.list(shop.a.id)).data).toEqual([]);
  });
});
