import type { Order, Storage } from "vitrine";
import type { SubmitInput } from "vitrine/owner";
import type { PixOptions } from "vitrine/pix";
import { createTestShop } from "vitrine/testing";
import { notifier } from "../../support/notify.ts";
import type { FakeBankOptions } from "./fake-bank.ts";
import { gatewayOf, judgedBank, only } from "./setup.ts";

export interface PixShopOptions {
  readonly currency?: string;
  readonly price?: number;
  readonly pix?: Partial<PixOptions>;
  readonly bank?: Pick<FakeBankOptions, "clientAuthentication">;
  readonly storage?: Storage;
  /** The product is of every month. */
  readonly monthly?: boolean;
  /** A period of the product, a month by default. */
  readonly interval?: "week" | "month";
}

/** A shop whose buyers pay at the fake bank. */
export async function pixShop(options: PixShopOptions = {}) {
  const { currency = "BRL", price = 1000, storage } = options;
  const startAt = Date.UTC(2026, 0, 1);
  let clock = (): number => startAt;
  const errors: string[] = [];
  const alerts: string[] = [];

  const notify = notifier(() => shop.storefront);
  const bank = await judgedBank({
    now: () => clock(),
    // The address that `registerWebhook` gives the bank names the store.
    deliver: ({ body, query }) => {
      const address = `?store_id=${shop.where.store_id}&${query.slice(1)}`;
      return notify({ gateway: "pix", body, query: address });
    },
    ...options.bank,
  });
  const gateway = gatewayOf(bank, { now: () => clock(), ...options.pix });
  const shop = await createTestShop({
    startAt,
    currency,
    ...(storage && { storage, sealKey: new Uint8Array(32).fill(7) }),
    gateways: [gateway],
    onError: (error) => void errors.push(String(error)),
    onAlert: (alert) => void alerts.push(alert.type),
  });
  clock = shop.now;

  const { store_id } = shop.where;
  const method = await shop.storefront.owner.paymentMethods.create(store_id, {
    type: "pix",
    name: "Pix",
    currencies: [currency],
    gateway: "pix",
    supports_recurring: options.monthly === true,
  });
  const recurring = { interval: options.interval ?? "month", interval_count: 1 } as const;
  const plan = { name: "Coffee", price, ...(options.monthly && { recurring }) };
  const product = await shop.product(plan);

  return {
    ...shop,
    bank,
    gateway,
    notify,
    errors,
    alerts,
    /** The bank and the gateway go by this clock from now on, and not by the shop's. */
    keepTime(now: () => number): void {
      clock = now;
    },
    /** Starts a payment of two pieces, and gives the token of its checkout. */
    async submit(input: Partial<SubmitInput> = {}) {
      const session = await shop.checkout([{ product_id: product.id, quantity: 2 }]);
      const token = session.checkout_url.split("/").at(-1) ?? "";
      const result = await shop.storefront.checkout.submit(token, {
        payment_method_id: method.id,
        ...input,
      });
      return { token, ...result };
    },
    order: async ({ id }: Order): Promise<Order> => shop.storefront.orders.retrieve(id, shop.where),
    /** The one charge at the bank. */
    charge: () => only(bank.books().charges),
  };
}
