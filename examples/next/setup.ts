// Run this once: it makes the store and writes what the app must know to .env.local.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const origin = process.env.PUBLIC_URL ?? `http://localhost:${process.env.PORT ?? 3000}`;
const env: Record<string, string> = {
  PUBLIC_URL: origin,
  DATABASE: join(import.meta.dirname, "shop.sqlite"),
  SEAL_KEY: randomBytes(32).toString("base64"),
  CRON_SECRET: randomBytes(24).toString("base64url"),
};
Object.assign(process.env, env);
const { openShop } = await import("./shop.ts");
const { owner } = await openShop();

const store = await owner.stores.create({ name: "Corner shop", currency: "BRL" });
await owner.stores.update(store.id, { headless_enabled: true });
await owner.origins.add(store.id, origin); // The browser buys from here.
await owner.returnUrls.add(store.id, `${origin}/thanks`);
await owner.returnUrls.add(store.id, origin);
await owner.paymentMethods.create(store.id, {
  type: "pix",
  name: "Pix",
  currencies: ["BRL"],
  gateway: "sandbox",
});
for (const [name, price] of [
  ["Coffee", 3450],
  ["Filter papers", 1290],
  ["Mug", 4900],
] as const)
  await owner.products.create(store.id, { name, price, currency: "BRL" });
const { key } = await owner.keys.create({
  store_id: store.id,
  livemode: false,
  kind: "publishable",
});
const { secret } = await owner.endpoints.create({
  store_id: store.id,
  livemode: false,
  url: `${origin}/webhooks`,
});

env["NEXT_PUBLIC_SHOP_KEY"] = key; // It is publishable, so it may stand in the browser's bundle.
env["WEBHOOK_SECRET"] = secret;
const lines = Object.entries(env).map(([name, value]) => `${name}=${value}`);
writeFileSync(join(import.meta.dirname, ".env.local"), `${lines.join("\n")}\n`, { mode: 0o600 });
console.log(`The shop is ready for ${origin}`);
