// Makes a purchase through the built package on the runtime that runs this file:
// `smoke.mjs [file.sqlite]`.
import { createStorefront, memoryStorage, sandboxGateway } from "vitrine";
import { createClient } from "vitrine/client";
import { verifyWebhook } from "vitrine/webhooks";

const must = (holds, what) => {
  if (!holds) throw new Error(`${what} does not hold.`);
};
const [file] = process.argv.slice(2);
const storage = file ? (await import("vitrine/sqlite")).sqliteStorage(file) : memoryStorage();
const posts = [];
const storefront = createStorefront({
  storage,
  checkout: { baseUrl: "http://localhost/pay" },
  publicUrl: "http://localhost",
  gateways: [sandboxGateway()],
  sealKey: new Uint8Array(32).fill(1),
  transport: {
    check: async () => ({ ok: true }),
    send: async (post) => {
      posts.push(post);
      return { ok: true, status: 204, error: null, snippet: null, duration_ms: 1 };
    },
  },
});
await storefront.migrate();
const { owner } = storefront;
const store = await owner.stores.create({ name: "Smoke", currency: "BRL" });
await owner.stores.update(store.id, { headless_enabled: true });
await owner.returnUrls.add(store.id, "https://shop.example.com/ok");
const partition = { store_id: store.id, livemode: false };
const { secret } = await owner.endpoints.create({
  ...partition,
  url: "https://hooks.example.com/in",
});
const product = await owner.products.create(store.id, {
  name: "Café",
  price: 1_990,
  currency: "BRL",
  stock: 1,
});
const method = await owner.paymentMethods.create(store.id, {
  type: "pix",
  name: "Pix",
  currencies: ["BRL"],
  gateway: "sandbox",
});
const { key } = await owner.keys.create({ ...partition, kind: "secret" });

const client = createClient({
  baseUrl: "http://localhost/v1",
  key,
  fetch: (url, init) => storefront.handler(new Request(url, init)),
});
const urls = {
  success_url: "https://shop.example.com/ok",
  cancel_url: "https://shop.example.com/ok",
};
const { data: session } = await client.createCheckoutSession({
  items: [{ product_id: product.id, quantity: 1 }],
  ...urls,
});
const token = session.checkout_url.split("/").at(-1);
const paid = await storefront.checkout.submit(token, { payment_method_id: method.id });
must(paid.order?.status === "paid", "a paid order");
const report = await storefront.drainWebhooks();
must(report.delivered === 3, "three deliveries");
for (const { body, headers } of posts) {
  const header = Object.entries(headers).find(
    ([name]) => name.toLowerCase() === "x-service-signature",
  )?.[1];
  must((await verifyWebhook({ rawBody: body, header, secret })).ok, "the signature");
}
const orders = [];
for await (const order of client.listOrders()) orders.push(order.amount_total);
must(orders.length === 1 && orders[0] === 1_990, "the order of the list");
await storefront.close();
const runtime = ["bun", "deno", "node"].find((name) => process.versions[name]);
const version = process.versions[runtime];
const where = file ? "SQLite" : "memory";
console.log(`${runtime} ${version}, ${where}: sold, delivered, verified, listed`);
