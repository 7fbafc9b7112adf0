import { Hono } from "hono";
import { createStorefront, memoryStorage, type Storefront, sandboxGateway } from "vitrine";
import { fetchTransport } from "vitrine/transport/fetch";

// This file uses only Web globals, as edge runtimes need. The first request makes the storefront,
// because Workers give no random bytes before it.
let shop: Promise<{ readonly storefront: Storefront; readonly key: string }> | undefined;

async function openShop(origin: string) {
  const storefront = createStorefront({
    // The data is lost with this isolate: use a storage of your own for more than an experiment.
    storage: memoryStorage(),
    publicUrl: origin,
    checkout: { baseUrl: `${origin}/pay` },
    gateways: [sandboxGateway()],
    transport: fetchTransport(),
  });
  const { owner } = storefront;
  const store = await owner.stores.create({ name: "Edge shop", currency: "EUR" });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.returnUrls.add(store.id, `${origin}/thanks`);
  await owner.paymentMethods.create(store.id, {
    type: "card",
    name: "Card",
    currencies: ["EUR"],
    gateway: "sandbox",
  });
  await owner.products.create(store.id, {
    name: "Coffee",
    slug: "coffee",
    price: 1250,
    currency: "EUR",
  });
  const { key } = await owner.keys.create({
    store_id: store.id,
    livemode: false,
    kind: "publishable",
  });
  return { storefront, key };
}
const ready = (url: string) => (shop ??= openShop(new URL(url).origin));

const app = new Hono<{ Bindings: { readonly CRON_SECRET?: string } }>();
app.get("/", async (c) => c.json({ key: (await ready(c.req.url)).key }));
app.get("/thanks", (c) => c.text("Thank you. The webhook says whether it was paid."));
app.all("/v1/*", async (c) => {
  const { storefront } = await ready(c.req.url);
  // Cloudflare sets this header; a client cannot.
  return storefront.handler(c.req.raw, { ip: c.req.header("cf-connecting-ip") });
});
app.all("/pay/*", async (c) => {
  const { storefront } = await ready(c.req.url);
  return storefront.checkoutPage.handler(c.req.raw, { ip: c.req.header("cf-connecting-ip") });
});

// A scheduler calls it every minute.
app.post("/internal/work", async (c) => {
  const secret = c.env.CRON_SECRET;
  if (!secret || c.req.header("authorization") !== `Bearer ${secret}`) return c.body(null, 401);

  const { storefront } = await ready(c.req.url);
  await storefront.runMaintenance({ maxDurationMs: 10_000 });
  return c.json(await storefront.drainWebhooks({ maxDurationMs: 25_000 }));
});

export default app;
