import { createStorefront, sandboxGateway } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";

const storefront = createStorefront({
  // This is the database of your server.
  storage: sqliteStorage(process.env.DATABASE ?? "shop.sqlite"),
  publicUrl: "http://localhost:3000",
  checkout: { baseUrl: "http://localhost:3000/pay" },
  gateways: [sandboxGateway()], // Those of your server: maintenance asks them how payments stand.
  // The variable names origins of your own network that webhooks may go to, if there are any.
  transport: nodeTransport({ allowTargets: process.env.ALLOW_TARGETS?.split(",") }),
  // The key must be that of the server: it decrypts the secrets of the endpoints.
  sealKey: Buffer.from(process.env.SEAL_KEY ?? "", "base64"),
});
const stop = new AbortController();
// After a signal the sends that run are finished; the other deliveries stay due.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());

await storefront.runMaintenance({ signal: stop.signal });
for (let more = true; more && !stop.signal.aborted; ) {
  const report = await storefront.drainWebhooks({ signal: stop.signal });
  console.log(JSON.stringify(report));
  more = report.more;
}
await storefront.close();
