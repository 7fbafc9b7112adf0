// The library on node:http or Fastify: `vitrine.ts <memory|sqlite|postgres> <file or URL> <node|fastify> <cache|cold>`.
import { createServer } from "node:http";
import Fastify from "fastify";
import pg from "pg";
import { createStorefront, memoryStorage } from "vitrine";
import { toFastify } from "vitrine/fastify";
import { toNode } from "vitrine/node";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { announce, product, productCount, returnUrl } from "./shared.ts";

const [kind = "memory", where = "", host = "node", caching = "cache"] = process.argv.slice(2);
const storage =
  kind === "memory"
    ? memoryStorage()
    : kind === "sqlite"
      ? sqliteStorage(where)
      : postgresStorage(new pg.Pool({ connectionString: where, max: 10 }), { schema: `bench_${process.pid}`, preparedStatements: true });
const storefront = createStorefront({
  storage,
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(1),
  limits: { checkout: null, coupons: null },
  ...(caching === "cold" ? { answerCacheBytes: 0, accessCacheMs: 0 } : {}),
});
await storefront.migrate();
const { owner } = storefront;
const store = await owner.stores.create({ name: "Bench", currency: "BRL" });
await owner.stores.update(store.id, { headless_enabled: true });
await owner.returnUrls.add(store.id, returnUrl);
const made = await owner.products.putMany(
  store.id,
  Array.from({ length: productCount }, (_, index) => product(index)),
);
const { key } = await owner.keys.create({ store_id: store.id, livemode: false, kind: "secret" });
const rest = { key, slugs: made.map(({ slug }) => slug), product_ids: made.map(({ id }) => id) };
if (host === "fastify") {
  const app = Fastify();
  app.register(toFastify(storefront));
  await app.ready();
  await announce(app.server, rest);
} else await announce(createServer(toNode(storefront)), rest);
