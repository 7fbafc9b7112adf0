import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { createStorefront, sandboxGateway } from "vitrine";
import { toNode } from "vitrine/node";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";
import { ownCatalog, schema } from "./catalog.ts";
import { openDatabase } from "./database.ts";

const port = Number(process.env.PORT ?? 3000);
const own = await openDatabase(process.env.OWN_DATABASE ?? "articles.sqlite");
own.exec(schema);
const add = own.prepare(
  "insert or ignore into articles values (?, ?, ?, ?, ?, ?, '2026-01-01T00:00:00.000Z')",
);
add.run("COF-1", "ground-coffee", "Ground coffee", 3450, 3, "kitchen");
add.run("MUG-7", "blue-mug", "Blue mug", 4900, 12, "kitchen");
add.run("TEA-2", "green-tea", "Green tea", 2100, 0, "pantry");

const storefront = createStorefront({
  storage: sqliteStorage(process.env.DATABASE ?? "shop.sqlite"),
  catalog: ownCatalog(own),
  publicUrl: `http://localhost:${port}`,
  checkout: { baseUrl: `http://localhost:${port}/pay` },
  gateways: [sandboxGateway()],
  transport: nodeTransport(),
  sealKey: createHash("sha256")
    .update(process.env.SECRET ?? "for development only")
    .digest(),
});
await storefront.migrate();

// The first start makes the store. Its key is shown only once.
let first = "";
const { owner } = storefront;
if ((await owner.stores.list()).data.length === 0) {
  const store = await owner.stores.create({ name: "Own catalog", currency: "BRL" });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.returnUrls.add(store.id, `http://localhost:${port}/done`);
  await owner.paymentMethods.create(store.id, {
    type: "card",
    name: "Card",
    currencies: ["BRL"],
    gateway: "sandbox",
  });
  first = (await owner.keys.create({ store_id: store.id, livemode: false, kind: "publishable" }))
    .key;
}

const api = toNode(storefront);
const page = toNode(storefront.checkoutPage);
createServer((request, response) => api(request, response, () => page(request, response))).listen(
  port,
  () => {
    console.log(first || `Listening on http://localhost:${port}`);
  },
);

setInterval(() => void storefront.runMaintenance().catch(console.error), 60_000);
await storefront.runWebhookLoop({ signal: new AbortController().signal });
