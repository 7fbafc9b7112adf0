import { createStorefront } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";

const storefront = createStorefront({
  storage: sqliteStorage(process.env.DATABASE ?? "shop.sqlite"), // the database of your server
  publicUrl: "http://localhost:3000",
  checkout: { baseUrl: "http://localhost:3000/pay" },
  transport: nodeTransport({ allowTargets: process.env.ALLOW_TARGETS?.split(",") }), // origins of your own network, if any
  sealKey: Buffer.from(process.env.SEAL_KEY ?? "", "base64"), // the server's: it opens the endpoints' secrets
});
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort()); // running sends end, the rest stays due

for (let more = true; more && !stop.signal.aborted; ) {
  const report = await storefront.drainWebhooks({ signal: stop.signal });
  console.log(JSON.stringify(report));
  more = report.more;
}
await storefront.close();
