import { type Storefront, sandboxGateway } from "vitrine";
import type { WebhookTransport } from "vitrine/transport";

// This file uses only what the library has had for long: the bench of `cost` runs it on an
// older commit too.

/** A store that sells one product, which a buyer pays through the sandbox. */
export interface Shop {
  readonly store_id: string;
  readonly key: string;
  readonly product_id: string;
  readonly method_id: string;
}

/** A gateway that takes each payment at once. It is live, as sales are: no test clock is read. */
export const bank: ReturnType<typeof sandboxGateway> = {
  ...sandboxGateway(),
  id: "bank",
  livemode: true,
};

/** A transport whose receivers take each post at once. */
export const accepting: WebhookTransport = {
  check: async () => ({ ok: true }),
  send: async () => ({ ok: true, status: 200, error: null, snippet: null, duration_ms: 0 }),
};

/** Endpoints exist so that each event gets deliveries, but nothing sends them here. */
export const neverUsed: WebhookTransport = {
  check: async () => ({ ok: true }),
  send: () => Promise.reject(new Error("Nothing drains.")),
};

const returnUrl = "https://shop.example.com/ok";

export async function openShop({ owner }: Storefront): Promise<Shop> {
  const { id: store_id } = await owner.stores.create({ name: "Store", currency: "BRL" });
  await owner.stores.update(store_id, { headless_enabled: true });
  const { key } = await owner.keys.create({ store_id, livemode: true, kind: "secret" });
  await owner.returnUrls.add(store_id, returnUrl);
  const method = await owner.paymentMethods.create(store_id, {
    type: "pix",
    name: "Pix",
    currencies: ["BRL"],
    gateway: bank.id,
  });
  const product = await owner.products.create(store_id, {
    name: "Shirt",
    price: 1_000,
    currency: "BRL",
  });
  await owner.endpoints.create({
    store_id,
    livemode: true,
    url: "https://hooks.example.com/in",
  });
  return { store_id, key, product_id: product.id, method_id: method.id };
}

/** Says how many buyers pay at the same time, and for how many seconds. */
export interface Rush {
  readonly atOnce: number;
  readonly seconds: number;
}

export interface Bought {
  readonly purchases: number;
  readonly ms: number;
}

let serial = 0;

export async function buyFor(
  storefront: Storefront,
  shops: readonly Shop[],
  { atOnce, seconds }: Rush,
): Promise<Bought> {
  const started = performance.now();
  const goesOn = (): boolean => performance.now() - started < seconds * 1_000;
  const purchases = await buyWhile(storefront, shops, atOnce, goesOn);
  return { purchases, ms: performance.now() - started };
}

/**
 * Makes whole purchases, each in the next one of the shops, until `goesOn` says no. It gives
 * their number.
 */
export async function buyWhile(
  storefront: Storefront,
  shops: readonly Shop[],
  atOnce: number,
  goesOn: () => boolean,
): Promise<number> {
  let purchases = 0;
  const buyer = async (): Promise<void> => {
    while (goesOn()) {
      const number = serial++;
      const shop = shops[number % shops.length];
      if (shop) await buy(storefront, shop, number);
      purchases += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, buyer));
  return purchases;
}

/** Makes a session through the API and pays it. */
async function buy(storefront: Storefront, shop: Shop, number: number): Promise<void> {
  const headers: Readonly<Record<string, string>> = {
    authorization: `Bearer ${shop.key}`,
    "content-type": "application/json",
    "idempotency-key": `key-${number}`,
  };
  const body = JSON.stringify({
    items: [{ product_id: shop.product_id, quantity: 1 }],
    success_url: returnUrl,
    cancel_url: returnUrl,
  });
  const reply = await storefront.serve({
    method: "POST",
    target: "/v1/checkout/sessions",
    ip: `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    header: (name) => headers[name],
    body: async () => new TextEncoder().encode(body),
  });
  if (reply?.status !== 201 || typeof reply.body !== "string")
    throw new Error(`The session was answered with ${reply?.status}.`);

  const token = JSON.parse(reply.body).data.checkout_url.split("/").at(-1);
  const { order } = await storefront.checkout.submit(token, { payment_method_id: shop.method_id });
  if (order?.status !== "paid") throw new Error("The order is not paid.");
}
