import express from "express";
import { createStorefront, sandboxGateway } from "vitrine";
import { toExpress } from "vitrine/express";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";

const storefront = createStorefront({
  storage: sqliteStorage(process.env.DATABASE ?? "shop.sqlite"),
  publicUrl: "http://localhost:3000",
  gateways: [sandboxGateway()],
  transport: nodeTransport(),
  sealKey: Buffer.from(process.env.SEAL_KEY ?? "", "base64"), // made once: openssl rand -base64 32
});
await storefront.migrate();

const app = express();
app.use(toExpress(storefront.notifications)); // before body parsers: providers sign the bytes
app.use(toExpress(storefront)); // before or behind them, with or without a prefix
app.use(toExpress(storefront.checkoutPage));
app.listen(process.env.PORT ?? 3000);

setInterval(() => void storefront.runMaintenance().catch(console.error), 60_000);
await storefront.runWebhookLoop({ signal: new AbortController().signal });
