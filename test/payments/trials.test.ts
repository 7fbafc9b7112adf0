import { beforeEach, describe, expect, test } from "vitest";
import { type Storage, sandboxGateway } from "vitrine";
import type { PaymentGateway, PaymentRequest, SavedChargeRequest } from "vitrine/gateway";
import { type Message, sendMessages } from "vitrine/mail";
import { notifier } from "../support/notify.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const day = 86_400_000;
const consent = "14 days free, then R$ 50.00 every month.";
const ana = { id: "u_1", email: "ana@example.com" };

describe.each(storages)("a trial, on %s", (_name, open) => {
  let storage: Storage;
  let shop: Shop;
  let where: { store_id: string; livemode: boolean };
  let product_id: string;
  let payments: PaymentRequest[];
  let saves: PaymentRequest[];
  let charges: SavedChargeRequest[];
  beforeEach(async () => {
    storage = await open();
    [payments, saves, charges] = [[], [], []];
    await openShop();
  });

  async function openShop(changes: Partial<PaymentGateway> = {}): Promise<void> {
    const sandbox = sandboxGateway();
    const gateway: PaymentGateway = {
      ...sandbox,
      createPayment(request) {
        payments.push(request);
        return sandbox.createPayment(request);
      },
      saveMethod(request) {
        saves.push(request);
        return sandbox.saveMethod?.(request) as never;
      },
      chargeSaved(request) {
        charges.push(request);
        return sandbox.chargeSaved?.(request) as never;
      },
      ...changes,
    };
    shop = await createShop(storage, { limits: { checkout: null }, gateways: [gateway] });
    where = { store_id: shop.a.id, livemode: false };
    const { owner, a } = shop;
    await owner.paymentMethods.update(a.id, a.method_id, { supports_recurring: true });
    const recurring = { interval: "month" as const, interval_count: 1, trial_days: 14 };
    const box = { name: "Box", price: 5000, currency: "BRL", stock: 40, recurring };
    product_id = (await owner.products.create(a.id, box)).id;
  }

  const begin = (more: object = {}) =>
    shop.session({ items: [{ product_id, quantity: 1 }], ...more });
  const submit = async (more: object = {}, session: object = {}) => {
    const answer = await begin(session);
    expect(answer.status).toBe(201);
    return shop.storefront.checkout.submit(shop.tokenOf(answer), {
      payment_method_id: shop.a.method_id,
      customer: ana,
      consent,
      ...more,
    });
  };
  const retrieve = (id: string | null) => shop.storefront.subscriptions.retrieve(id ?? "", where);
  const goTo = async (time: string | number): Promise<void> => {
    shop.advance(new Date(time).getTime() - shop.now());
    await shop.storefront.runMaintenance();
  };
  const types = async (): Promise<string[]> =>
    (await shop.owner.events.list({ ...where, limit: 100 })).data.map(({ type }) => type).reverse();

  test("whose buyer has let two methods be kept has the one forgotten that it does not use", async () => {
    const forgotten: string[] = [];
    const open = ({ id, currency }: { id: string; currency: string }) =>
      ({ reference: `set_${id}`, amount: 0, currency }) as const;
    await openShop({
      saveMethod: async (request) => {
        saves.push(request);
        return { ...open(request), status: "pending" };
      },
      cancelPayment: async (query) => ({
        ...open({ id: query.id, currency: "BRL" }),
        ...{ status: "failed", failure_code: "canceled" },
      }),
      forgetSaved: async ({ saved_reference }) => void forgotten.push(saved_reference),
      parseNotification: async ({ body }) => {
        const id = new TextDecoder().decode(body);
        const saved_method = { reference: `kept_${id}`, kind: "card", label: "Visa" };
        const told = { ...open({ id, currency: "BRL" }), status: "succeeded" } as const;
        return [{ ...told, type: "payment", payment_id: id, notification_id: id, saved_method }];
      },
    });
    const { owner, a } = shop;
    const card = { type: "card", name: "Card", currencies: ["BRL"], gateway: "sandbox" } as const;
    const other = await owner.paymentMethods.create(a.id, { ...card, supports_recurring: true });
    const token = shop.tokenOf(await begin());
    for (const payment_method_id of [a.method_id, other.id])
      await shop.storefront.checkout.submit(token, { payment_method_id, customer: ana, consent });
    const [first, second] = saves.map(({ id }) => id);
    const tell = (body = "") => notifier(() => shop.storefront)({ gateway: "sandbox", body });
    expect([await tell(second), await tell(first)]).toEqual([200, 200]);

    await shop.storefront.runMaintenance();
    expect(forgotten).toEqual([`kept_${first}`]);
    const { data } = await owner.subscriptions.list(where);
    expect(data.map(({ status, saved_method }) => [status, saved_method?.kind])).toEqual([
      ["trialing", "card"],
    ]);
  });

  test("keeps the method without a charge, and is charged for at its end", async () => {
    const answer = await begin();
    expect(answer.body.data).toMatchObject({
      amount_subtotal: 5000,
      amount_discount: 5000,
      amount_total: 0,
      coupon_code: null,
    });
    const token = shop.tokenOf(answer);
    expect((await shop.storefront.checkout.view(token)).recurring).toEqual({
      interval: "month",
      interval_count: 1,
      trial_days: 14,
      amount: 5000,
      saved_by: [shop.a.method_id],
      needs_tax_id: [],
    });
    const { status, order } = await submit();
    expect([status, order.status, order.amount_total]).toEqual(["paid", "paid", 0]);
    expect([payments, charges]).toEqual([[], []]);
    expect(saves).toMatchObject([{ amount: 0, currency: "BRL", save: true, customer: ana }]);
    const next_period_start = shop.now() + 14 * day;
    const terms = { interval: "month", interval_count: 1, amount: 5000, next_period_start };
    expect(saves[0]?.recurring, "the period behind the trial is the next one").toEqual(terms);
    expect(await shop.storefront.orders.listPayments(order.id, where)).toEqual([]);

    const first = await retrieve(order.subscription_id);
    const end = new Date(shop.now() + 14 * day).toISOString();
    expect(first).toMatchObject({
      status: "trialing",
      amount: 5000,
      current_period_end: end,
      trial_end: end,
      collection_method: "charge_automatically",
      next_charge_at: end,
    });
    expect(await types()).toEqual([
      "order.created",
      "order.paid",
      "checkout.session.completed",
      "subscription.created",
    ]);
    expect(await shop.owner.subscriptions.summary(where)).toMatchObject({
      trialing: 1,
      active: 0,
      monthly: [],
    });
    expect(
      (await shop.owner.subscriptions.list({ ...where, status: "trialing" })).data,
    ).toHaveLength(1);

    await goTo(Date.parse(end) - 1);
    expect(charges).toEqual([]);
    await goTo(end);
    expect(charges).toMatchObject([{ amount: 5000, period_start: Date.parse(end) }]);
    expect(await retrieve(first.id)).toMatchObject({
      status: "active",
      current_period_start: end,
      current_period_end: "2026-02-28T12:00:00.000Z",
      trial_end: end,
    });
    await goTo("2026-02-28T12:00:00.000Z");
    expect(charges).toHaveLength(2);
    expect((await shop.owner.subscriptions.summary(where)).monthly).toEqual([
      { currency: "BRL", amount: 5000 },
    ]);
  });

  test("that is canceled charges nothing, and is ended with the trial or at once", async () => {
    const { order } = await submit();
    const id = order.subscription_id ?? "";
    await shop.storefront.subscriptions.cancel(id, { ...where, at_period_end: true });
    expect((await retrieve(id)).status).toBe("trialing");
    const other = (await submit({ customer: { id: "u_2" } })).order.subscription_id ?? "";
    await shop.storefront.subscriptions.cancel(other, { ...where, at_period_end: false });
    expect((await retrieve(other)).status).toBe("canceled");
    for (const days of [14, 15, 20]) await goTo(shop.now() + days * day);
    expect(charges).toEqual([]);
    expect((await retrieve(id)).status).toBe("canceled");
  });

  test("whose charge fails is past due, and recovers", async () => {
    const { order } = await submit({ input: { renewals: "decline_then_succeed" } });
    const { trial_end, id } = await retrieve(order.subscription_id);
    await goTo(trial_end ?? "");
    expect((await retrieve(id)).status).toBe("past_due");
    await goTo(Date.parse(trial_end ?? "") + 2 * day);
    expect((await retrieve(id)).status).toBe("active");
    expect(await types()).toContain("subscription.recovered");
  });

  test("is had once by a buyer and product, by the id or the folded e-mail", async () => {
    await submit({ customer: { email: "Ana@Example.com" } });
    const again = submit({ customer: { email: "ana@example.com" } });
    expect(await thrownBy(again)).toMatchObject({ code: "trial_used" });
    await submit({ customer: { id: "u_7", email: "x@example.com" } });
    expect(await thrownBy(submit({ customer: { id: "u_7" } }))).toMatchObject({
      code: "trial_used",
    });
    expect(saves).toHaveLength(2);

    const recurring = { interval: "month" as const, interval_count: 1, trial_days: 7 };
    const made = { name: "Other", price: 100, currency: "BRL", recurring };
    const other = await shop.owner.products.create(shop.a.id, made);
    const items = [{ product_id: other.id, quantity: 1 }];
    expect((await submit({ customer: { id: "u_7" } }, { items })).status).toBe("paid");

    const paid = await submit({ customer: { id: "u_7" } }, { trial: false });
    expect([paid.status, paid.order.amount_total]).toEqual(["paid", 5000]);
    expect(await retrieve(paid.order.subscription_id)).toMatchObject({
      status: "active",
      trial_end: null,
    });
  });

  test("is had once by a buyer who submits it ten times at once", async () => {
    const tokens = await Promise.all(
      Array.from({ length: 10 }, async () => shop.tokenOf(await begin())),
    );
    const all = await Promise.allSettled(
      tokens.map((token) =>
        shop.storefront.checkout.submit(token, {
          payment_method_id: shop.a.method_id,
          customer: ana,
          consent,
        }),
      ),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await shop.owner.subscriptions.list(where)).data).toHaveLength(1);
  });

  test("whose method was refused is not had, and is tried again", async () => {
    const answer = await begin();
    const token = shop.tokenOf(answer);
    const by = { payment_method_id: shop.a.method_id, customer: ana, consent };
    const { checkout } = shop.storefront;
    const failed = await checkout.submit(token, { ...by, input: { outcome: "decline" } });
    expect([failed.status, failed.order.failure_code]).toEqual(["failed", "declined"]);
    expect((await checkout.submit(token, by)).status).toBe("paid");
    expect((await shop.owner.subscriptions.list(where)).data).toHaveLength(1);
  });

  test("waits for a method whose answer is lost, and begins once the provider tells of it", async () => {
    const { status, order } = await submit({ input: { outcome: "pending_then_succeed" } });
    expect([status, order.subscription_id]).toEqual(["pending", null]);
    for (const minutes of [3, 5, 10, 30, 60]) await goTo(shop.now() + minutes * 60_000);
    const begun = await shop.storefront.orders.retrieve(order.id, where);
    expect(begun.status).toBe("paid");
    expect((await retrieve(begun.subscription_id)).status).toBe("trialing");
    expect(await shop.owner.alerts.list(shop.a.id)).toMatchObject({ data: [] });
  });

  test("needs words of consent, a method, and no coupon", async () => {
    expect(await thrownBy(submit({ consent: null }))).toMatchObject({
      code: "parameter_missing",
      param: "consent",
    });
    expect(await thrownBy(submit({ payment_method_id: null }))).toMatchObject({
      code: "parameter_missing",
      param: "payment_method_id",
    });
    await shop.owner.coupons.create(shop.a.id, {
      code: "TEN",
      discount_type: "percentage",
      discount_amount: 10,
    });
    const answer = await begin({ coupon_code: "TEN" });
    expect([answer.status, answer.body.error.code]).toEqual([400, "coupon_invalid"]);
    expect(saves).toEqual([]);
  });

  test("is refused where no method of the store can be kept, and the parameter is named", async () => {
    const cannot = { saveMethod: undefined } as unknown as Partial<PaymentGateway>;
    storage = await open();
    await openShop(cannot);
    const answer = await begin();
    expect([answer.status, answer.body.error]).toMatchObject([
      400,
      { code: "parameter_invalid", param: "items" },
    ]);
    expect(answer.body.error.message).toContain("trial");
    expect((await begin({ trial: false })).status).toBe(201);
  });

  test("of a buyer who is erased can be had by a new one, and forgets the method", async () => {
    await submit();
    expect(await shop.owner.eraseCustomer(shop.a.id, ana.id)).toBe(true);
    expect((await submit()).status).toBe("paid");
    await goTo(shop.now() + 14 * day);
    expect(charges).toHaveLength(1);
  });

  test("is announced by mail before it ends", async () => {
    const sent: Message[] = [];
    const { order } = await submit();
    const { trial_end } = await retrieve(order.subscription_id);
    await goTo(Date.parse(trial_end ?? "") - 3 * day);
    const end = new AbortController();
    await sendMessages(shop.storefront, {
      signal: end.signal,
      testMode: true,
      kinds: ["renewal_notice"],
      now: shop.now,
      onMessage(message) {
        sent.push(message);
        end.abort();
      },
    });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.subject).toContain("trial");
    expect(sent[0]?.text).toContain("50.00");
  });

  test.each([0, 731, 1.5, "14"])(
    "of %j days is refused by the name of the field",
    async (trial_days) => {
      const recurring = { interval: "month" as const, interval_count: 1, trial_days } as never;
      const made = { name: "Box", price: 5000, currency: "BRL", recurring };
      expect(await thrownBy(shop.owner.products.create(shop.a.id, made))).toMatchObject({
        code: "parameter_invalid",
        param: "recurring.trial_days",
      });
    },
  );
});
