import { sandboxGateway } from "vitrine";
import { type PaymentGateway, sandboxNotification } from "vitrine/gateway";
import type { ActorServices, ArchiveFiles, ReadProduct } from "vitrine/owner";
import type { Shop } from "../support/shop.ts";

// How to make each write of `storefront.as(actor)` once, so that it changes something.

const notificationSecret = "whsec_sandbox";

/** Makes a gateway with which each write can be made. */
export function auditedGateway(): PaymentGateway {
  // A payment in flight whose order is paid otherwise is canceled, where the gateway can.
  const { cancelPayment: _left, ...gateway } = sandboxGateway({ notificationSecret });
  return {
    ...gateway,
    getAgreement: async ({ store_id, reference }) => ({
      ...{ store_id, subscription_id: reference, status: "active" },
      saved_method: { reference, kind: "pix", label: "Pix Automático" },
      consent: { text: "Agreed at the bank.", at: 0 },
    }),
  };
}

/** Someone whose data must never be in the audit log. */
const buyer = { id: "u_1", email: "ana@example.com", name: "Ana Sá", tax_id: "529.982.247-25" };

type Call = (as: ActorServices) => Promise<unknown>;
/** Brings the shop to where the write can be made. */
export type Recipe = (shop: Shop) => Promise<Call>;

const where = (shop: Shop) => ({ store_id: shop.a.id, livemode: false });

const payment = (reference: string) => ({ reference, amount: 1000, currency: "BRL" });

async function openSession(shop: Shop): Promise<{ readonly id: string; readonly token: string }> {
  const made = await shop.session();
  return { id: made.body.data.id, token: shop.tokenOf(made) };
}

/** A session whose payment waits for its result. */
async function pendingOrder(shop: Shop) {
  const session = await openSession(shop);
  const { order } = await shop.storefront.checkout.submit(session.token, {
    payment_method_id: shop.a.method_id,
    customer: buyer,
    input: { outcome: "pending_then_succeed" },
  });
  return { ...session, order };
}

async function* oneRecord(): AsyncGenerator<ReadProduct> {
  const record = { slug: "imported-record", sku: null, name: "Cup", description: null, images: [] };
  const price = { price: 1000, compare_at_price: null, currency: "BRL", stock: null };
  yield { line: 2, product: { ...record, ...price, categories: [], active: true }, notes: [] };
}

const paidOrder = (shop: Shop) => shop.buy({}, {}, { customer: buyer });

async function disputedOrder(shop: Shop, reference: string) {
  const order = await paidOrder(shop);
  await shop.storefront.orders.openDispute(order.id, { ...where(shop), reference });
  return order;
}

/** An order that was paid twice: its own code took the first payment, the sandbox the second. */
async function duplicatePayment(shop: Shop): Promise<string> {
  const { id, order } = await pendingOrder(shop);
  const own = { ...where(shop), ...payment("own"), status: "paid" } as const;
  await shop.storefront.checkout.complete(id, own);
  shop.advance(600_000);
  await shop.storefront.runMaintenance();

  const money = await shop.storefront.orders.listPayments(order.id, where(shop));
  return money.find(({ status }) => status === "duplicate")?.id ?? "";
}

async function subscription(shop: Shop) {
  const { id } = await shop.owner.products.create(shop.a.id, {
    name: "Box",
    price: 1000,
    currency: "BRL",
    recurring: { interval: "month", interval_count: 1 },
  });
  await shop.owner.paymentMethods.update(shop.a.id, shop.a.method_id, { supports_recurring: true });
  const items = [{ product_id: id, quantity: 1 }];
  const order = await shop.buy({ items }, {}, { customer: buyer });
  return shop.storefront.subscriptions.retrieve(order.subscription_id ?? "", where(shop));
}

const endpoint = (shop: Shop) =>
  shop.owner.endpoints.create({ ...where(shop), url: "https://hooks.example.com/x" });

/** An endpoint that has one delivered event. */
async function delivered(shop: Shop) {
  const { id } = await endpoint(shop);
  await paidOrder(shop);
  await shop.storefront.drainWebhooks();
  const [delivery] = (await shop.owner.deliveries.list({ ...where(shop), endpoint_id: id })).data;
  return { endpoint_id: id, event_id: delivery?.event_id ?? "" };
}

const product = { name: "Lamp", price: 500, currency: "BRL" };
const method = { type: "pix", name: "Pix", currencies: ["BRL"] } as const;
const coupon = { code: "TEN", discount_type: "percentage", discount_amount: 10 } as const;

const catalogWrites: Readonly<Record<string, Recipe>> = {
  "owner.products.create": async (shop) => (as) => as.owner.products.create(shop.a.id, product),
  "owner.products.put": async (shop) => (as) =>
    as.owner.products.put(shop.a.id, { ...product, id: "prod_put" }),
  "owner.products.putMany": async (shop) => (as) =>
    as.owner.products.putMany(shop.a.id, [{ ...product, id: "prod_many" }, product]),
  "owner.products.import": async (shop) => (as) =>
    as.owner.products.import({
      store_id: shop.a.id,
      format: "jsonl",
      body: JSON.stringify({ ...product, id: "prod_imported" }),
    }),
  "owner.products.importRecords": async (shop) => (as) =>
    as.owner.products.importRecords({ store_id: shop.a.id, records: oneRecord() }),
  "owner.products.updateMany": async (shop) => (as) =>
    as.owner.products.updateMany(shop.a.id, [{ id: shop.product.id, changes: { price: 123 } }]),
  "owner.products.update": async (shop) => (as) =>
    as.owner.products.update(shop.a.id, shop.product.id, { price: 1000, stock: 5_000 }),
  "owner.products.delete": async (shop) => {
    const { id } = await shop.owner.products.create(shop.a.id, product);
    return (as) => as.owner.products.delete(shop.a.id, id);
  },
  "owner.products.uploadKeys": async (shop) => {
    const delivery = { type: "license_key", source: "uploaded" } as const;
    const { id: product_id } = await shop.owner.products.create(shop.a.id, {
      ...product,
      delivery,
    });
    // The order that waits gets its key by the call.
    await shop.buy({ items: [{ product_id, quantity: 1 }] });
    return (as) => as.owner.products.uploadKeys({ ...where(shop), product_id, keys: ["K-1"] });
  },
  "owner.categories.create": async (shop) => (as) =>
    as.owner.categories.create(shop.a.id, { name: "Lamps" }),
  "owner.categories.update": async (shop) => {
    const { id } = await shop.owner.categories.create(shop.a.id, { name: "Rugs" });
    return (as) => as.owner.categories.update(shop.a.id, id, { enabled: false });
  },
  "owner.categories.delete": async (shop) => {
    const { id } = await shop.owner.categories.create(shop.a.id, { name: "Beds" });
    return (as) => as.owner.categories.delete(shop.a.id, id);
  },
  "owner.paymentMethods.create": async (shop) => (as) =>
    as.owner.paymentMethods.create(shop.a.id, method),
  "owner.paymentMethods.update": async (shop) => {
    const { id } = await shop.owner.paymentMethods.create(shop.a.id, method);
    return (as) => as.owner.paymentMethods.update(shop.a.id, id, { enabled: false });
  },
  "owner.paymentMethods.delete": async (shop) => {
    const { id } = await shop.owner.paymentMethods.create(shop.a.id, method);
    return (as) => as.owner.paymentMethods.delete(shop.a.id, id);
  },
  "owner.coupons.create": async (shop) => (as) => as.owner.coupons.create(shop.a.id, coupon),
  "owner.coupons.update": async (shop) => {
    const { id } = await shop.owner.coupons.create(shop.a.id, { ...coupon, code: "TWENTY" });
    return (as) => as.owner.coupons.update(shop.a.id, id, { discount_amount: 20 });
  },
  "owner.coupons.delete": async (shop) => {
    const { id } = await shop.owner.coupons.create(shop.a.id, { ...coupon, code: "GONE" });
    return (as) => as.owner.coupons.delete(shop.a.id, id);
  },
};

const storeWrites: Readonly<Record<string, Recipe>> = {
  "owner.testClock.advance": async (shop) => (as) =>
    as.owner.testClock.advance({ store_id: shop.a.id, ms: 1_000 }),
  "owner.stores.create": async () => (as) =>
    as.owner.stores.create({ name: "Store C", currency: "BRL", id: "str_c" }),
  "owner.stores.update": async (shop) => (as) =>
    as.owner.stores.update(shop.a.id, { description: "Lamps and rugs." }),
  "owner.keys.create": async (shop) => (as) =>
    as.owner.keys.create({ ...where(shop), kind: "secret" }),
  "owner.keys.revoke": async (shop) => {
    const { id } = await shop.owner.keys.create({ ...where(shop), kind: "secret" });
    return (as) => as.owner.keys.revoke(shop.a.id, id);
  },
  "owner.origins.add": async (shop) => (as) =>
    as.owner.origins.add(shop.a.id, "https://a.example.com"),
  "owner.origins.remove": async (shop) => (as) =>
    as.owner.origins.remove(shop.a.id, "https://a.example.com"),
  "owner.returnUrls.add": async (shop) => (as) =>
    as.owner.returnUrls.add(shop.a.id, "https://a.example.com/ok"),
  "owner.returnUrls.remove": async (shop) => (as) =>
    as.owner.returnUrls.remove(shop.a.id, "https://a.example.com/ok"),
  "owner.endpoints.create": async (shop) => (as) =>
    as.owner.endpoints.create({ ...where(shop), url: "https://hooks.example.com/y" }),
  "owner.endpoints.update": async (shop) => {
    const { id } = await endpoint(shop);
    return (as) => as.owner.endpoints.update(where(shop), id, { description: "Main" });
  },
  "owner.endpoints.disable": async (shop) => {
    const { id } = await endpoint(shop);
    return (as) => as.owner.endpoints.disable(where(shop), id);
  },
  "owner.endpoints.enable": async (shop) => {
    const { endpoint_id } = await delivered(shop);
    await shop.owner.endpoints.disable(where(shop), endpoint_id);
    await paidOrder(shop);
    const replay_since = new Date(shop.now() - 1_000);
    return (as) => as.owner.endpoints.enable(where(shop), endpoint_id, { replay_since });
  },
  "owner.endpoints.delete": async (shop) => {
    const { id } = await endpoint(shop);
    return (as) => as.owner.endpoints.delete(where(shop), id);
  },
  "owner.endpoints.rotateSecret": async (shop) => {
    const { id } = await endpoint(shop);
    return (as) => as.owner.endpoints.rotateSecret(where(shop), id);
  },
  "owner.endpoints.sendTestEvent": async (shop) => {
    const { id } = await endpoint(shop);
    return (as) => as.owner.endpoints.sendTestEvent(where(shop), id);
  },
  "owner.endpoints.recover": async (shop) => {
    const { endpoint_id } = await delivered(shop);
    const range = { since: new Date(shop.now() - 1_000), states: ["delivered" as const] };
    return (as) => as.owner.endpoints.recover(where(shop), endpoint_id, range);
  },
  "owner.deliveries.resend": async (shop) => {
    const delivery = await delivered(shop);
    return (as) => as.owner.deliveries.resend({ ...where(shop), ...delivery });
  },
  "owner.alerts.acknowledge": async (shop) => {
    const alert = { ...where(shop), id: "alr_1", type: "oversold", subject: "ord_1", data: {} };
    await shop.storage.access.raiseAlert({ ...alert, created_at: shop.now() }, 0);
    return (as) => as.owner.alerts.acknowledge(shop.a.id, "alr_1", { by: "ops" });
  },
};

const orderWrites: Readonly<Record<string, Recipe>> = {
  "owner.orders.regrant": async (shop) => {
    const delivery = { type: "license_key" } as const;
    const { id: product_id } = await shop.owner.products.create(shop.a.id, {
      ...product,
      delivery,
    });
    const { id: order_id } = await shop.buy({ items: [{ product_id, quantity: 1 }] });
    const of = { ...where(shop), order_id };
    await shop.storefront.orders.refund(order_id, { ...where(shop), reference: "again" });
    const { entitlements = [] } = await shop.owner.orders.retrieve(of);
    return (as) => as.owner.orders.regrant({ ...of, entitlement_id: entitlements[0]?.id ?? "" });
  },
  "owner.orders.deactivate": async (shop) => {
    const delivery = { type: "license_key" } as const;
    const made = { ...product, delivery };
    const { id: product_id } = await shop.owner.products.create(shop.a.id, made);
    const { id: order_id } = await shop.buy({ items: [{ product_id, quantity: 1 }] });
    const of = { ...where(shop), order_id };
    const { entitlements = [] } = await shop.owner.orders.retrieve(of);
    const license_key = entitlements[0]?.license_key;
    const body = { license_key, instance_name: `${buyer.name}'s laptop` };
    await shop.post("/licenses/activate", { key: shop.a.test.pub, body });
    const [use] = await shop.owner.orders.listActivations(of);
    const { id: activation_id = "", entitlement_id = "" } = use ?? {};
    return (as) => as.owner.orders.deactivate({ ...of, entitlement_id, activation_id });
  },
  "owner.orders.addNote": async (shop) => {
    const { id: order_id } = await paidOrder(shop);
    return (as) =>
      as.owner.orders.addNote({ ...where(shop), order_id, text: `Call ${buyer.name}` });
  },
  "orders.markPaid": async (shop) => {
    const { order } = await pendingOrder(shop);
    return (as) => as.orders.markPaid(order.id, { ...where(shop), ...payment("mark_paid") });
  },
  "orders.markFailed": async (shop) => {
    const { order } = await pendingOrder(shop);
    return (as) => as.orders.markFailed(order.id, where(shop));
  },
  "orders.refund": async (shop) => {
    const order = await paidOrder(shop);
    const input = { ...where(shop), reference: "rf", amount: 400, reason: `${buyer.name} asked` };
    return (as) => as.orders.refund(order.id, input);
  },
  "orders.returnPayment": async (shop) => {
    const id = await duplicatePayment(shop);
    return (as) => as.orders.returnPayment(id, where(shop));
  },
  "orders.openDispute": async (shop) => {
    const order = await paidOrder(shop);
    return (as) => as.orders.openDispute(order.id, { ...where(shop), reference: "dp_1" });
  },
  "orders.closeDispute": async (shop) => {
    const order = await disputedOrder(shop, "dp_2");
    const input = { ...where(shop), reference: "dp_2", outcome: "won" } as const;
    return (as) => as.orders.closeDispute(order.id, input);
  },
  "subscriptions.renew": async (shop) => {
    const { id, current_period_end } = await subscription(shop);
    const input = { ...where(shop), ...payment("renew"), period_start: current_period_end };
    return (as) => as.subscriptions.renew(id, input);
  },
  "subscriptions.fail": async (shop) => {
    const { id, current_period_end: period_start } = await subscription(shop);
    return (as) => as.subscriptions.fail(id, { ...where(shop), reference: "fail", period_start });
  },
  "subscriptions.cancel": async (shop) => {
    const { id } = await subscription(shop);
    return (as) => as.subscriptions.cancel(id, where(shop));
  },
  "subscriptions.keep": async (shop) => {
    const { id } = await subscription(shop);
    await shop.storefront.subscriptions.cancel(id, where(shop));
    return (as) => as.subscriptions.keep(id, where(shop));
  },
  "subscriptions.pause": async (shop) => {
    const { id } = await subscription(shop);
    return (as) => as.subscriptions.pause(id, where(shop));
  },
  "subscriptions.resume": async (shop) => {
    const { id } = await subscription(shop);
    await shop.storefront.subscriptions.pause(id, where(shop));
    return (as) => as.subscriptions.resume(id, where(shop));
  },
  "subscriptions.changePrice": async (shop) => {
    const { id } = await subscription(shop);
    return (as) => as.subscriptions.changePrice(id, { ...where(shop), unit_amount: 600 });
  },
  "subscriptions.update": async (shop) => {
    const { id } = await subscription(shop);
    return (as) => as.subscriptions.update(id, { ...where(shop), quantity: 2 });
  },
  "subscriptions.followAgreement": async (shop) => {
    const { id } = await subscription(shop);
    const input = { ...where(shop), gateway: "sandbox", reference: id };
    return (as) => as.subscriptions.followAgreement(id, input);
  },
};

const checkoutWrites: Readonly<Record<string, Recipe>> = {
  "checkout.submit": async (shop) => {
    const { token } = await openSession(shop);
    const input = { payment_method_id: shop.a.method_id, customer: buyer };
    return (as) => as.checkout.submit(token, input);
  },
  "checkout.resume": async (shop) => {
    const { token } = await pendingOrder(shop);
    return (as) => as.checkout.resume(token);
  },
  "checkout.cancel": async (shop) => {
    const { token } = await pendingOrder(shop);
    return (as) => as.checkout.cancel(token);
  },
  "checkout.hold": async (shop) => {
    const { id } = await openSession(shop);
    const until = new Date(shop.now() + 600_000).toISOString();
    return (as) => as.checkout.hold(id, { ...where(shop), until, ip: "203.0.113.9" });
  },
  "checkout.complete": async (shop) => {
    const { id } = await openSession(shop);
    const input = { ...where(shop), ...payment("complete"), status: "paid" } as const;
    return (as) => as.checkout.complete(id, { ...input, customer: buyer });
  },
  "checkout.expire": async (shop) => {
    const { id } = await pendingOrder(shop);
    return (as) => as.checkout.expire(id, where(shop));
  },
  "checkout.handleNotification": async (shop) => {
    const { id } = await pendingOrder(shop);
    const found = await shop.storage.orders.findCheckout(where(shop), id);
    const reference = found?.attempt?.reference ?? "";
    const message = await sandboxNotification(notificationSecret, {
      type: "payment",
      notification_id: "n1",
      status: "succeeded",
      ...payment(reference),
    });
    return (as) => as.checkout.handleNotification("sandbox", message);
  },
};

const stored = new Map<string, Uint8Array>();
const archiveFiles: ArchiveFiles = {
  list: async (prefix) => [...stored.keys()].filter((name) => name.startsWith(prefix)),
  read: async (name) => stored.get(name) ?? null,
  write: async (name, bytes) => void stored.set(name, bytes),
  remove: async (name) => void stored.delete(name),
};

/** The last two remove what the others have made. */
const privacyWrites: Readonly<Record<string, Recipe>> = {
  "customers.issueToken": async (shop) => (as) =>
    as.customers.issueToken({ ...where(shop), customer_id: buyer.id }),
  "customers.revokeTokens": async (shop) => (as) =>
    as.customers.revokeTokens({ ...where(shop), customer_id: buyer.id }),
  "owner.customers.pageLink": async (shop) => (as) =>
    as.owner.customers.pageLink({ ...where(shop), customer_id: buyer.id }),
  "owner.export": async (shop) => (as) =>
    as.owner.export("orders", { ...where(shop), search: buyer.email, format: "csv" }),
  "owner.exportBooks": async (shop) => (as) =>
    as.owner.exportBooks({ ...where(shop), from: 0, to: 3_600_000 }),
  "owner.archive.move": async (shop) => {
    await paidOrder(shop);
    const month = new Date(shop.now()).toISOString().slice(0, 7);
    shop.advance(2 * 3_600_000);
    await shop.storefront.runMaintenance(); // Counts the sale: the order would stay otherwise.
    shop.advance(600 * 86_400_000);
    return (as) => as.owner.archive.move({ ...where(shop), month }, archiveFiles);
  },
  "owner.archive.eraseCustomer": async (shop) => (as) =>
    as.owner.archive.eraseCustomer({ store_id: shop.a.id, customer_id: "u_2" }, archiveFiles),
  "owner.eraseCustomer": async (shop) => (as) => as.owner.eraseCustomer(shop.a.id, buyer.id),
  "owner.wipeTestData": async (shop) => (as) => as.owner.wipeTestData(shop.a.id),
};

/** By the path of the method. */
export const auditedWrites: Readonly<Record<string, Recipe>> = {
  ...catalogWrites,
  ...storeWrites,
  ...orderWrites,
  ...checkoutWrites,
  ...privacyWrites,
};

/** What must never be found in the audit log. */
export const personalData = [
  "ana@",
  "Ana Sá",
  "529.982",
  "52998224725",
  "Call",
  "asked",
  "203.0.113.9",
];
