// Writes this version's schema, with rows in it, to test/fixtures/schema. Run it once for each
// release and keep the files:
//   npx tsx test/support/dump-schema.ts 0.1.0
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import pg from "pg";
import { createStorefront, type Storage, sandboxGateway } from "vitrine";
import { postgresMigrations, postgresStorage } from "vitrine/postgres";
import { sqliteMigrations, sqliteStorage } from "vitrine/sqlite";
import { openSqlite } from "./open-sqlite.ts";
import { startServer } from "./postgres-server.ts";

export const folder = resolve(import.meta.dirname, "../fixtures/schema");

/** Triggers fill these tables when products are inserted. */
const derived = /^(migrations|product_texts|product_search.*|sqlite_.*)$/;

/** Writes a row of every kind: a sale, a failed order, a coupon, an endpoint, its deliveries. */
export async function play(storage: Storage): Promise<void> {
  await storage.migrate();
  const storefront = createStorefront({
    storage,
    checkout: { baseUrl: "https://pay.example.com/c" },
    docsUrl: "https://docs.example.com/errors",
    gateways: [sandboxGateway()],
    sealKey: new Uint8Array(32).fill(3),
    transport: {
      check: async () => ({ ok: true }),
      send: async () => ({ ok: true, status: 200, error: null, snippet: "", duration_ms: 1 }),
    },
  });
  const { owner, checkout } = storefront;
  const store = await owner.stores.create({ name: "Loja Ação", currency: "BRL" });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.returnUrls.add(store.id, "https://shop.example.com/ok");
  await owner.origins.add(store.id, "https://shop.example.com");
  const { key } = await owner.keys.create({
    store_id: store.id,
    livemode: false,
    kind: "publishable",
  });
  const category = await owner.categories.create(store.id, { name: "Básicos" });
  const method = await owner.paymentMethods.create(store.id, {
    type: "pix",
    name: "Pix",
    currencies: ["BRL"],
    gateway: "sandbox",
  });
  const product = await owner.products.create(store.id, {
    name: "Ação ★",
    price: 1000,
    currency: "BRL",
    stock: 9,
    category_ids: [category.id],
  });
  await owner.coupons.create(store.id, {
    code: "SAVE10",
    discount_type: "percentage",
    discount_amount: 10,
    max_uses: 5,
  });
  await owner.endpoints.create({
    store_id: store.id,
    livemode: false,
    url: "https://hooks.example.com/in",
  });
  const buy = async (more: object): Promise<string> => {
    const response = await storefront.handler(
      new Request("http://host/v1/checkout/sessions", {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": crypto.randomUUID(),
        },
        body: JSON.stringify({
          items: [{ product_id: product.id, quantity: 1 }],
          success_url: "https://shop.example.com/ok",
          cancel_url: "https://shop.example.com/ok",
          ...more,
        }),
      }),
    );
    const { data } = await response.json();
    return data.checkout_url.split("/").at(-1);
  };
  await checkout.submit(await buy({ coupon_code: "SAVE10" }), {
    payment_method_id: method.id,
    customer: { email: "a@example.com" },
  });
  await buy({});
  await storefront.drainWebhooks();
}

const quote = (value: unknown): string =>
  value === null
    ? "null"
    : typeof value === "number" || typeof value === "bigint"
      ? String(value)
      : `'${String(value).replaceAll("'", "''")}'`;

const insert = (table: string, row: Record<string, unknown>): string =>
  `insert into "${table}" (${Object.keys(row)
    .map((name) => `"${name}"`)
    .join(", ")}) values (${Object.values(row).map(quote).join(", ")});\n`;

async function dumpSqlite(): Promise<string> {
  const database = openSqlite(":memory:");
  database.pragma("busy_timeout = 100");
  await play(sqliteStorage(database));
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' order by name")
    .pluck()
    .all() as string[];
  const rows = tables
    .filter((table) => !derived.test(table))
    .flatMap((table) =>
      (database.prepare(`select * from "${table}"`).all() as Record<string, unknown>[]).map((row) =>
        insert(table, row),
      ),
    );
  return [...sqliteMigrations().map(({ sql }) => sql), ...rows].join("");
}

async function dumpPostgres(): Promise<string> {
  const server = await startServer();
  const pool = new pg.Pool({ connectionString: server.url });
  await play(postgresStorage(pool));
  const { rows: tables } = await pool.query(
    "select tablename from pg_tables where schemaname = 'public' order by 1",
  );
  const inserts: string[] = [];
  for (const { tablename } of tables) {
    if (derived.test(tablename)) continue;
    for (const row of (await pool.query(`select * from "${tablename}"`)).rows)
      inserts.push(insert(tablename, row));
  }
  await pool.end();
  await server.stop();
  return [...postgresMigrations().map(({ sql }) => sql), ...inserts].join("");
}

if (process.argv[1] === import.meta.filename) {
  const version = process.argv[2];
  if (!version) throw new Error("Say which version: npx tsx test/support/dump-schema.ts 0.1.0");
  mkdirSync(folder, { recursive: true });
  writeFileSync(resolve(folder, `${version}.sqlite.sql`), await dumpSqlite());
  writeFileSync(resolve(folder, `${version}.postgres.sql`), await dumpPostgres());
}
