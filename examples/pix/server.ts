import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import express from "express";
import { createStorefront } from "vitrine";
import { toExpress } from "vitrine/express";
import { pixGateway } from "vitrine/pix";
import { sqliteStorage } from "vitrine/sqlite";

const { env } = process;
const port = Number(env.PORT ?? 3000);
const base = `http://localhost:${port}`;
const file = (name: string | undefined): string => readFileSync(name ?? "", "utf8");

const pix = pixGateway({
  baseUrl: env.PIX_API ?? "",
  ...(env.PIX_TOKEN_URL !== undefined && { tokenUrl: env.PIX_TOKEN_URL }),
  account: {
    clientId: env.PIX_CLIENT_ID ?? "",
    clientSecret: env.PIX_CLIENT_SECRET ?? "",
    certificate: file(env.PIX_CERTIFICATE),
    key: file(env.PIX_PRIVATE_KEY),
    pixKey: env.PIX_KEY ?? "",
    // Only for a bank whose certificate the system does not trust.
    ...(env.PIX_CA !== undefined && { ca: file(env.PIX_CA) }),
  },
  callback: { secret: env.PIX_CALLBACK_SECRET ?? "" },
  livemode: false,
});
const storefront = createStorefront({
  storage: sqliteStorage(env.DATABASE ?? "shop.sqlite"),
  publicUrl: base,
  checkout: { baseUrl: `${base}/pay` },
  gateways: [pix],
  sealKey: createHash("sha256")
    .update(env.SECRET ?? "for development only")
    .digest(),
});
await storefront.migrate();

/** At the first start: a store that takes Pix, a product and a key. */
async function openStore(): Promise<string> {
  const { owner } = storefront;
  const store = await owner.stores.create({ name: "Paid with Pix", currency: "BRL" });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.returnUrls.add(store.id, `${base}/done`);
  const method = { type: "pix", name: "Pix", currencies: ["BRL"], gateway: "pix" } as const;
  await owner.paymentMethods.create(store.id, method);

  const product = { name: "Coffee", price: 3450, currency: "BRL" };
  const { id } = await owner.products.create(store.id, product);
  const kind = "publishable" as const;
  const { key } = await owner.keys.create({ store_id: store.id, livemode: false, kind });
  return JSON.stringify({ key, product_id: id, return_url: `${base}/done` });
}
const isNew = (await storefront.owner.stores.list()).data.length === 0;
const first = isNew ? await openStore() : "";

const app = express();
app.use(toExpress(storefront.notifications));
app.use(toExpress(storefront));
app.use(toExpress(storefront.checkoutPage));
app.listen(port, () => console.log(first || `Listening on ${base}`));
setInterval(() => void storefront.runMaintenance().catch(console.error), 60_000);
