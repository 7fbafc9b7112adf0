import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { createStorefront, memoryStorage, sandboxGateway } from "vitrine";
import { fromNode, send } from "vitrine/node";
import { nodeTransport } from "vitrine/transport";

const api = `http://localhost:${process.env.API_PORT ?? 3000}`;
const shop = `http://localhost:${process.env.PORT ?? 5173}`;

// This is the API, as a platform runs it. In this example all data is in memory.
const storefront = createStorefront({
  storage: memoryStorage(),
  publicUrl: api,
  checkout: { baseUrl: `${api}/pay` },
  gateways: [sandboxGateway()],
  transport: nodeTransport(),
});
const { owner } = storefront;
const store = await owner.stores.create({ name: "Armazém", currency: "BRL" });
await owner.stores.update(store.id, { headless_enabled: true });
// Without the origin the page's calls fail with a CORS error.
await owner.origins.add(store.id, shop);
await owner.returnUrls.add(store.id, `${shop}/`);
await owner.paymentMethods.create(store.id, {
  type: "pix",
  name: "Pix",
  currencies: ["BRL"],
  gateway: "sandbox",
});
for (const [name, price] of [
  ["Coffee", 3450],
  ["Tea", 2190],
] as const)
  await owner.products.create(store.id, { name, price, currency: "BRL" });
const { key } = await owner.keys.create({
  store_id: store.id,
  livemode: false,
  kind: "publishable",
});

createServer(async (req, res) => {
  const request = fromNode(req);
  const reply = (await storefront.serve(request)) ?? (await storefront.checkoutPage.serve(request));
  if (reply) send(res, reply);
  else res.writeHead(404).end();
}).listen(new URL(api).port);

// The shop consists of static files on another origin. The client imports nothing,
// and neither does vitrine/money, so any bundler can bundle them, or the page can
// load a copy of dist/client.js.
const bundle = (subpath: string): string | undefined =>
  buildSync({ entryPoints: [subpath], bundle: true, format: "esm", write: false }).outputFiles[0]
    ?.text;
const scripts: Readonly<Record<string, string | undefined>> = {
  "/client.js": bundle("vitrine/client"),
  "/money.js": bundle("vitrine/money"),
  "/config.js": `export const baseUrl = ${JSON.stringify(`${api}/v1`)}, key = ${JSON.stringify(key)};`,
};
createServer((req, res) => {
  const script = scripts[req.url ?? ""];
  if (script !== undefined)
    return res.writeHead(200, { "content-type": "text/javascript" }).end(script);
  return res
    .writeHead(200, { "content-type": "text/html" })
    .end(readFileSync(join(import.meta.dirname, "index.html")));
}).listen(new URL(shop).port, () => console.log(`${shop}/`));

setInterval(() => void storefront.runMaintenance().catch(console.error), 60_000);
await storefront.runWebhookLoop({ signal: new AbortController().signal });
