import { fail } from "../contract/errors.ts";
import type { CheckoutSession, Order } from "../contract/schemas.ts";
import { invalidOption } from "../input/option-error.ts";
import { memoryStorage } from "../memory/memory-storage.ts";
import { sandboxGateway } from "../payments/sandbox/sandbox-gateway.ts";
import type { Storefront } from "../storefront.ts";
import type { TestShop, TestShopOptions } from "./harness-types.ts";
import { memoryReceiver } from "./receiver.ts";

const origin = "https://shop.example.com";
const return_url = `${origin}/done`;
const webhookUrl = "https://receiver.example.com/webhooks";

/**
 * Opens a shop on memory storage and the sandbox gateway, unless the options
 * replace them.
 */
export async function createTestShop({
  startAt = Date.UTC(2026, 0, 1),
  currency = "BRL",
  deliverTo,
  ...options
}: TestShopOptions = {}): Promise<TestShop> {
  let time = startAt;
  const now = (): number => time;
  const receiver = memoryReceiver(now, deliverTo);
  // Who runs a suite of cases has no use for a whole shop: it would be half of what they load.
  const { createStorefront } = await import("../storefront.ts");
  const storefront = createStorefront({
    storage: memoryStorage(),
    checkout: { baseUrl: `${origin}/pay` },
    docsUrl: `${origin}/errors`,
    gateways: [sandboxGateway()],
    limits: { checkout: null, coupons: null, licenses: null },
    transport: receiver.transport,
    ...options,
    now,
  });
  await storefront.migrate();

  const { where, keys, method_id, secret } = await openStore(storefront, currency);
  receiver.trustSecret(secret);

  const shop = {
    storefront,
    where,
    currency,
    method_id,
    reference: counter(),
    call: apiCall(storefront, `${origin}${options.basePath ?? "/v1"}`, keys),
    moveClockTo(ms: number): void {
      time = Math.max(time, ms);
    },
  };
  return {
    storefront,
    where,
    keys,
    return_url,
    webhooks: receiver.webhooks,
    now,
    async advanceClock(ms) {
      if (!Number.isFinite(ms) || ms < 0)
        invalidOption("ms", "must be a number of milliseconds from 0");
      time += ms;
      await storefront.runMaintenance();
      await storefront.drainWebhooks();
    },
    ...buyerSteps(shop, keys.publishable),
    ...hostSteps(shop),
    call: shop.call,
  };
}

type Keys = TestShop["keys"];

interface OpenShop extends Pick<TestShop, "storefront" | "where" | "call"> {
  readonly currency: string;
  readonly method_id: string;
  /** Gives a number that no earlier call gave. */
  reference(): number;
  moveClockTo(ms: number): void;
}

function counter(): () => number {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
}

/** Creates the store, a way to pay, both keys and a webhook endpoint. */
async function openStore({ owner }: Storefront, currency: string) {
  const store = await owner.stores.create({ name: "Test shop", currency });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.returnUrls.add(store.id, return_url);

  const where = { store_id: store.id, livemode: false };
  const method = await owner.paymentMethods.create(store.id, {
    type: "card",
    name: "Card",
    currencies: [currency],
    gateway: "sandbox",
    supports_recurring: true,
  });

  const publishable = await owner.keys.create({ ...where, kind: "publishable" });
  const secretKey = await owner.keys.create({ ...where, kind: "secret" });
  const { secret } = await owner.endpoints.create({ ...where, url: webhookUrl });
  const keys = { publishable: publishable.key, secret: secretKey.key };
  return { where, keys, method_id: method.id, secret };
}

function apiCall(storefront: Storefront, baseUrl: string, keys: Keys): TestShop["call"] {
  return async (method, path, { key = keys.secret, body, headers = {} } = {}) => {
    const hasBody = body !== undefined;
    const request = new Request(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(hasBody ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      ...(hasBody ? { body: JSON.stringify(body) } : {}),
    });

    const response = await storefront.handler(request, { ip: "203.0.113.1" });
    const isEmpty = response.body === null;
    return { status: response.status, body: isEmpty ? null : await response.json() };
  };
}

/** Waits for a step, then sends the webhooks that it caused. */
async function andDeliver<T>({ storefront }: OpenShop, step: Promise<T>): Promise<T> {
  const result = await step;
  await storefront.drainWebhooks();
  return result;
}

/** Makes the steps of a buyer: to create a session, to pay it, to be declined. */
function buyerSteps(shop: OpenShop, key: string): Pick<TestShop, "checkout" | "pay" | "fail"> {
  const checkout: TestShop["checkout"] = async (items, more = {}) => {
    const urls = { success_url: return_url, cancel_url: return_url };
    const { body } = await shop.call("POST", "/checkout/sessions", {
      key,
      body: { items, ...urls, ...more },
      headers: { "idempotency-key": `test-${shop.reference()}` },
    });
    return sessionOf(body);
  };

  const pay: TestShop["pay"] = async (session, { outcome = "succeed", customer = null } = {}) => {
    requireRecord("session", session);
    const token = session.checkout_url.split("/").at(-1) ?? "";
    const isFree = session.amount_total === 0;
    const submission = {
      payment_method_id: isFree ? null : shop.method_id,
      customer,
      input: { outcome },
    };
    const { order } = await andDeliver(shop, shop.storefront.checkout.submit(token, submission));
    return order;
  };

  return { checkout, pay, fail: (session) => pay(session, { outcome: "decline" }) };
}

/** Refuses what JavaScript passes in place of a record when an `await` was forgotten. */
function requireRecord(name: string, record: { readonly id: string } | undefined): void {
  if (typeof record?.id !== "string")
    invalidOption(name, "must be what a step has given: await its promise");
}

function sessionOf(body: unknown): CheckoutSession {
  const { data, error } = body as {
    data?: CheckoutSession;
    error?: { code: string; param: string | null; message: string };
  };
  if (data) return data;

  const message = `No session: ${error?.code}: ${error?.message}`;
  return fail("parameter_invalid", { param: error?.param ?? "items", message });
}

/** Makes the steps of the host: its catalog, and what happens to an order after it is paid. */
function hostSteps(
  shop: OpenShop,
): Pick<TestShop, "product" | "refund" | "dispute" | "renew" | "cancel"> {
  const { storefront, where, currency } = shop;
  const { owner, orders, subscriptions } = storefront;
  const withReference = () => ({ ...where, reference: `test-${shop.reference()}` });
  const openDisputes = new Map<string, ReturnType<typeof withReference>>();

  return {
    product: (input = {}) => {
      const name = `Product ${shop.reference()}`;
      return owner.products.create(where.store_id, { name, price: 1000, currency, ...input });
    },

    async refund(order, part = {}): Promise<Order> {
      requireRecord("order", order);
      const refunding = orders.refund(order.id, { ...withReference(), ...part });
      return (await andDeliver(shop, refunding)).order;
    },

    async dispute(order, { outcome } = {}) {
      requireRecord("order", order);
      const dispute = openDisputes.get(order.id) ?? withReference();
      openDisputes.set(order.id, dispute);
      const opened = await andDeliver(shop, orders.openDispute(order.id, dispute));
      if (outcome === undefined) return opened;

      openDisputes.delete(order.id);
      return andDeliver(shop, orders.closeDispute(order.id, { ...dispute, outcome }));
    },

    async renew(named, { failed = false } = {}) {
      requireRecord("subscription", named);
      const { id } = named;
      const subscription = await subscriptions.retrieve(id, where);
      const { current_period_end: period_start, amount } = subscription;
      shop.moveClockTo(Date.parse(period_start));

      const period = { ...withReference(), period_start };
      const paid = { ...period, amount, currency: subscription.currency };
      const renewing = failed ? subscriptions.fail(id, period) : subscriptions.renew(id, paid);
      return (await andDeliver(shop, renewing)).subscription;
    },

    cancel: ({ id }, when = {}) =>
      andDeliver(shop, subscriptions.cancel(id, { ...where, ...when })),
  };
}
