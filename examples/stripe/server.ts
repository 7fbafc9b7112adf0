import { createHash } from "node:crypto";
import express from "express";
import Stripe from "stripe";
import { createStorefront } from "vitrine";
import { toExpress } from "vitrine/express";
import { sqliteStorage } from "vitrine/sqlite";
import { stripeGateway } from "vitrine/stripe";
import { nodeTransport } from "vitrine/transport";
import { openFirstStore } from "../first-store.ts";

const { PORT = "3000", DATABASE = "shop.sqlite", SECRET = "for development only" } = process.env;
const { STRIPE_SECRET_KEY = "", STRIPE_WEBHOOK_SECRET = "", STRIPE_API } = process.env;
const base = `http://localhost:${PORT}`;

// STRIPE_API leads the client to a fake of Stripe. Without it, the client asks Stripe.
const fake = STRIPE_API === undefined ? null : new URL(STRIPE_API);
const stripe = new Stripe(
  STRIPE_SECRET_KEY,
  fake ? { protocol: "http", host: fake.hostname, port: fake.port } : {},
);

const storefront = createStorefront({
  storage: sqliteStorage(DATABASE),
  publicUrl: base,
  checkout: { baseUrl: `${base}/pay` },
  gateways: [stripeGateway({ stripe, webhookSecret: STRIPE_WEBHOOK_SECRET, livemode: false })],
  transport: nodeTransport(),
  sealKey: createHash("sha256").update(SECRET).digest(),
});
await storefront.migrate();
const method = { type: "card", name: "Card", gateway: "stripe" } as const;
const first = await openFirstStore(storefront, { name: "Paid with Stripe", base, method });

const app = express();
// Stripe signs the bytes of the body, so nothing may parse it before.
app.use(toExpress(storefront.notifications));
app.use(toExpress(storefront));
app.use(toExpress(storefront.checkoutPage));
app.listen(PORT, (error) => {
  if (error) throw error;
  console.log(first || `Listening on ${base}`);
});

setInterval(() => void storefront.runMaintenance().catch(console.error), 60_000);
await storefront.runWebhookLoop({ signal: new AbortController().signal });
