// The library on one of its storages and hosts.
import { createServer } from "node:http";
import Fastify from "fastify";
import pg from "pg";
import { createStorefront, memoryStorage } from "vitrine";
import { toFastify } from "vitrine/fastify";
import { toNode } from "vitrine/node";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { announce, product, productCount, returnUrl, settings } from "./shared.ts";

const { kind, where, fastify, caches, limited } = settings<{
  kind: "memory" | "sqlite" | "postgres";
  where: string;
  fastify?: boolean;
  caches: boolean;
  limited?: boolean;
}>();
const storage =
  kind === "memory"
    ? memoryStorage()
    : kind === "sqlite"
      ? sqliteStorage(where)
      : postgresStorage(new pg.Pool({ connectionString: where, max: 10 }), { preparedStatements: true });
const storefront = createStorefront({
  storage,
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(1),
  // Every request of the load is another buyer's: the limit is counted and never reached.
  ...(limited ? { trustBuyerIp: true } : { limits: { checkout: null, coupons: null } }),
  ...(caches ? {} : { answerCacheBytes: 0, accessCacheMs: 0 }),
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
if (fastify) {
  const app = Fastify();
  app.register(toFastify(storefront));
  await app.ready();
  await announce(app.server, rest);
} else await announce(createServer(toNode(storefront)), rest);
