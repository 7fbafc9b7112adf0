// Serves the library on one of its storages and hosts.
import { createServer, type Server } from "node:http";
import { createStorefront, memoryStorage, type Storage } from "vitrine";
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import { toNode } from "vitrine/node";
import { postgresStorage } from "vitrine/postgres";
import { type NodeSqliteDatabase, sqliteStorage } from "vitrine/sqlite";
import { bridge } from "./bridge.ts";
import {
  announce,
  logHeader,
  logSides,
  product,
  productCount,
  type Ready,
  returnUrl,
  settings,
} from "./shared.ts";

const { kind, where, host, caches, limited, logged, filled } = settings<{
  kind: "memory" | "sqlite" | "node:sqlite" | "postgres";
  where: string;
  host?: "node:http" | "Fastify" | "Express" | "handler(Request)";
  caches: boolean;
  limited?: boolean;
  logged?: boolean;
  filled?: Ready;
}>();
/** Opens Node's own SQLite with the settings that `sqliteStorage` gives to a file it opens. */
function openNodeSqlite(file: string): NodeSqliteDatabase {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite" as string) as unknown as {
    readonly DatabaseSync: new (path: string) => NodeSqliteDatabase;
  };
  const database = new DatabaseSync(file);
  database.exec(`pragma busy_timeout = 100; pragma journal_mode = wal; pragma synchronous = full;
    pragma foreign_keys = on; pragma cache_size = -16000; pragma wal_autocheckpoint = 4000`);
  return database;
}

async function openStorage(): Promise<Storage> {
  if (kind === "memory") return memoryStorage();
  if (kind === "sqlite") return sqliteStorage(where);
  if (kind === "node:sqlite") return sqliteStorage(openNodeSqlite(where));
  const { default: pg } = await import("pg");
  return postgresStorage(new pg.Pool({ connectionString: where, max: 10 }), {
    preparedStatements: true,
  });
}
const options = {
  storage: await openStorage(),
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(1),
  // Each request of the load has another buyer, so the limit is counted and never reached.
  ...(limited ? { trustBuyerIp: true } : { limits: { checkout: null, coupons: null } }),
  ...(caches ? {} : { answerCacheBytes: 0, accessCacheMs: 0 }),
};
const storefront = createStorefront(options);
await storefront.migrate();
async function fill(): Promise<Omit<Ready, "url">> {
  const { owner } = storefront;
  const store = await owner.stores.create({ name: "Bench", currency: "BRL" });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.returnUrls.add(store.id, returnUrl);
  const products = Array.from({ length: productCount }, (_, index) => product(index));
  const made = await owner.products.putMany(store.id, products);
  const { key } = await owner.keys.create({ store_id: store.id, livemode: false, kind: "secret" });
  return { key, slugs: made.map(({ slug }) => slug), product_ids: made.map(({ id }) => id) };
}
async function listener(): Promise<Server> {
  if (host === "Fastify") {
    const { default: Fastify } = await import("fastify");
    const app = Fastify();
    app.register(toFastify(storefront));
    await app.ready();
    return app.server;
  }
  if (host === "Express") {
    const { default: express } = await import("express");
    return createServer(express().use(toExpress(storefront)));
  }
  if (logged) return listenerWithLog();
  return createServer(
    host === "handler(Request)" ? bridge(storefront.handler) : toNode(storefront),
  );
}
/** Serves the same stores by storefronts that differ in the request log alone. */
function listenerWithLog(): Server {
  const serving = new Map(
    Object.values(logSides).map((side) => {
      const requestLog = side === logSides["log on"] ? {} : undefined;
      return [side as string, toNode(createStorefront({ ...options, requestLog }))];
    }),
  );
  return createServer((request, response) =>
    serving.get(String(request.headers[logHeader]))?.(request, response),
  );
}
const rest = filled ?? (await fill());
await announce(await listener(), rest);
