import { memoryStorage, type StorefrontOptions } from "vitrine";
import type { PaymentResult } from "vitrine/gateway";
import { createIds } from "../../src/domain/keys/ids.ts";
import type { AlertType } from "../../src/rules/owner/alert-types.ts";
import { createBank } from "../payments/bank.ts";
import { open, paid, scriptedShop } from "../payments/scripted-shop.ts";

const hour = 3_600_000;
const day = 24 * hour;
const buyer = { id: "u_ana", email: "ana@example.com" };

/** A shop with a provider that does what each fault needs, and a receiver that takes nothing. */
export async function openTroubledShop(options: Partial<StorefrontOptions> = {}) {
  const bank = createBank(() => shop.now());
  const told: string[] = [];
  const refused = { ok: false, status: 500, error: "http_status", snippet: "", duration_ms: 1 };
  const shop = await scriptedShop(memoryStorage(), {
    gateway: bank.gateway,
    limits: { checkout: null, payments: null },
    webhooks: { scheduleMs: Array.from({ length: 100 }, () => 4 * hour) },
    transport: { check: async () => ({ ok: true }), send: async () => refused as never },
    onAlert: ({ type }) => void told.push(type),
    ...options,
  });
  let made = 0;
  return {
    ...shop,
    bank,
    /** The alerts that the host was told of, by their types. */
    told,
    sell: (facts: object) =>
      shop.owner.products.create(shop.a.id, {
        name: "Sold",
        price: 1000,
        currency: "BRL",
        ...facts,
      }),
    /** Buys; the provider answers with this, or takes the money. */
    async order(answer?: Partial<PaymentResult>, body: Record<string, unknown> = {}) {
      made += 1;
      if (answer) shop.answer({ ...open, reference: `ref_${made}`, ...answer } as PaymentResult);
      const session = await shop.session(body);
      const input = { payment_method_id: shop.a.method_id, customer: buyer };
      const { order } = await shop.storefront.checkout.submit(shop.tokenOf(session), input);
      return { ...order, session_id: session.body.data.id as string };
    },
    /** The reference of the money of an order. */
    async moneyOf(order_id: string) {
      const [money] = await shop.money(order_id);
      return money?.payment_reference ?? "";
    },
    async wait(ms: number) {
      shop.advance(ms);
      await shop.storefront.runMaintenance();
    },
  };
}

type World = Awaited<ReturnType<typeof openTroubledShop>>;

const refund = (world: World, order_id: string) =>
  world.storefront.orders.refund(order_id, { ...world.where, reference: "r1" });

/** An order that the host has taken as paid before the provider tells of its own payment. */
async function duplicate(world: World) {
  const reference = crypto.randomUUID();
  const order = await world.order({ reference });
  const { checkout, orders } = world.storefront;
  const own = { ...world.where, reference: `own_${order.id}`, status: "paid" } as const;
  await checkout.complete(order.session_id, { ...own, amount: 1000, currency: "BRL" });
  await world.tell({ ...paid, reference });
  const money = await orders.listPayments(order.id, world.where);
  return { order, second: money.find(({ status }) => status === "duplicate") };
}

/** An order whose payment failed, though its money comes after another buyer took the last. */
async function lateMoney(world: World, body: Record<string, unknown>): Promise<void> {
  const late = await world.order({ status: "failed", failure_reason: "declined" }, body);
  await world.order(undefined, body);
  await world.storefront.checkout.complete(late.session_id, {
    ...world.where,
    reference: `late_${late.id}`,
    amount: late.amount_total,
    currency: "BRL",
    status: "paid",
  });
}

const opened = { type: "dispute_opened", amount: 1000 } as const;

/**
 * What must happen for each type of alert, but for those that other rules tell of: a late consumer,
 * a failing endpoint and a payment in doubt.
 */
export const alertFaults: Readonly<Record<AlertType, ((world: World) => Promise<unknown>) | null>> =
  {
    consumer_failing: null,
    endpoint_failing: null,
    payment_in_doubt: null,

    secret_key_in_browser: (world) =>
      world.get("/products", {
        key: world.a.test.sec,
        headers: { origin: "https://shop.example.org" },
      }),

    async payment_mismatch(world) {
      await world.order({ reference: "cheap" });
      await world.tell({ ...paid, amount: 5, reference: "cheap" });
    },

    async payment_account_mismatch(world) {
      world.setAccount("acct_a");
      const order = await world.order({ reference: "of_a" });
      const found = await world.storage.orders.findCheckout(world.where, order.session_id);
      const payment_id = found?.attempt?.id;
      const fact = { ...paid, reference: "of_b", payment_id, account: "acct_b" };
      await world.tell({ ...fact });
      world.setAccount(null);
    },

    async payment_ambiguous(world) {
      const { b, foreign, storefront } = world;
      await world.order({ reference: "both", amount: foreign.price });
      world.advance(1_000);
      const url = "https://shop.example-b.com/ok";
      const items = [{ product_id: foreign.id, quantity: 1 }];
      const made = await world.session(
        { items, success_url: url, cancel_url: url },
        { key: b.test.pub },
      );
      world.answer({ ...open, amount: foreign.price, reference: "both" });
      await storefront.checkout.submit(world.tokenOf(made), { payment_method_id: b.method_id });
      await world.tell({ ...paid, amount: foreign.price, reference: "both" });
    },

    duplicate_payment: duplicate,

    async payment_after_end(world) {
      const { a, owner } = world;
      await owner.paymentMethods.update(a.id, a.method_id, { supports_recurring: true });
      const { id } = await world.sell({ price: 5_000, recurring: monthly });
      const body = { items: [{ product_id: id, quantity: 1 }] };
      const order = await world.order(undefined, body);
      const { subscriptions } = world.storefront;
      const subscription_id = order.subscription_id ?? "";
      const now = { ...world.where, at_period_end: false };
      const { current_period_end } = await subscriptions.cancel(subscription_id, now);
      await subscriptions.renew(subscription_id, {
        ...world.where,
        reference: "late",
        amount: 5_000,
        currency: "BRL",
        period_start: current_period_end,
      });
    },

    async agreement_mismatch(world) {
      const { a, owner } = world;
      await owner.paymentMethods.update(a.id, a.method_id, { supports_recurring: true });
      const { id } = await world.sell({ price: 5_000, recurring: monthly });
      const order = await world.order(undefined, { items: [{ product_id: id, quantity: 1 }] });
      await world.tell({
        ...{ type: "agreement", store_id: a.id, subscription_id: order.subscription_id },
        ...{ status: "active", amount: 4_000 },
        saved_method: { reference: "agr_1", kind: "pix", label: "Pix" },
        consent: { text: "R$ 40.00 a month.", at: 0 },
      });
    },

    async return_failed(world) {
      const { second } = await duplicate(world);
      world.bank.script.result = "refused";
      await world.storefront.orders.returnPayment(second?.id ?? "", world.where);
      // Six refusals within a day end the tries.
      for (let hours = 0; hours < 26; hours += 1) await world.wait(hour);
      world.bank.script.result = "succeeded";
    },

    async oversold(world) {
      const { id } = await world.sell({ stock: 1 });
      await lateMoney(world, { items: [{ product_id: id, quantity: 1 }] });
    },

    async coupon_overused(world) {
      const code = "ONCE";
      const facts = {
        code,
        discount_type: "percentage",
        discount_amount: 10,
        max_uses: 1,
      } as const;
      await world.owner.coupons.create(world.a.id, facts);
      await lateMoney(world, { coupon_code: code });
    },

    async key_pool_empty(world) {
      const delivery = { type: "license_key", source: "uploaded" } as const;
      const { id } = await world.sell({ delivery });
      await world.order(undefined, { items: [{ product_id: id, quantity: 1 }] });
    },

    async gateway_declining(world) {
      for (let tries = 0; tries < 20; tries += 1) {
        world.advance(1_000);
        await world.order({ status: "failed", failure_reason: "declined" });
      }
    },

    async unknown_payment(world) {
      const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
      const payment_id = createIds({ now: () => world.now() - hour, randomBytes })("pay");
      await world.tell({ ...paid, reference: "whose", payment_id });
    },

    async refund_failed(world) {
      const { id } = await world.order();
      world.bank.script.result = "pending";
      const { id: refund_id, provider_reference: reference } = await refund(world, id);
      world.bank.script.result = "succeeded";
      const fact = { ...paid, status: "failed", refund_id, reference };
      await world.tell({ type: "refund", ...fact, payment_reference: await world.moneyOf(id) });
    },

    async refund_exceeds_order(world) {
      const { id } = await world.order();
      await refund(world, id);
      const payment_reference = await world.moneyOf(id);
      await world.tell({ type: "refund", ...paid, reference: "more", payment_reference });
    },

    async refund_mismatch(world) {
      const { id } = await world.order();
      const payment_reference = await world.moneyOf(id);
      const fact = { ...paid, currency: "USD", reference: "usd", payment_reference };
      await world.tell({ type: "refund", ...fact });
    },

    async money_in_doubt(world) {
      const { id } = await world.order();
      world.bank.script.result = "pending";
      await refund(world, id);
      await world.wait(15 * day);
      world.bank.script.result = "succeeded";
    },

    async dispute_inquiry(world) {
      const { id } = await world.order();
      const payment_reference = await world.moneyOf(id);
      await world.tell({ ...opened, reference: "dp_1", payment_reference, inquiry: true });
    },

    async duplicate_disputed(world) {
      const { second } = await duplicate(world);
      const payment_reference = second?.payment_reference ?? "";
      await world.tell({ ...opened, reference: "dp_2", payment_reference });
    },

    async endpoint_disabled(world) {
      await world.owner.endpoints.create({ ...world.where, url: "https://hooks.example.com/x" });
      for (const _ of [1, 2]) await world.order();
      for (let turn = 0; turn < 22; turn += 1) {
        await world.storefront.drainWebhooks();
        world.advance(4 * hour);
      }
    },

    async event_given_up(world) {
      await world.order();
      const facts = { consumer: "mail", alertAs: "the mail", giveUpAfterMs: 2 * hour };
      const refuse = (): never => {
        throw new Error("The mail is down.");
      };
      for (let run = 0; run < 3; run += 1) {
        const stop = new AbortController();
        const { signal } = stop;
        const consuming = world.storefront.consumeEvents({ ...facts, signal }, refuse);
        await new Promise((done) => setTimeout(done, 200));
        stop.abort();
        await consuming;
        world.advance(hour);
      }
    },
  };

const monthly = { interval: "month", interval_count: 1 } as const;
