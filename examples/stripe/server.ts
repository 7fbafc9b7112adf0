import { createHash } from "node:crypto";
import express from "express";
import Stripe from "stripe";
import { createStorefront } from "vitrine";
import { toExpress } from "vitrine/express";
import { sqliteStorage } from "vitrine/sqlite";
import { stripeGateway } from "vitrine/stripe";

const { STRIPE_SECRET_KEY = "", STRIPE_WEBHOOK_SECRET = "", STRIPE_API } = process.env;
const port = Number(process.env.PORT ?? 3000);
const base = `http://localhost:${port}`;

// STRIPE_API leads the client to a fake of Stripe; without it, to Stripe.
const fake = STRIPE_API === undefined ? null : new URL(STRIPE_API);
const stripe = new Stripe(
  STRIPE_SECRET_KEY,
  fake ? { protocol: "http", host: fake.hostname, port: fake.port } : {},
);

const storefront = createStorefront({
  storage: sqliteStorage(process.env.DATABASE ?? "shop.sqlite"),
  publicUrl: base,
  checkout: { baseUrl: `${base}/pay` },
  gateways: [stripeGateway({ stripe, webhookSecret: STRIPE_WEBHOOK_SECRET, livemode: false })],
  sealKey: createHash("sha256")
    .update(process.env.SECRET ?? "for development only")
    .digest(),
});
await storefront.migrate();

/** At the first start: a store that takes cards, a product and a key. */
async function openStore(): Promise<string> {
  const { owner } = storefront;
  const store = await owner.stores.create({ name: "Paid with Stripe", currency: "BRL" });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.returnUrls.add(store.id, `${base}/done`);
  const card = { type: "card", name: "Card", currencies: ["BRL"], gateway: "stripe" } as const;
  await owner.paymentMethods.create(store.id, card);

  const product = { name: "Coffee", price: 3450, currency: "BRL" };
  const { id } = await owner.products.create(store.id, product);
  const kind = "publishable" as const;
  const { key } = await owner.keys.create({ store_id: store.id, livemode: false, kind });
  return JSON.stringify({ key, product_id: id, return_url: `${base}/done` });
}
const isNew = (await storefront.owner.stores.list()).data.length === 0;
const first = isNew ? await openStore() : "";

const app = express();
// Stripe signs the bytes of the body, so nothing may parse it before.
app.use(toExpress(storefront.notifications));
app.use(toExpress(storefront));
app.use(toExpress(storefront.checkoutPage));
app.listen(port, () => console.log(first || `Listening on ${base}`));
setInterval(() => void storefront.runMaintenance().catch(console.error), 60_000);
