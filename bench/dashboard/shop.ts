import { createStorefront, type Storage, sandboxGateway } from "vitrine";
import type { Sent } from "vitrine/transport";
import type { Fill } from "../fill.ts";
import { returnUrl } from "../servers/shared.ts";
import { marker, type Sale, saleTime, timeLetters } from "./sales.ts";

const store_id = "str_bench";
export const where = { store_id, livemode: false };

/** Opens a storefront whose clock and ids the bench sets. */
function openShop(storage: Storage) {
  let serial = 0;
  const clock = { now: saleTime - 86_400_000, digits: "00000000" };
  const storefront = createStorefront({
    storage,
    checkout: { baseUrl: "https://pay.example.com/c" },
    docsUrl: "https://docs.example.com/errors",
    publicUrl: "https://api.example.com",
    gateways: [sandboxGateway()],
    sealKey: new Uint8Array(32).fill(1),
    limits: { checkout: null },
    requestLog: {},
    transport: {
      check: async () => ({ ok: true }),
      send: async (): Promise<Sent> => ({
        ok: true,
        status: 200,
        error: null,
        snippet: "ok",
        duration_ms: 80,
      }),
    },
    now: () => clock.now,
    newId: (kind) => {
      serial += 1;
      const number = String(serial).padStart(16 - marker.length, "0");
      return `${kind}_${timeLetters(clock.now)}${number}${clock.digits}`;
    },
  });
  return { storefront, clock };
}

type Shop = ReturnType<typeof openShop>;

/** Makes a store with one record of each kind, and the sale that all others copy. */
export async function createShop(storage: Storage) {
  const shop = openShop(storage);
  const { storefront, clock } = shop;
  const { owner } = storefront;
  await storefront.migrate();
  await owner.stores.create({ id: store_id, name: "Bench", currency: "BRL", country: "BR" });
  await owner.stores.update(store_id, { headless_enabled: true });
  await owner.returnUrls.add(store_id, returnUrl);
  const category = await owner.categories.create(store_id, { name: "Cups" });
  const product = await owner.products.create(store_id, {
    name: "Cup",
    price: 12_345,
    currency: "BRL",
    category_ids: [category.id],
  });
  const coupon = await owner.coupons.create(store_id, {
    code: "SAVE10",
    discount_type: "percentage",
    discount_amount: 10,
  });
  const method = await owner.paymentMethods.create(store_id, {
    type: "pix",
    name: "Pix",
    currencies: ["BRL"],
    gateway: "sandbox",
  });
  const endpoint = await owner.endpoints.create({
    ...where,
    url: "https://hooks.example.com/in",
    event_types: ["order.paid"],
  });
  const { key, ...keyInfo } = await owner.keys.create({ ...where, kind: "secret" });

  clock.now = saleTime;
  clock.digits = marker;
  const sale = await sell(shop, { key, product_id: product.id, method_id: method.id });
  const subscription_id = await subscribe(shop, { key, method_id: method.id });
  // The ids stand under the first part of the paths that take them.
  const ids = {
    products: product.id,
    categories: category.id,
    coupons: coupon.id,
    "payment-methods": method.id,
    keys: keyInfo.id,
    webhooks: endpoint.id,
    orders: sale.order_id,
    customers: sale.customer_id,
    subscriptions: subscription_id,
    events: sale.event_id,
    payment_id: sale.payment_id,
    endpoint_id: endpoint.id,
    event_id: sale.event_id,
  };
  return { storefront, clock, sale, ids, key };
}

/** Makes a request of the API, and gives the id that the request log knows it by. */
export async function makeRequest({ storefront }: Pick<Shop, "storefront">, key: string) {
  await storefront.serve({
    method: "GET",
    target: "/v1/store",
    header: (name) => (name === "authorization" ? `Bearer ${key}` : undefined),
    body: async () => new Uint8Array(),
  });
  return (await storefront.owner.requests.list(where)).data[0]?.id;
}

interface Cart {
  readonly key: string;
  readonly product_id: string;
  readonly method_id: string;
}

/** Sends a cart, and gives the id of its session and the token of its checkout page. */
async function openSession({ storefront }: Shop, { key, product_id }: Cart) {
  const body = JSON.stringify({
    items: [{ product_id, quantity: 1 }],
    success_url: returnUrl,
    cancel_url: returnUrl,
  });
  const headers: Readonly<Record<string, string>> = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": `bench-${product_id}`,
  };
  const reply = await storefront.serve({
    method: "POST",
    target: "/v1/checkout/sessions",
    ip: "127.0.0.1",
    header: (name) => headers[name],
    body: async () => new TextEncoder().encode(body),
  });
  if (reply?.status !== 201) throw new Error(`The checkout answered ${String(reply?.body)}.`);
  const { data } = JSON.parse(String(reply.body));
  return { session_id: String(data.id), token: String(data.checkout_url).split("/").at(-1) ?? "" };
}

async function sell(shop: Shop, cart: Cart): Promise<Sale & { readonly payment_id: string }> {
  const { storefront } = shop;
  const { orders, owner } = storefront;
  const { session_id, token } = await openSession(shop, cart);
  const { order } = await storefront.checkout.submit(token, {
    payment_method_id: cart.method_id,
    customer: { id: `buyer-${marker}`, email: `ana-${marker}@example.com`, name: "Ana" },
  });
  if (!order) throw new Error("Nothing was sold.");

  await orders.refund(order.id, { ...where, reference: `refund-${marker}`, amount: 100 });
  await orders.openDispute(order.id, { ...where, reference: `dispute-${marker}` });
  await storefront.drainWebhooks();
  const [event] = (await owner.events.list({ ...where, type: "order.paid" })).data;
  const [payment] = await orders.listPayments(order.id, where);
  return {
    store_id,
    order_id: order.id,
    session_id,
    event_id: event?.id ?? "",
    customer_id: order.customer.id,
    payment_id: payment?.id ?? "",
  };
}

async function subscribe(shop: Shop, cart: Omit<Cart, "product_id">): Promise<string | undefined> {
  const { storefront } = shop;
  const product = await storefront.owner.products.create(store_id, {
    name: "A cup each month",
    price: 3_000,
    currency: "BRL",
    recurring: { interval: "month", interval_count: 1 },
  });
  const { session_id } = await openSession(shop, { ...cart, product_id: product.id });
  await storefront.checkout.complete(session_id, {
    ...where,
    status: "paid",
    reference: "first-period",
    amount: 3_000,
    currency: "BRL",
    customer: { id: "subscriber", name: "Rui" },
  });
  return (await storefront.owner.subscriptions.list(where)).data[0]?.id;
}

/** Makes a thousand more products and a thousand more stores, so that their lists have pages. */
export async function addRecords(fill: Fill, ids: { readonly products: string }): Promise<void> {
  const series = fill.series(1, 1_000);
  const number = fill.pad("n", 6);
  const product = (column: string): string =>
    `replace(replace(p.${column}, p.id, 'prod_' || ${number}), p.slug, 'cup-' || n)`;
  await fill.exec(`insert into products
      (store_id, id, slug, position, active, name_folded, document_version,
       document_live, document_test, record)
    select p.store_id, 'prod_' || ${number}, 'cup-' || n, n, 1, 'cup', p.document_version,
      ${product("document_live")}, ${product("document_test")}, ${product("record")}
    from products as p, ${series}
    where p.store_id = '${store_id}' and p.id = '${ids.products}'`);
  await fill.exec(`insert into stores (id, slug, catalog_version, record, origins, return_urls)
    select 'str_x' || ${number}, 'shop-' || n, 1,
      replace(replace(p.record, p.id, 'str_x' || ${number}), '"Bench"', '"Shop ' || n || '"'),
      '[]', '[]'
    from stores as p, ${series} where p.id = '${store_id}'`);
}
