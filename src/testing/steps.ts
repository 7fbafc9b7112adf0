import { fail } from "../contract/errors.ts";
import type { CheckoutSession, Order } from "../contract/schemas.ts";
import { refuse } from "../input/check.ts";
import { invalidOption, refuseUnknownOptions } from "../input/option-error.ts";
import type { TestShop } from "./harness-types.ts";
import {
  CancelOptions,
  CheckoutOptions,
  DisputeOptions,
  PayOptions,
  RefundOptions,
  RenewOptions,
  readStep,
} from "./step-inputs.ts";

/** What the steps need of the shop that they belong to. */
export interface OpenShop extends Pick<TestShop, "storefront" | "where" | "call" | "return_url"> {
  readonly currency: string;
  readonly method_id: string;
  /** Gives a number that no earlier call gave. */
  reference(): number;
  /** Sends the webhooks that are due. */
  deliver(): Promise<void>;
  moveClockTo(ms: number): void;
}

/** Waits for a step, then sends the webhooks that it caused. */
async function andDeliver<T>({ deliver }: OpenShop, step: Promise<T>): Promise<T> {
  const result = await step;
  await deliver();
  return result;
}

const consentWords = "Charge this method for each period.";

/** Makes the steps of a buyer: to create a session, to pay it, to be declined. */
export function buyerSteps(
  shop: OpenShop,
  key: string,
): Pick<TestShop, "checkout" | "pay" | "fail"> {
  const checkout: TestShop["checkout"] = async (items, options = {}) => {
    // The API passes over names that it does not know.
    refuseUnknownOptions(options, CheckoutOptions.shape);
    const urls = { success_url: shop.return_url, cancel_url: shop.return_url };
    const { body } = await shop.call("POST", "/checkout/sessions", {
      key,
      body: { items, ...urls, ...options },
      headers: { "idempotency-key": `test-${shop.reference()}` },
    });
    return sessionOf(body);
  };

  const pay: TestShop["pay"] = async (session, options = {}) => {
    requireSession(session);
    const { outcome = "succeed", renewals, consent, customer } = readStep(PayOptions, options);
    if (renewals !== undefined && !consent)
      refuse("renewals", "needs consent: without it no method is kept");

    const token = session.checkout_url.split("/").at(-1) ?? "";
    // What costs nothing needs a method only to keep it for later periods.
    const needsMethod = session.amount_total !== 0 || Boolean(consent);
    const submission = {
      payment_method_id: needsMethod ? shop.method_id : null,
      customer: customer ?? null,
      consent: consent === true ? consentWords : consent || null,
      input: { outcome, renewals },
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

function requireSession(session: CheckoutSession): void {
  requireRecord("session", session);
  if (typeof session.checkout_url !== "string")
    invalidOption("session", "has no checkout_url: pass the session that `checkout` gave");
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

    async refund(order, options = {}): Promise<Order> {
      requireRecord("order", order);
      const part = readStep(RefundOptions, options);
      const refunding = orders.refund(order.id, { ...withReference(), ...part });
      return (await andDeliver(shop, refunding)).order;
    },

    async dispute(order, options = {}) {
      requireRecord("order", order);
      const { outcome } = readStep(DisputeOptions, options);
      const dispute = openDisputes.get(order.id) ?? withReference();
      openDisputes.set(order.id, dispute);
      const opened = await andDeliver(shop, orders.openDispute(order.id, dispute));
      if (outcome === undefined) return opened;

      openDisputes.delete(order.id);
      return andDeliver(shop, orders.closeDispute(order.id, { ...dispute, outcome }));
    },

    async renew(named, options = {}) {
      requireRecord("subscription", named);
      const { failed = false } = readStep(RenewOptions, options);
      const { id } = named;
      const subscription = await subscriptions.retrieve(id, where);
      const { current_period_end: period_start, amount } = subscription;
      shop.moveClockTo(Date.parse(period_start));

      const period = { ...withReference(), period_start };
      const paid = { ...period, amount, currency: subscription.currency };
      const renewing = failed ? subscriptions.fail(id, period) : subscriptions.renew(id, paid);
      return (await andDeliver(shop, renewing)).subscription;
    },

    async cancel(named, options = {}) {
      requireRecord("subscription", named);
      const when = readStep(CancelOptions, options);
      return andDeliver(shop, subscriptions.cancel(named.id, { ...where, ...when }));
    },
  };
}
