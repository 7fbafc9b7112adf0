import { randomBytes } from "node:crypto";
import { createClient } from "#core/client/client.ts";
import { isStorefrontError } from "#core/client/error.ts";
import type { Order, Subscription } from "#core/contract/schemas.ts";
import type { OwnerProduct } from "#core/owner/catalog/products.ts";
import type { SandboxOutcome } from "#core/payments/sandbox/sandbox-outcomes.ts";
import { type Call, end } from "../../frame/command.ts";
import { readState, writeState } from "../../frame/state-folder.ts";

/** Buys in test mode and reports what follows, as a buyer, the sandbox and the host would. */
export interface TestBuyer {
  buy(outcome: SandboxOutcome): Promise<Order>;
  /** Buys a product with a `delivery`. Gives the id of the order. */
  buyDelivery(): Promise<string>;
  subscribe(): Promise<Subscription>;
  markPaid(order_id: string): Promise<string>;
  markFailed(order_id: string): Promise<string>;
  refund(order_id: string): Promise<string>;
  dispute(order_id: string): Promise<string>;
  renew(subscription: Subscription): Promise<string>;
  reprice(subscription: Subscription): Promise<string>;
  /** Fails the next period for good: only the buyer can pay it. */
  failRenewal(subscription: Subscription): Promise<string>;
  cancel(subscription: Subscription): Promise<string>;
}

export function openTestBuyer(call: Call): TestBuyer {
  const { storefront } = call.host();
  const { store_id } = call.store();
  const { orders, subscriptions } = storefront;
  const where = { store_id, livemode: false };
  const reference = () => `trigger_${randomBytes(8).toString("hex")}`;
  const withReference = () => ({ ...where, reference: reference() });

  return {
    buy: async (outcome) =>
      pay(call, await productFor(call, "without required variables"), outcome),
    buyDelivery: async () =>
      (await pay(call, await productFor(call, "with `delivery`"), "succeed")).id,

    async subscribe() {
      const order = await pay(call, await productFor(call, "with `recurring`"), "succeed");
      const created = { ...where, type: "subscription.created", limit: 20 } as const;
      const { data } = await storefront.owner.events.list(created);
      for (const { payload } of data)
        if (payload?.type === "subscription.created" && payload.data.order?.id === order.id)
          return subscriptions.retrieve(payload.data.subscription.id, where);
      return end("failed", `Order ${order.id} began no subscription.`);
    },

    async markPaid(id) {
      const { amount_total: amount, currency } = await orders.retrieve(id, where);
      return (await orders.markPaid(id, { ...withReference(), amount, currency })).id;
    },
    markFailed: async (id) => (await orders.markFailed(id, where)).id,
    refund: async (id) => (await orders.refund(id, withReference())).order.id,

    dispute: async (id) => (await orders.openDispute(id, withReference())).id,

    async renew({ id, current_period_end: period_start, amount, currency }) {
      await subscriptions.renew(id, { ...withReference(), period_start, amount, currency });
      return id;
    },
    async reprice({ id, unit_amount }) {
      await subscriptions.changePrice(id, { ...where, unit_amount: unit_amount + 1 });
      return id;
    },
    async failRenewal({ id, current_period_end: period_start }) {
      await subscriptions.fail(id, { ...withReference(), period_start, needs_buyer: true });
      return id;
    },
    cancel: async ({ id }) =>
      (await subscriptions.cancel(id, { ...where, at_period_end: false })).id,
  };
}

/** Chooses a product that can be bought without a question. */
async function productFor(
  call: Call,
  kind: "without required variables" | "with `recurring`" | "with `delivery`",
): Promise<OwnerProduct> {
  const { products } = call.host().storefront.owner;
  const { data } = await products.list(call.store().store_id, { active: true, limit: 100 });
  const fits = data.find(
    (product) =>
      !product.blocked &&
      (product.recurring !== null) === (kind === "with `recurring`") &&
      (product.delivery !== null || kind !== "with `delivery`") &&
      product.variables.every(({ required }) => !required),
  );
  return fits ?? end("failed", `The store has no active product ${kind}: run vitrine seed.`);
}

async function pay(call: Call, product: OwnerProduct, outcome: SandboxOutcome): Promise<Order> {
  const { checkout, owner } = call.host().storefront;
  const { store_id } = call.store();
  const methods = await owner.paymentMethods.list(store_id);
  const method = methods.find(
    ({ gateway, enabled, supports_recurring }) =>
      gateway === "sandbox" && enabled && (supports_recurring || product.recurring === null),
  );
  if (!method) end("failed", "The store has no payment method of the sandbox: run vitrine seed.");

  const token = await checkoutToken(call, product);
  const { order } = await checkout.submit(token, {
    payment_method_id: method.id,
    customer: { id: "cus_trigger", email: "buyer@example.com", name: "Test Buyer" },
    input: { outcome },
  });
  return order;
}

/** Makes a session through the API. Gives the token of its checkout page. */
async function checkoutToken(call: Call, { id }: OwnerProduct): Promise<string> {
  const { storefront, parts } = call.host();
  const [url] = await storefront.owner.returnUrls.list(call.store().store_id);
  if (url === undefined) return end("failed", "The store has no return URL: run vitrine seed.");

  const create = async (key: string): Promise<string> => {
    const client = createClient({
      baseUrl: `http://localhost${parts.settings.basePath}`,
      key,
      // A person who triggers one event after another meets the limit of checkouts.
      fetch: (address, init) => storefront.handler(new Request(address, init)),
    });
    const items = [{ product_id: id, quantity: 1 }];
    const session = await client.createCheckoutSession({
      items,
      success_url: url,
      cancel_url: url,
    });
    return session.data.checkout_url.split("/").at(-1) ?? "";
  };

  const known = readState<{ readonly key: string }>(call.folder, keyFile(call));
  if (known) {
    try {
      return await create(known.key);
    } catch (error) {
      if (!isStorefrontError(error) || error.status !== 401) throw error;
    }
  }
  return create(await makeKey(call));
}

const keyFile = (call: Call): string => `trigger-${call.store().store_id}.json`;

/** The key is kept, so that a hundred runs of `trigger` are one key in the store's list. */
async function makeKey(call: Call): Promise<string> {
  const { store_id } = call.store();
  const { keys } = call.host().storefront.owner;
  const where = { store_id, livemode: false, kind: "publishable" } as const;
  const { key } = await keys.create({ ...where, name: "vitrine trigger" });
  writeState(call.folder, keyFile(call), { key });
  return key;
}
