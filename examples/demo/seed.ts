import type { Storefront } from "vitrine";
import type { ImportedProduct } from "vitrine/import";
import type { Catalog } from "./catalog.ts";
import type { ModeKeys, StoreSecrets } from "./secrets-file.ts";

export interface Address {
  /** It is an address such as `http://localhost:4242`. */
  readonly origin: string;
  readonly webhookUrl: string;
}

export interface Seeded {
  readonly secrets: StoreSecrets;
  /**
   * It is true when the store existed without its keys: new ones were made, and the
   * old ones revoked.
   */
  readonly renewed: boolean;
}

/** The store, its products and the prices of a catalog file have this currency. */
export const demoCurrency = "BRL";

export const couponCode = "WELCOME10";
const coupons = [
  { code: couponCode, discount_type: "percentage", discount_amount: 10 },
  {
    code: "FIVEOFF",
    discount_type: "fixed",
    discount_amount: 500,
    currency: demoCurrency,
    min_subtotal: 2_000,
  },
  {
    code: "LASTYEAR",
    discount_type: "percentage",
    discount_amount: 50,
    ends_at: "2025-12-31T23:59:59Z",
  },
] as const;
const sandboxMethods = [
  { type: "pix", name: "Pix (sandbox)" },
  { type: "card", name: "Card (sandbox)" },
] as const;

interface StoreSeed {
  readonly name: string;
  readonly slug: string;
  readonly catalog: Catalog;
  readonly known: StoreSecrets | null;
  readonly address: Address;
  /**
   * Writes past sales before the store's endpoint exists, so that the endpoint gets
   * none of them.
   */
  readonly writeHistory?: (store_id: string, keys: ModeKeys) => Promise<void>;
}

/** Gives the store everything that the demo needs and that is not there yet. */
export async function seedStore(shop: Storefront, seed: StoreSeed): Promise<Seeded> {
  const { name, slug, catalog, known, address } = seed;
  const { owner } = shop;
  const found = (await owner.stores.list()).data.find((store) => store.slug === slug);
  const store =
    found ??
    (await owner.stores.create({
      name,
      slug,
      currency: demoCurrency,
      country: "BR",
      locale: "pt-BR",
      timezone: "America/Sao_Paulo",
      support_email: "hello@example.com",
    }));
  // A first start that was interrupted continues where it stopped.
  if ((await owner.products.list(store.id, { limit: 1 })).data.length === 0)
    await fill(shop, store.id, catalog, address);
  await movePictures(shop, store.id, address);
  await owner.stores.update(store.id, { headless_enabled: true, localhost_origins: true });
  for (const origin of [address.origin, "https://shop.example.com"])
    await owner.origins.add(store.id, origin);
  for (const url of [
    `${address.origin}/success`,
    `${address.origin}/cancel`,
    "https://shop.example.com/done",
    // The examples of openapi.json return to these two.
    "https://shop.example.com/thanks",
    "https://shop.example.com/cart",
  ])
    await owner.returnUrls.add(store.id, url);

  const kept = known?.store_id === store.id ? known : null;
  const secrets = kept
    ? await moveEndpoint(shop, kept, address)
    : await renew(shop, store.id, { address, writeHistory: found ? undefined : seed.writeHistory });
  return { secrets, renewed: found !== undefined && !kept };
}

async function fill(
  shop: Storefront,
  store_id: string,
  catalog: Catalog,
  { origin }: Address,
): Promise<void> {
  const { owner } = shop;
  const ids = new Map(
    (await owner.categories.list(store_id)).map((category) => [category.slug, category.id]),
  );
  for (const [position, { slug, name }] of catalog.categories.entries()) {
    if (!ids.has(slug))
      ids.set(slug, (await owner.categories.create(store_id, { name, slug, position })).id);
  }
  const input = (
    { categories = [], images = [], sku: _, ...product }: ImportedProduct,
    position: number,
  ) => ({
    ...product,
    position,
    images: images.map((image) => wholeAddress(image, origin)),
    category_ids: categories.flatMap(({ slug }) => ids.get(slug) ?? []),
  });
  const methods = new Set((await owner.paymentMethods.list(store_id)).map((method) => method.type));
  for (const [position, { type, name }] of sandboxMethods.entries()) {
    if (!methods.has(type))
      await owner.paymentMethods.create(store_id, {
        type,
        name,
        currencies: [demoCurrency],
        gateway: "sandbox",
        position,
      });
  }
  const codes = new Set((await owner.coupons.list(store_id)).data.map((coupon) => coupon.code));
  for (const coupon of coupons)
    if (!codes.has(coupon.code)) await owner.coupons.create(store_id, coupon);
  const inputs = catalog.products.map(input);
  for (let at = 0; at < inputs.length; at += 1_000)
    await owner.products.putMany(store_id, inputs.slice(at, at + 1_000));
}

async function renew(
  shop: Storefront,
  store_id: string,
  { address, writeHistory }: Pick<StoreSeed, "address"> & Partial<Pick<StoreSeed, "writeHistory">>,
): Promise<StoreSecrets> {
  const { keys, endpoints } = shop.owner;
  for (const key of await keys.list(store_id))
    if (key.revoked_at === null) await keys.revoke(store_id, key.id);
  for (const livemode of [true, false])
    for (const endpoint of await endpoints.list({ store_id, livemode }))
      await endpoints.delete({ store_id, livemode }, endpoint.id);

  const made = { test: await pair(shop, store_id, false), live: await pair(shop, store_id, true) };
  await writeHistory?.(store_id, made.test);
  const scoped = await keys.create({
    store_id,
    livemode: false,
    kind: "secret",
    name: "catalog only",
    scopes: ["catalog:read"],
  });
  const revoked = await keys.create({ store_id, livemode: false, kind: "secret", name: "revoked" });
  await keys.revoke(store_id, revoked.id);
  const endpoint = await endpoints.create({
    store_id,
    livemode: false,
    url: address.webhookUrl,
    description: "The demo's own receiver",
  });
  return {
    store_id,
    keys: made,
    scoped_key: scoped.key,
    revoked_key: revoked.key,
    endpoint_id: endpoint.id,
    webhook_secret: endpoint.secret,
  };
}

async function pair(shop: Storefront, store_id: string, livemode: boolean): Promise<ModeKeys> {
  const publishable = await shop.owner.keys.create({
    store_id,
    livemode,
    kind: "publishable",
    name: "shop",
  });
  const secret = await shop.owner.keys.create({
    store_id,
    livemode,
    kind: "secret",
    name: "server",
  });
  return { publishable: publishable.key, secret: secret.key };
}

/** Sets the address of the receiver to where the demo listens now. */
async function moveEndpoint(
  shop: Storefront,
  secrets: StoreSecrets,
  address: Address,
): Promise<StoreSecrets> {
  const partition = { store_id: secrets.store_id, livemode: false };
  const endpoint = (await shop.owner.endpoints.list(partition)).find(
    (candidate) => candidate.id === secrets.endpoint_id,
  );
  if (!endpoint) return renew(shop, secrets.store_id, { address });
  if (endpoint.url !== address.webhookUrl)
    await shop.owner.endpoints.update(partition, endpoint.id, { url: address.webhookUrl });
  return secrets;
}

/** Sets the demo's own pictures to where it listens now. */
async function movePictures(
  { owner }: Storefront,
  store_id: string,
  { origin }: Address,
): Promise<void> {
  let starting_after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof owner.products.list>> = await owner.products.list(
      store_id,
      starting_after === null ? { limit: 100 } : { limit: 100, starting_after },
    );
    const moved = page.data
      .map(({ id, images }) => ({
        id,
        was: images,
        images: images.map((image) => wholeAddress(image, origin)),
      }))
      .filter(({ was, images }) => images.join() !== was.join());
    for (const { id, images } of moved) await owner.products.update(store_id, id, { images });

    // They are moved all together: where a page needs nothing, the rest needs nothing either.
    starting_after = moved.length === 0 ? null : page.next_cursor;
  } while (starting_after !== null);
}

/**
 * Completes the address of a picture: the catalog's file names its pictures by
 * their paths alone.
 */
const wholeAddress = (image: string, origin: string): string =>
  image.startsWith("/")
    ? origin + image
    : image.replace(/^http:\/\/localhost:\d+(?=\/images\/)/, origin);

type Body = Record<string, unknown>;

/** Calls the API like any other client. */
export async function callApi(
  shop: Storefront,
  origin: string,
  method: string,
  path: string,
  key: string,
  body?: Body,
  headers: Record<string, string> = {},
): Promise<Body> {
  const response = await shop.handler(
    new Request(`${origin}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
    { ip: "127.0.0.2" },
  );
  const answer: unknown = await response.json();
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer as Body;
}

export const buyerId = "demo-buyer";

/** Returns the id of a paid order of the demo's buyer, and buys something when there is none. */
export async function paidOrder(
  shop: Storefront,
  origin: string,
  secrets: StoreSecrets,
  customer_token: string,
): Promise<string> {
  const { test } = secrets.keys;
  const mine = await callApi(shop, origin, "GET", "/customers/me/orders", test.secret, undefined, {
    "x-service-customer-token": customer_token,
  });
  const known = (mine["data"] as { id: string; status: string }[]).find(
    (order) => order.status === "paid",
  );
  if (known) return known.id;
  const products = (await callApi(shop, origin, "GET", "/products?limit=100", test.publishable))[
    "data"
  ] as {
    id: string;
    available: boolean;
  }[];
  const product = products.find((candidate) => candidate.available);
  if (!product) throw new Error("The catalog has no product that can be bought.");
  const session = await callApi(
    shop,
    origin,
    "POST",
    "/checkout/sessions",
    test.publishable,
    {
      items: [{ product_id: product.id, quantity: 1 }],
      success_url: `${origin}/success`,
      cancel_url: `${origin}/cancel`,
      customer: { email: "buyer@example.com" },
    },
    { "idempotency-key": crypto.randomUUID(), "x-service-customer-token": customer_token },
  );
  const token =
    String((session["data"] as { checkout_url: string }).checkout_url)
      .split("/")
      .at(-1) ?? "";
  const { payment_methods } = await shop.checkout.view(token);
  const { order } = await shop.checkout.submit(token, {
    payment_method_id: payment_methods[0]?.id,
    customer: { name: "Ana Demo", tax_id: "123.456.789-09" },
  });
  return order.id;
}
