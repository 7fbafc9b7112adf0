import fastify from "fastify";
import { createStorefront, sandboxGateway } from "vitrine";
import { toFastify } from "vitrine/fastify";
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

const app = fastify(); // behind a proxy: fastify({ trustProxy: "its address" })
app.register(toFastify(storefront.notifications), { prefix: "/notifications" });
app.register(toFastify(storefront), { prefix: "/v1" });
app.register(toFastify(storefront.checkoutPage), { prefix: "/pay" });
await app.listen({ port: Number(process.env.PORT ?? 3000) });

setInterval(() => void storefront.runMaintenance().catch(console.error), 60_000);
await storefront.runWebhookLoop({ signal: new AbortController().signal });
