import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import express from "express";
import { createStorefront } from "vitrine";
import { toExpress } from "vitrine/express";
import { pixGateway } from "vitrine/pix";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";
import { openFirstStore } from "../first-store.ts";

const { PORT = "3000", DATABASE = "shop.sqlite", SECRET = "for development only" } = process.env;
const base = `http://localhost:${PORT}`;
const { env } = process;
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
    // It is only for a bank whose certificate the system does not trust.
    ...(env.PIX_CA !== undefined && { ca: file(env.PIX_CA) }),
  },
  callback: { secret: env.PIX_CALLBACK_SECRET ?? "" },
  livemode: false,
});

const storefront = createStorefront({
  storage: sqliteStorage(DATABASE),
  publicUrl: base,
  checkout: { baseUrl: `${base}/pay` },
  gateways: [pix],
  transport: nodeTransport(),
  sealKey: createHash("sha256").update(SECRET).digest(),
});
await storefront.migrate();
const method = { type: "pix", name: "Pix", gateway: "pix" } as const;
const first = await openFirstStore(storefront, { name: "Paid with Pix", base, method });

const app = express();
app.use(toExpress(storefront.notifications));
app.use(toExpress(storefront));
app.use(toExpress(storefront.checkoutPage));
app.listen(PORT, (error) => {
  if (error) throw error;
  console.log(first || `Listening on ${base}`);
});

setInterval(() => void storefront.runMaintenance().catch(console.error), 60_000);
await storefront.runWebhookLoop({ signal: new AbortController().signal });
