import { randomBytes } from "node:crypto";
import { createClient } from "#core/client/client.ts";
import { isStorefrontError } from "#core/client/error.ts";
import type { Order, Subscription } from "#core/contract/schemas.ts";
import { dayMs } from "#core/domain/durations.ts";
import type { OwnerProduct } from "#core/owner/catalog/products.ts";
import type { OwnerClock } from "#core/owner/test-clock.ts";
import type { SandboxOutcome } from "#core/payments/sandbox/sandbox-outcomes.ts";
import { type Call, end } from "../../frame/command.ts";
import { readState, writeState } from "../../frame/files/state-folder.ts";

/** Buys in test mode and reports what follows, as a buyer, the sandbox and the host would. */
export interface TestBuyer {
  buy(outcome: SandboxOutcome): Promise<Order>;
  /** Buys a product with a `delivery`. Gives the id of the order. */
  buyDelivery(): Promise<string>;
  subscribe(): Promise<Subscription>;
  /**
   * Subscribes with a method that is kept, and moves the clock of the test mode until the first
   * renewal is told of. Gives the id of the subscription.
   */
  awaitNotice(): Promise<string>;
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

  /** With `consent` the means of payment is kept, and maintenance charges it. */
  async function subscribe(consent?: string): Promise<Subscription> {
    const product = await productFor(call, "with `recurring`");
    const order = await pay(call, product, "succeed", consent);
    const { subscription_id } = await orders.retrieve(order.id, where);
    if (subscription_id === null) return end("failed", `Order ${order.id} began no subscription.`);
    return subscriptions.retrieve(subscription_id, where);
  }

  return {
    buy: async (outcome) =>
      pay(call, await productFor(call, "without required variables"), outcome),
    buyDelivery: async () =>
      (await pay(call, await productFor(call, "with `delivery`"), "succeed")).id,

    subscribe,

    async awaitNotice() {
      const { id, current_period_end } = await subscribe("Charge me every month.");
      const notice = { ...where, type: "subscription.renewal_upcoming", limit: 20 } as const;
      for (;;) {
        const { data } = await storefront.owner.events.list(notice);
        if (data.some(({ payload }) => JSON.stringify(payload).includes(id))) return id;

        const { now } = await turnByDay(call);
        if (now >= current_period_end)
          return end("failed", "The host tells of no renewal: renewals.noticeDays is 0.");
      }
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
      // A buyer has a trial once, and every run of `trigger` is the same buyer.
      !product.recurring?.trial_days &&
      (product.delivery !== null || kind !== "with `delivery`") &&
      product.variables.every(({ required }) => !required),
  );
  return fits ?? end("failed", `The store has no active product ${kind}: run vitrine seed.`);
}

/** Moves the clock of the test mode by a day, and does what comes due. */
async function turnByDay(call: Call): Promise<OwnerClock> {
  const { testClock } = call.host().storefront.owner;
  const { store_id } = call.store();
  let clock = await testClock.advance({ store_id, ms: dayMs });
  while (clock.status === "advancing") {
    if (call.signal.aborted) return end("interrupted", "The clock is still advancing.");
    clock = await testClock.advance({ store_id, ms: 0 });
  }
  call.screen.progress(`Moving the clock of the test mode: ${clock.now}`);
  return clock;
}

async function pay(
  call: Call,
  product: OwnerProduct,
  outcome: SandboxOutcome,
  consent?: string,
): Promise<Order> {
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
    ...(consent !== undefined && { consent }),
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
