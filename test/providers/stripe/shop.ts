import type { Order } from "vitrine";
import type { SubmitInput } from "vitrine/owner";
import { type StripeOptions, stripeGateway } from "vitrine/stripe";
import { createTestShop, type TestShopOptions } from "vitrine/testing";
import { notifier } from "../../support/notify.ts";
import type { FakeIntent, FakeSession } from "./books.ts";
import { clientOf, type FakeStripe, webhookSecret } from "./fake-stripe.ts";
import { judgedStripe } from "./setup.ts";

export interface StripeShopOptions {
  readonly currency?: string;
  readonly price?: number;
  readonly type?: "card" | "boleto" | "pix";
  readonly stripe?: Partial<StripeOptions>;
  /** The connected account that the books are of. */
  readonly account?: string;
  /** The product is of every month. */
  readonly monthly?: boolean;
  /** The first month is paid after so many days. */
  readonly trialDays?: number;
  /** The secret key that the host uses. */
  readonly key?: string;
  /** The storage of the shop, with the key that seals what it keeps. */
  readonly kept?: Pick<TestShopOptions, "storage" | "sealKey">;
}

/** A shop, on memory storage by default, whose buyers pay at the fake of Stripe. */
export async function stripeShop(options: StripeShopOptions = {}) {
  const { currency = "BRL", price = 1000, type = "card" } = options;
  const startAt = Date.UTC(2026, 0, 1);
  let clock = (): number => startAt;
  const errors: string[] = [];
  const alerts: string[] = [];

  const notify = notifier(() => shop.storefront);
  const fake: FakeStripe = await judgedStripe({
    now: () => clock(),
    deliver: ({ body, signature }) =>
      notify({ gateway: "stripe", body, headers: { "stripe-signature": signature } }),
  });
  const gateway = stripeGateway({
    stripe: clientOf(fake.port, options.key),
    webhookSecret,
    livemode: false,
    now: () => clock(),
    ...options.stripe,
  });
  const shop = await createTestShop({
    ...options.kept,
    startAt,
    currency,
    gateways: [gateway],
    onError: (error) => void errors.push(String(error)),
    onAlert: (alert) => void alerts.push(alert.type),
  });
  clock = shop.now;

  const { store_id } = shop.where;
  const method = await shop.storefront.owner.paymentMethods.create(store_id, {
    type,
    name: type,
    currencies: [currency],
    gateway: "stripe",
    supports_recurring: options.monthly === true,
    ...(type === "boleto" && { settlement: "delayed" }),
  });
  const { trialDays: trial_days } = options;
  const recurring = {
    interval: "month" as const,
    interval_count: 1,
    ...(trial_days !== undefined && { trial_days }),
  };
  const product = await shop.product({
    name: "Coffee",
    price,
    ...(options.monthly && { recurring }),
  });
  const books = () => fake.books(options.account);

  return {
    ...shop,
    fake,
    gateway,
    errors,
    alerts,
    books,
    notify,
    /** Starts a payment of two pieces, and gives the token of its checkout. */
    async submit(more: SubmitInput = {}) {
      const session = await shop.checkout([{ product_id: product.id, quantity: 2 }]);
      const token = session.checkout_url.split("/").at(-1) ?? "";
      const result = await shop.storefront.checkout.submit(token, {
        payment_method_id: method.id,
        ...more,
      });
      return { token, ...result };
    },
    order: async ({ id }: Order): Promise<Order> => shop.storefront.orders.retrieve(id, shop.where),
    /** The one session, and the one intent, at Stripe. */
    session: (): FakeSession => only(books().sessions),
    intent: (): FakeIntent => only(books().intents),
    eventTypes: () => shop.webhooks.map(({ type: name }) => name),
  };
}

function only<T>(shelf: ReadonlyMap<string, T>): T {
  const [one, ...others] = shelf.values();
  if (one === undefined || others.length > 0) throw new Error(`There are ${shelf.size} of these.`);
  return one;
}
