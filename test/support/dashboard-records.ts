import { storeScreens } from "../../src/dashboard/screens.ts";
import type { DashboardShop } from "./dashboard-shop.ts";

/** Makes one record of each kind in store A that has every field. */
export async function fillStore(
  { owner, a, dashboard }: DashboardShop,
  name: (kind: string) => string,
) {
  const category = await owner.categories.create(a.id, {
    name: name("category"),
    description: name("text"),
    position: 3,
  });
  const product = await owner.products.create(a.id, {
    name: name("product"),
    description: name("text\nof two lines"),
    images: ["https://cdn.example.com/a.png", "https://cdn.example.com/b.png"],
    price: 123_450,
    compare_at_price: 200_000,
    currency: "BRL",
    promotion: { discount_type: "fixed", discount_amount: 1_050 },
    recurring: { interval: "month", interval_count: 3 },
    category_ids: [category.id],
    variables: [
      {
        key: "size",
        label: name("size"),
        type: "select",
        required: true,
        options: [
          { value: "g", label: name("large") },
          { value: "p", label: name("small") },
        ],
      },
      { key: "name", label: name("engraving"), type: "text", max_length: 20, pattern: "[A-Z]+" },
    ],
    stock: 7,
    max_quantity: 2,
    position: -4,
  });
  const coupon = await owner.coupons.create(a.id, {
    code: name("CODE"),
    discount_type: "percentage",
    discount_amount: 12.5,
    min_subtotal: 5_000,
    product_ids: [product.id],
    starts_at: "2026-01-01T00:00:00Z",
    ends_at: "2026-10-18T03:30:00Z",
    max_uses: 10,
    max_uses_per_customer: 1,
  });
  const method = await owner.paymentMethods.create(a.id, {
    type: "boleto",
    name: name("method"),
    currencies: ["BRL", "USD"],
    min_amount: 500,
    max_amount: 100_000_00,
    gateway: "sandbox",
  });
  const key = await owner.keys.create({
    store_id: a.id,
    livemode: false,
    kind: "secret",
    name: name("key"),
  });
  const endpoint = await owner.endpoints.create({
    store_id: a.id,
    livemode: false,
    url: "https://hooks.example.com/in",
    description: name("endpoint"),
    event_types: ["order.paid"],
  });
  const person = await dashboard.people.invite({
    store_id: a.id,
    name: name("person"),
    access: ["keys.create"],
  });
  return { category, product, coupon, method, key, endpoint, person };
}

type Filled = Awaited<ReturnType<typeof fillStore>>;

/** The ids of the records, by the first part of the paths that take them. */
export const idsOf = (rows: Filled) => ({
  products: rows.product.id,
  categories: rows.category.id,
  coupons: rows.coupon.id,
  "payment-methods": rows.method.id,
  keys: rows.key.id,
  webhooks: rows.endpoint.id,
  people: rows.person.id,
});

/**
 * Makes one of each thing that a sale leads to, in store A in test mode: an order with
 * a note, a part refunded, a dispute and a payment too many, and a subscription.
 */
export async function sell(shop: DashboardShop, name: (kind: string) => string) {
  const { owner, storefront, a } = shop;
  const where = { store_id: a.id, livemode: false };
  const buyer = { id: "ana", email: name("ana@example.com"), name: name("Ana") };
  const order = await shop.buy({ metadata: { ref: name("ref") } }, {}, { customer: buyer });
  if (!order) throw new Error("Nothing was bought.");
  await owner.orders.addNote({ ...where, order_id: order.id, text: name("note") });
  const refund = { ...where, reference: name("refund"), amount: 100, reason: name("reason") };
  await storefront.orders.refund(order.id, refund);
  const dispute = { ...where, reference: name("dispute"), reason: name("reason") };
  await storefront.orders.openDispute(order.id, dispute);
  await storefront.orders.closeDispute(order.id, {
    ...where,
    reference: dispute.reference,
    outcome: "won",
  });
  const { amount_total: amount, currency } = order;
  await storefront.orders.markPaid(order.id, {
    ...where,
    reference: name("again"),
    amount,
    currency,
  });
  const money = await storefront.orders.listPayments(order.id, where);
  const payment = money.find(({ status }) => status === "duplicate");
  const events = await owner.events.list({ ...where, order_id: order.id });
  const deliveries = await owner.deliveries.list(where);
  const requests = await owner.requests.list(where);
  return {
    orders: order.id,
    customers: buyer.id,
    subscriptions: await subscribe(shop, name),
    events: events.data[0]?.id,
    requests: requests.data[0]?.id,
    payment_id: payment?.id,
    endpoint_id: deliveries.data[0]?.endpoint_id,
    event_id: deliveries.data[0]?.event_id,
  };
}

/** Sells a product that renews each month, whose first payment the host took. */
async function subscribe(shop: DashboardShop, name: (kind: string) => string) {
  const { owner, storefront, a } = shop;
  const where = { store_id: a.id, livemode: false };
  const product = await owner.products.create(a.id, {
    name: name("subscription"),
    price: 3_000,
    currency: "BRL",
    recurring: { interval: "month", interval_count: 1 },
  });
  const made = await shop.session({ items: [{ product_id: product.id, quantity: 1 }] });
  await storefront.checkout.complete(made.body.data.id, {
    ...where,
    status: "paid",
    reference: `${name("first")} period`,
    amount: 3_000,
    currency: "BRL",
    customer: { id: "ana", name: name("Ana") },
  });
  const { data } = await owner.subscriptions.list(where);
  return data[0]?.id;
}

type Ids = Readonly<Record<string, string | undefined>>;

/** Every path of the table of screens, with these ids in its braces. */
export const screenPaths = (ids: Ids): readonly string[] =>
  storeScreens.map(({ path }) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const id = ids[name === "id" ? (path.split("/")[0] ?? "") : name];
      if (id === undefined) throw new Error(`There is no id for ${path}.`);
      return encodeURIComponent(id);
    }),
  );
