import { fail } from "../contract/errors.ts";
import type { CheckoutSession, Order } from "../contract/schemas.ts";
import { invalidOption } from "../input/option-error.ts";
import type { TestShop } from "./harness-types.ts";

/** What the steps need of the shop that they belong to. */
export interface OpenShop extends Pick<TestShop, "storefront" | "where" | "call" | "return_url"> {
  readonly currency: string;
  readonly method_id: string;
  /** Gives a number that no earlier call gave. */
  reference(): number;
  moveClockTo(ms: number): void;
}

/** Waits for a step, then sends the webhooks that it caused. */
async function andDeliver<T>({ storefront }: OpenShop, step: Promise<T>): Promise<T> {
  const result = await step;
  await storefront.drainWebhooks();
  return result;
}

/** Makes the steps of a buyer: to create a session, to pay it, to be declined. */
export function buyerSteps(
  shop: OpenShop,
  key: string,
): Pick<TestShop, "checkout" | "pay" | "fail"> {
  const checkout: TestShop["checkout"] = async (items, more = {}) => {
    const urls = { success_url: shop.return_url, cancel_url: shop.return_url };
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
export function hostSteps(
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
