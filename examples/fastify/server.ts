import { randomBytes } from "node:crypto";
import fastify from "fastify";
import { createStorefront, sandboxGateway } from "vitrine";
import { toFastify } from "vitrine/fastify";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";

const storefront = createStorefront({
  storage: sqliteStorage(process.env.DATABASE ?? "shop.sqlite"),
  publicUrl: "http://localhost:3000",
  checkout: { baseUrl: "http://localhost:3000/pay" },
  gateways: [sandboxGateway()],
  transport: nodeTransport(),
  sealKey: randomBytes(32), // In production it is 32 bytes that are kept with your secrets.
});
await storefront.migrate();

const app = fastify(); // Behind a proxy, write fastify({ trustProxy: "its address" }).
// Your parsers, hooks and error handler stay as they are.
app.register(toFastify(storefront), { prefix: "/v1" });
app.register(toFastify(storefront.checkoutPage), { prefix: "/pay" });
await app.listen({ port: Number(process.env.PORT ?? 3000) });
await storefront.runWebhookLoop({ signal: new AbortController().signal });
