import { randomBytes } from "node:crypto";
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
  sealKey: randomBytes(32), // in production: 32 bytes kept with your secrets
});
await storefront.migrate();

const app = express();
app.use(toExpress(storefront)); // before or behind body parsers, with or without a prefix
app.use(toExpress(storefront.checkoutPage));
app.listen(process.env.PORT ?? 3000);
await storefront.runWebhookLoop({ signal: new AbortController().signal });
