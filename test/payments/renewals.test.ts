import { beforeEach, describe, expect, test } from "vitest";
import { type Storage, type StorefrontOptions, type Subscription, sandboxGateway } from "vitrine";
import type { PaymentGateway, SandboxRenewal, SavedChargeRequest } from "vitrine/gateway";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const hour = 3_600_000;
const day = 24 * hour;
const consent = "I agree that Store A charges 50.00 BRL every month until I cancel.";

describe.each(storages)("renewals by a saved method, on %s", (_name, open) => {
  let storage: Storage;
  let shop: Shop;
  let where: { store_id: string; livemode: boolean };
  let charges: SavedChargeRequest[];
  beforeEach(async () => {
    storage = await open();
    charges = [];
  });

  /** Opens a shop with a product of every month, whose gateway may answer otherwise. */
  async function openShop(
    gateway: Partial<PaymentGateway> = {},
    options: Partial<StorefrontOptions> = {},
  ): Promise<void> {
    const sandbox = sandboxGateway();
    const watched: PaymentGateway = {
      ...sandbox,
      async chargeSaved(request) {
        charges.push(request);
        return (gateway.chargeSaved ?? sandbox.chargeSaved)?.(request) as never;
      },
      ...(gateway.getPayment && { getPayment: gateway.getPayment }),
    };
    shop = await createShop(storage, {
      limits: { checkout: null },
      gateways: [watched],
      ...options,
    });
    where = { store_id: shop.a.id, livemode: false };
    await shop.owner.paymentMethods.update(shop.a.id, shop.a.method_id, {
      supports_recurring: true,
    });
  }

  async function subscribe(renewals?: SandboxRenewal, submit: object = { consent }) {
    const recurring = { interval: "month" as const, interval_count: 1 };
    const box = { name: "Box", price: 5000, currency: "BRL", recurring };
    const { id } = await shop.owner.products.create(shop.a.id, box);
    const customer = { id: "u_1", email: "ana@example.com" };
    const input = renewals === undefined ? {} : { renewals };
    const order = await shop.buy(
      { items: [{ product_id: id, quantity: 1 }] },
      {},
      { customer, input, ...submit },
    );
    return retrieve(order.subscription_id ?? "");
  }

  const retrieve = (id: string): Promise<Subscription> =>
    shop.storefront.subscriptions.retrieve(id, where);
  const types = async (): Promise<string[]> => {
    const { data } = await shop.owner.events.list({ ...where, limit: 100 });
    return data
      .map(({ type }) => type)
      .filter((type) => type !== "subscription.renewal_upcoming")
      .reverse()
      .slice(4);
  };
  const goTo = async (time: number): Promise<void> => {
    shop.advance(time - shop.now());
    await shop.storefront.runMaintenance();
  };

  test("each period is charged by itself, at its start, by day in the store's zone", async () => {
    await openShop();
    const first = await subscribe();
    expect(first).toMatchObject({
      collection_method: "charge_automatically",
      saved_method: { kind: "pix", label: "Sandbox ···· 4242", expires_at: null },
      next_charge_at: first.current_period_end,
    });

    const end = Date.parse(first.current_period_end);
    await goTo(end - 1);
    expect(charges).toHaveLength(0);
    for (let month = 1; month <= 12; month += 1) {
      const { next_charge_at } = await retrieve(first.id);
      await goTo(Date.parse(next_charge_at ?? ""));
      expect(charges).toHaveLength(month);
    }

    const year = await retrieve(first.id);
    expect(year).toMatchObject({
      status: "active",
      current_period_end: "2027-02-15T12:00:00.000Z",
    });
    expect(new Set(charges.map(({ id }) => id)).size).toBe(12);
    expect(charges[0]).toMatchObject({
      subscription_id: first.id,
      amount: 5000,
      currency: "BRL",
      period_start: end,
      customer: { id: "u_1", email: "ana@example.com" },
    });
    expect(await types()).toEqual(
      Array(12).fill(["order.created", "order.paid", "subscription.renewed"]).flat(),
    );
  });

  test("a process that slept before the call charges nothing, and the next one charges once", async () => {
    const awake = storage;
    let sleeps = false;
    const step: Storage["orders"]["step"] = async (subject, decide) => {
      const result = await awake.orders.step(subject, decide);
      if (sleeps && subject.step === "chargeRenewal") shop.advance(10 * 60_000);
      return result;
    };
    const orders = new Proxy(awake.orders, {
      get: (target, name) => (name === "step" ? step : Reflect.get(target, name, target)),
    });
    storage = { ...awake, orders };
    await openShop();
    const { id, next_charge_at } = await subscribe();

    sleeps = true;
    await goTo(Date.parse(next_charge_at ?? ""));
    expect(charges).toHaveLength(0);

    sleeps = false;
    await goTo(shop.now() + hour);
    await goTo(shop.now() + hour);
    expect(charges).toHaveLength(1);
    expect(await types()).toEqual(["order.created", "order.paid", "subscription.renewed"]);
    expect((await retrieve(id)).status).toBe("active");
  });

  test("a period that begins at night is charged in the morning of the store", async () => {
    await openShop();
    await shop.owner.stores.update(shop.a.id, { timezone: "Asia/Tokyo" });
    const { id, current_period_end } = await subscribe();

    // 12:00 UTC is 21:00 in Tokyo.
    const end = Date.parse(current_period_end);
    await goTo(end);
    expect(charges).toHaveLength(0);
    expect((await retrieve(id)).next_charge_at).toBe("2026-02-15T23:00:00.000Z");
    await goTo(end + 11 * hour - 1);
    expect(charges).toHaveLength(0);
    await goTo(end + 11 * hour);
    expect(charges).toHaveLength(1);
  });

  test("ten processes at once charge a period once", async () => {
    await openShop();
    const { id, current_period_end } = await subscribe();
    shop.advance(Date.parse(current_period_end) - shop.now());

    await Promise.all(Array.from({ length: 10 }, () => shop.storefront.runMaintenance()));
    expect(charges).toHaveLength(1);
    expect((await retrieve(id)).status).toBe("active");
  });

  test("a declined charge is tried on the days 1, 3, 5 and 7, and then the subscription ends", async () => {
    await openShop();
    const { id, current_period_end } = await subscribe("decline");
    const end = Date.parse(current_period_end);

    const tried: number[] = [];
    for (let at = end; at <= end + 10 * day; at += 6 * hour) {
      const before = charges.length;
      await goTo(at);
      if (charges.length > before) tried.push((at - end) / day);
      if (at === end)
        expect(await retrieve(id)).toMatchObject({
          status: "past_due",
          next_charge_at: new Date(end + 2 * day).toISOString(),
        });
    }
    expect(tried).toEqual([0, 2, 4, 6]);
    expect(await retrieve(id)).toMatchObject({ status: "canceled", next_charge_at: null });
    expect(await types()).toEqual([
      "order.created",
      "order.failed",
      "subscription.past_due",
      ...Array(3).fill("order.failed"),
      "subscription.canceled",
    ]);
    expect((await shop.get("/orders", { key: shop.a.test.sec })).body.data).toHaveLength(2);
  });

  test("by option the last try leaves it past due, and the host may still report the payment", async () => {
    await openShop({}, { renewals: { days: [1], afterLast: "leave" } });
    const first = await subscribe("decline");
    const end = Date.parse(first.current_period_end);
    for (let at = end; at <= end + 3 * day; at += 12 * hour) await goTo(at);
    expect(charges).toHaveLength(1);
    expect(await retrieve(first.id)).toMatchObject({ status: "past_due", next_charge_at: null });

    await shop.storefront.subscriptions.renew(first.id, {
      ...where,
      period_start: first.current_period_end,
      reference: "by_hand",
      amount: 5000,
      currency: "BRL",
    });
    const renewed = await retrieve(first.id);
    expect(renewed).toMatchObject({
      status: "active",
      next_charge_at: renewed.current_period_end,
    });
    expect((await types()).slice(-3)).toEqual([
      "order.paid",
      "subscription.renewed",
      "subscription.recovered",
    ]);
  });

  test("a charge that succeeds on a later day pays the same order, and the subscription recovers", async () => {
    await openShop();
    const { id, current_period_end } = await subscribe("decline_then_succeed");
    const end = Date.parse(current_period_end);
    await goTo(end);
    const { latest_order_id } = await retrieve(id);
    await goTo(end + 2 * day);

    expect(await retrieve(id)).toMatchObject({ status: "active", latest_order_id });
    expect(await types()).toEqual([
      "order.created",
      "order.failed",
      "subscription.past_due",
      "order.paid",
      "subscription.renewed",
      "subscription.recovered",
    ]);
  });

  test("a bank that asks for the buyer is not asked again, and the buyer has until the last day", async () => {
    await openShop();
    const { id, current_period_end } = await subscribe("authentication_required");
    const end = Date.parse(current_period_end);
    for (let at = end; at < end + 6 * day; at += 12 * hour) await goTo(at);
    expect(charges).toHaveLength(1);
    expect((await retrieve(id)).status).toBe("past_due");
    expect(await types()).toEqual([
      "order.created",
      "order.failed",
      "subscription.past_due",
      "subscription.payment_action_required",
    ]);

    await goTo(end + 6 * day);
    expect((await retrieve(id)).status).toBe("canceled");
  });

  test("an answer that is lost blocks the next try until the payment is known", async () => {
    let known = false;
    await openShop({
      chargeSaved: async () => {
        throw new Error("no answer");
      },
      getPayment: async ({ id }) => {
        if (!known) throw new Error("no answer");
        return { status: "succeeded", reference: `r_${id}`, amount: 5000, currency: "BRL" };
      },
    });
    const { id, current_period_end } = await subscribe();
    const end = Date.parse(current_period_end);
    for (let at = end; at <= end + 9 * day; at += 6 * hour) await goTo(at);
    expect(charges).toHaveLength(1);
    expect((await retrieve(id)).status).toBe("past_due");

    known = true;
    await goTo(end + 11 * day);
    expect(await retrieve(id)).toMatchObject({
      status: "active",
      current_period_start: current_period_end,
    });
  });

  test("a charge that its process never sent is sent again under its id", async () => {
    let dies = true;
    const sandbox = sandboxGateway();
    await openShop({
      async chargeSaved(request) {
        if (dies) throw new Error("the process dies");
        return sandbox.chargeSaved?.(request) as never;
      },
      getPayment: async (query) => sandbox.getPayment?.(query) ?? null,
    });
    const { id, current_period_end } = await subscribe();
    const end = Date.parse(current_period_end);
    await goTo(end);
    dies = false;
    for (let minutes = 1; minutes <= 30; minutes += 1) await goTo(end + minutes * 60_000);

    expect(charges).toHaveLength(2);
    expect(new Set(charges.map((charge) => charge.id)).size).toBe(1);
    expect((await retrieve(id)).status).toBe("active");
    expect(await types()).toEqual(["order.created", "order.paid", "subscription.renewed"]);
  });

  test("a charge that its process never sent in the evening is sent in the morning", async () => {
    let dies = true;
    const sandbox = sandboxGateway();
    await openShop({
      async chargeSaved(request) {
        if (dies) throw new Error("the process dies");
        return sandbox.chargeSaved?.(request) as never;
      },
      getPayment: async (query) => sandbox.getPayment?.(query) ?? null,
    });
    const { id, current_period_end } = await subscribe();
    const midnight = Math.floor(Date.parse(current_period_end) / day) * day;
    await goTo(midnight + 19.99 * hour);
    expect(charges).toHaveLength(1);
    dies = false;
    for (let hours = 20; hours < 32; hours += 0.5) await goTo(midnight + hours * hour);
    expect(charges).toHaveLength(1);
    for (let hours = 32; hours < 34; hours += 0.5) await goTo(midnight + hours * hour);

    expect(new Set(charges.map((charge) => charge.id)).size).toBe(1);
    expect(charges).toHaveLength(2);
    expect((await retrieve(id)).status).toBe("active");
  });

  test("without the buyer's consent nothing is kept, and the host charges", async () => {
    await openShop();
    const first = await subscribe("succeed", {});
    expect(first).toMatchObject({
      collection_method: "host",
      saved_method: null,
      next_charge_at: null,
    });
    await goTo(Date.parse(first.current_period_end) + 7 * day);
    expect(charges).toHaveLength(0);
    expect((await retrieve(first.id)).status).toBe("active");
  });

  test("nothing is kept of a single purchase, whatever the page sends", async () => {
    const asked: unknown[] = [];
    const { createPayment } = sandboxGateway();
    const gateway: PaymentGateway = {
      ...sandboxGateway(),
      async createPayment(request) {
        asked.push(request.save);
        return createPayment(request);
      },
    };
    shop = await createShop(storage, { limits: { checkout: null }, gateways: [gateway] });
    await shop.buy({}, {}, { consent });
    expect(asked).toEqual([false]);
  });

  test("a gateway that is gone costs no try: the period waits, and the host is told", async () => {
    await openShop();
    const { id, current_period_end } = await subscribe();
    const { storefront } = await createShop(storage, {
      now: () => shop.now(),
      gateways: [],
      onError: (error) => void shop.errors.push(error),
    });
    const end = Date.parse(current_period_end);
    for (const hours of [0, 1, 2]) {
      shop.advance(end + hours * hour - shop.now());
      await storefront.runMaintenance();
    }
    expect((await retrieve(id)).status).toBe("active");
    expect(String(shop.errors)).toContain("Gateway sandbox is not configured");

    await goTo(end + 4 * hour);
    expect(charges).toHaveLength(1);
  });

  test("a subscription that ends with its period is not charged", async () => {
    await openShop();
    const { id, current_period_end } = await subscribe();
    const scheduled = await shop.storefront.subscriptions.cancel(id, where);
    expect(scheduled.next_charge_at).toBeNull();
    await goTo(Date.parse(current_period_end) + day);
    expect(charges).toHaveLength(0);
    expect((await retrieve(id)).status).toBe("canceled");
  });

  test("money of a charge that arrives after the end is told of, and pays nothing", async () => {
    await openShop({
      async chargeSaved({ id, amount, currency }) {
        await shop.storefront.subscriptions.cancel(charges[0]?.subscription_id ?? "", {
          ...where,
          at_period_end: false,
        });
        return { status: "succeeded", reference: `r_${id}`, amount, currency };
      },
    });
    const { id, current_period_end } = await subscribe();
    await goTo(Date.parse(current_period_end));

    const ended = await retrieve(id);
    expect(ended.status).toBe("canceled");
    const order = await shop.storefront.orders.retrieve(ended.latest_order_id ?? "", where);
    expect(order).toMatchObject({ status: "failed", failure_code: "canceled" });
    const { data } = await shop.owner.alerts.list(shop.a.id);
    expect(data.map(({ type }) => type)).toEqual(["payment_after_end"]);
  });

  const linkOf = (id: string) =>
    shop.storefront.subscriptions.payLink(id, { ...where, success_url: "https://shop.example/ok" });
  const tokenOf = (url: string): string => url.split("/").at(-1) ?? "";

  test("a pay link of a price that has changed pays nothing, and the next one has the new price", async () => {
    await openShop();
    const { id } = await subscribe();
    const before = await linkOf(id);
    await shop.storefront.subscriptions.changePrice(id, { ...where, unit_amount: 7000 });

    const method = { payment_method_id: shop.a.method_id, consent };
    await expect(
      shop.storefront.checkout.submit(tokenOf(before.url), method),
    ).rejects.toMatchObject({ code: "session_not_open" });
    const after = await linkOf(id);
    expect(after.url).not.toBe(before.url);
    expect((await linkOf(id)).url).toBe(after.url);

    const paid = await shop.storefront.checkout.submit(tokenOf(after.url), method);
    expect(paid.order).toMatchObject({ status: "paid", amount_total: 7000, subscription_id: id });
  });

  test("a pay link leads back to an address with a query, which names the session", async () => {
    await openShop();
    const { id } = await subscribe();
    const { subscriptions, checkout } = shop.storefront;
    const { url } = await subscriptions.payLink(id, {
      ...where,
      success_url: "https://shop.example/ok?session={CHECKOUT_SESSION_ID}&from=mail#top",
      cancel_url: "http://localhost:3000/back?x=1",
    });
    const { session, success_url, cancel_url } = await checkout.view(tokenOf(url));
    expect([success_url, cancel_url]).toEqual([
      `https://shop.example/ok?session=${session.id}&from=mail`,
      "http://localhost:3000/back?x=1",
    ]);

    for (const wrong of ["javascript:alert(1)", "http://shop.example/", "https://a@shop.example"])
      expect(
        await thrownBy(subscriptions.payLink(id, { ...where, success_url: `${wrong}?a=b` })),
      ).toMatchObject({
        code: "parameter_invalid",
        param: "success_url",
        message: "success_url must be an https address, or one of http://localhost.",
      });
  });

  test("a pay link of 14 days pays the open period, replaces the method, and recovers", async () => {
    await openShop();
    const first = await subscribe("authentication_required");
    const { id, current_period_end } = first;
    const end = Date.parse(current_period_end);
    await goTo(end);
    const { url, expires_at } = await linkOf(id);
    expect(expires_at).toBe(new Date(end + 14 * day).toISOString());
    expect((await linkOf(id)).url).toBe(url);

    const view = await shop.storefront.checkout.view(tokenOf(url));
    expect(view).toMatchObject({
      session: { amount_total: 5000, customer: { email: "ana@example.com" } },
      recurring: { amount: 5000, saved_by: [shop.a.method_id], needs_tax_id: [] },
    });
    shop.advance(day);
    const paid = await shop.storefront.checkout.submit(tokenOf(url), {
      payment_method_id: shop.a.method_id,
      consent,
    });
    expect(paid).toMatchObject({
      status: "paid",
      order: { subscription_id: id, customer: { id: "u_1" } },
    });
    const renewed = await retrieve(id);
    expect(renewed).toMatchObject({
      status: "active",
      current_period_start: current_period_end,
      latest_order_id: paid.order.id,
      next_charge_at: renewed.current_period_end,
    });
    expect((await types()).slice(4)).toEqual([
      "order.created",
      "order.paid",
      "checkout.session.completed",
      "subscription.renewed",
      "subscription.recovered",
    ]);

    // The new method answers otherwise than the first one.
    await goTo(Date.parse(renewed.current_period_end));
    expect((await retrieve(id)).status).toBe("active");
  });

  test("a pay link takes no goods, and nobody changes what it costs", async () => {
    await openShop();
    const { id, product_id } = await subscribe();
    await shop.owner.products.update(shop.a.id, product_id, { stock: 0, price: 1, active: false });
    const { url } = await linkOf(id);
    const session_id = tokenOf(url).split(".")[2];
    const changed = await shop.call("PATCH", `/checkout/sessions/${session_id}`, {
      key: shop.a.test.pub,
      headers: { "idempotency-key": "change" },
      body: { items: [{ product_id: shop.product.id, quantity: 1 }] },
    });
    expect([changed.status, changed.body.error.code]).toEqual([409, "session_not_open"]);

    const { status, order } = await shop.storefront.checkout.submit(tokenOf(url), {
      payment_method_id: shop.a.method_id,
    });
    expect([status, order.amount_total]).toEqual(["paid", 5000]);
    const asked = { ...where, product_ids: [product_id] };
    expect(await shop.owner.products.countStock(asked)).toMatchObject([{ on_hand: 0, held: 0 }]);
  });

  test("a link of a period that was paid, or of a subscription that ended, takes no money", async () => {
    await openShop();
    const { id, current_period_end } = await subscribe();
    await goTo(Date.parse(current_period_end) - day);
    const { url } = await linkOf(id);
    const pay = () =>
      thrownBy(
        shop.storefront.checkout.submit(tokenOf(url), { payment_method_id: shop.a.method_id }),
      );
    await goTo(Date.parse(current_period_end));
    expect(await pay()).toMatchObject({ code: "session_not_open" });

    await shop.storefront.subscriptions.cancel(id, { ...where, at_period_end: false });
    expect(await pay()).toMatchObject({ code: "session_not_open" });
    expect(await thrownBy(linkOf(id))).toMatchObject({ code: "invalid_transition" });
  });

  test("of a buyer's payment and a charge at the same time one pays the period, and the other is a duplicate", async () => {
    await openShop({
      async chargeSaved({ id: reference, subscription_id, amount, currency }) {
        const { url } = await linkOf(subscription_id);
        await shop.storefront.checkout.submit(tokenOf(url), {
          payment_method_id: shop.a.method_id,
        });
        return { status: "succeeded", reference, amount, currency };
      },
    });
    const { id, current_period_end } = await subscribe();
    await goTo(Date.parse(current_period_end));
    expect(await retrieve(id)).toMatchObject({
      status: "active",
      current_period_start: current_period_end,
    });
    const { data } = await shop.owner.alerts.list(shop.a.id);
    expect(data.map(({ type }) => type)).toEqual(["duplicate_payment"]);
  });

  test("a new price, quantity or product counts from the next period, with an event", async () => {
    await openShop();
    const { subscriptions } = shop.storefront;
    const { id, current_period_end } = await subscribe();
    const priced = await subscriptions.changePrice(id, { ...where, unit_amount: 6000 });
    expect(priced).toMatchObject({ unit_amount: 6000, amount: 6000 });
    await subscriptions.changePrice(id, { ...where, unit_amount: 6000 });
    await subscriptions.update(id, { ...where, quantity: 2 });
    expect(await types()).toEqual(["subscription.updated", "subscription.updated"]);

    await goTo(Date.parse(current_period_end));
    expect(charges.map(({ amount }) => amount)).toEqual([12_000]);

    const recurring = { interval: "month" as const, interval_count: 1 };
    const other = await shop.owner.products.create(shop.a.id, {
      name: "Big box",
      price: 9000,
      currency: "BRL",
      recurring,
    });
    const changed = await subscriptions.update(id, { ...where, product_id: other.id });
    expect(changed).toMatchObject({ product_name: "Big box", amount: 18_000 });
    const refused = subscriptions.update(id, { ...where, product_id: shop.product.id });
    expect(await thrownBy(refused)).toMatchObject({ param: "product_id" });
  });

  test("terms that no number holds, and a product that costs nothing, are refused", async () => {
    await openShop();
    const { subscriptions } = shop.storefront;
    const { id } = await subscribe();
    await subscriptions.update(id, { ...where, quantity: 2 });
    const before = await retrieve(id);

    const unit_amount = 2 ** 52;
    const priced = subscriptions.changePrice(id, { ...where, unit_amount });
    const refusal = { code: "amount_out_of_range", param: "unit_amount" };
    expect(await thrownBy(priced)).toMatchObject(refusal);
    const recurring = { interval: "month" as const, interval_count: 1 };
    const made = { name: "Free box", price: 0, currency: "BRL", recurring };
    const { id: product_id } = await shop.owner.products.create(shop.a.id, made);
    const moved = subscriptions.update(id, { ...where, product_id });
    expect(await thrownBy(moved)).toMatchObject({ param: "product_id" });
    expect(await retrieve(id)).toEqual(before);

    await subscriptions.update(id, { ...where, quantity: 1 });
    await subscriptions.changePrice(id, { ...where, unit_amount });
    const counted = subscriptions.update(id, { ...where, quantity: 2 });
    expect(await thrownBy(counted)).toMatchObject({ ...refusal, param: "quantity" });
  });

  test("the terms of a period that is being paid stay", async () => {
    await openShop();
    const { id, current_period_end } = await subscribe("decline");
    await goTo(Date.parse(current_period_end));
    const refused = shop.storefront.subscriptions.changePrice(id, { ...where, unit_amount: 1 });
    expect(await thrownBy(refused)).toMatchObject({ code: "invalid_transition" });
  });

  test("a pause charges nothing, and after it the next period begins at the resumption", async () => {
    await openShop();
    const { subscriptions } = shop.storefront;
    const { id, current_period_end } = await subscribe();
    const paused = await subscriptions.pause(id, where);
    expect(paused).toMatchObject({ status: "active", next_charge_at: null });
    expect(paused.paused_at).not.toBeNull();

    const end = Date.parse(current_period_end);
    await goTo(end + 40 * day);
    expect(charges).toHaveLength(0);
    await subscriptions.resume(id, where);
    await shop.storefront.runMaintenance();
    expect(charges).toHaveLength(1);
    expect(await retrieve(id)).toMatchObject({
      paused_at: null,
      current_period_start: new Date(end + 40 * day).toISOString(),
      current_period_end: "2026-04-27T12:00:00.000Z",
    });
  });

  test("the end with the period is taken back, and the charge follows", async () => {
    await openShop();
    const { subscriptions } = shop.storefront;
    const { id, current_period_end } = await subscribe();
    await subscriptions.cancel(id, where);
    const kept = await subscriptions.keep(id, where);
    expect(kept).toMatchObject({ cancel_at_period_end: false, canceled_at: null });
    await goTo(Date.parse(current_period_end));
    expect(charges).toHaveLength(1);

    await subscriptions.cancel(id, { ...where, at_period_end: false });
    expect(await thrownBy(subscriptions.keep(id, where))).toMatchObject({
      code: "invalid_transition",
    });
  });

  test("the saved reference is stored sealed, and erased with the buyer", async () => {
    await openShop();
    const { id, current_period_end } = await subscribe();
    const record = await storage.orders.find("subscription", where, id);
    expect(record?.renewal?.saved).toMatchObject({ consent: { text: consent } });
    expect(JSON.stringify(record)).not.toContain("sandbox_saved_");

    await shop.owner.eraseCustomer(shop.a.id, "u_1");
    expect((await storage.orders.find("subscription", where, id))?.renewal).toBeUndefined();
    await goTo(Date.parse(current_period_end) + day);
    expect(charges).toHaveLength(0);
  });
});
