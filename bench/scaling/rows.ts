// Measures what a store, a product and a paid order take in PostgreSQL, indexes included.
// Run it with: npx tsx bench/scaling/rows.ts
import pg from "pg";
import { postgresStorage } from "vitrine/postgres";
import { createTestShop } from "vitrine/testing";
import { startServer } from "../../test/support/postgres-server.ts";
import { product } from "../servers/shared.ts";

const stores = 100;
const productsPerStore = 50;
const ordersPerStore = 5;
const sealKey = new Uint8Array(32).fill(1);

interface Size {
  readonly rows: number;
  readonly bytes: number;
}

/** Rewrites the tables first, so that dead rows do not count. */
async function sizeOf(pool: pg.Pool): Promise<Size> {
  await pool.query("vacuum (full, analyze)");
  const { rows: tables } = await pool.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );

  let rows = 0;
  let bytes = 0;
  for (const table of tables) {
    const counted = await pool.query<{ count: string }>(`select count(*) from "${table.name}"`);
    rows += Number(counted.rows[0]?.count);
    bytes += Number(table.bytes);
  }
  return { rows, bytes };
}

const server = await startServer();
const pool = new pg.Pool({ connectionString: server.url, max: 10 });
const storage = postgresStorage(pool, { preparedStatements: true });
await storage.migrate();
let before = await sizeOf(pool);

/** Prints what one of `count` items took since the last call. */
async function report(what: string, count: number): Promise<void> {
  const after = await sizeOf(pool);
  const rows = ((after.rows - before.rows) / count).toFixed(1);
  const bytes = Math.round((after.bytes - before.bytes) / count).toLocaleString("en-US");
  console.log(`| ${what} | ${rows} | ${bytes} |`);
  before = after;
}

console.log("| one more | rows | bytes |\n| --- | ---: | ---: |");
const shops: Awaited<ReturnType<typeof createTestShop>>[] = [];
for (let n = 0; n < stores; n += 1)
  shops.push(await createTestShop({ storage, startAt: Date.now(), sealKey }));
await report("store with two keys, a way to pay and an endpoint", stores);

const catalogs: string[][] = [];
for (const { storefront, where } of shops) {
  const products = Array.from({ length: productsPerStore }, (_, index) => product(index));
  const made = await storefront.owner.products.putMany(where.store_id, products);
  catalogs.push(made.map(({ id }) => id));
}
await report("product", stores * productsPerStore);

for (const [index, shop] of shops.entries())
  for (let n = 0; n < ordersPerStore; n += 1) {
    const product_id = catalogs[index]?.[n % productsPerStore] ?? "";
    const session = await shop.checkout([{ product_id, quantity: 1 }]);
    await shop.pay(session, { customer: { name: "Ana", email: `buyer${n}@example.com` } });
  }
await report("paid order with its session, payment and delivered events", stores * ordersPerStore);

await pool.end();
await server.stop();
