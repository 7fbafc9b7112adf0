// Measures what a paid order keeps in PostgreSQL as it ages, table by table, indexes included, and
// what it takes in the exports. Run it with: npx tsx bench/scaling/ten-years.ts
import pg from "pg";
import type { ExportKind } from "vitrine/owner";
import { postgresStorage } from "vitrine/postgres";
import { createTestShop } from "vitrine/testing";
import { startServer } from "../../test/support/postgres-server.ts";
import { product } from "../servers/shared.ts";

const orders = Number(process.env["ARCHIVE_ORDERS"] ?? 200);
const dayMs = 24 * 3_600_000;
/** One order of so many is refunded, and one of so many disputed. */
const refunded = 20;
const disputed = 200;

const server = await startServer();
const pool = new pg.Pool({ connectionString: server.url, max: 10 });
const storage = postgresStorage(pool, { preparedStatements: true });
await storage.migrate();

type Sizes = ReadonlyMap<string, number>;

/** Reads the size of each table that an order has rows in. Dead rows do not count. */
async function sizesOf(): Promise<Sizes> {
  await pool.query("vacuum (full, analyze)");
  const { rows } = await pool.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

const shop = await createTestShop({
  storage,
  startAt: Date.now(),
  sealKey: new Uint8Array(32).fill(1),
});
const { storefront, where } = shop;
const { id: product_id } = await storefront.owner.products.create(where.store_id, product(1));
const before = await sizesOf();

for (let n = 0; n < orders; n += 1) {
  const session = await shop.checkout([{ product_id, quantity: 1 }]);
  const order = await shop.pay(session, {
    customer: { name: "Ana Souza", email: `buyer${n}@example.com` },
  });
  if (n % refunded === 0) await shop.refund(order, { amount: 100 });
  if (n % disputed === 1) await shop.dispute(order, { outcome: "won" });
}
await storefront.drainWebhooks();

const ages: (readonly [days: number, sizes: Sizes])[] = [[0, await sizesOf()]];
let age = 0;
for (const days of [31, 401]) {
  await shop.advanceClock((days - age) * dayMs);
  age = days;
  while ((await storefront.runMaintenance()).more);
  ages.push([days, await sizesOf()]);
}

const perOrder = (sizes: Sizes, name: string): number =>
  Math.round(((sizes.get(name) ?? 0) - (before.get(name) ?? 0)) / orders);
const grown = [...(ages[0]?.[1].keys() ?? [])]
  .map((name) => ({ name, bytes: ages.map(([, sizes]) => perOrder(sizes, name)) }))
  .filter(({ bytes }) => bytes.some((size) => size >= 20))
  .sort((one, other) => (other.bytes.at(-1) ?? 0) - (one.bytes.at(-1) ?? 0));
const line = (cells: readonly (string | number)[]): void =>
  console.log(`| ${cells.map((cell) => cell.toLocaleString("en-US")).join(" | ")} |`);

line(["bytes of one order", ...ages.map(([days]) => `after ${days} days`)]);
line(["---", ...ages.map(() => "---:")]);
for (const { name, bytes } of grown) line([`\`${name}\``, ...bytes]);
line(["all", ...ages.map((_, at) => grown.reduce((sum, { bytes }) => sum + (bytes[at] ?? 0), 0))]);

console.log();
line(["export, JSON lines", "bytes of one order"]);
line(["---", "---:"]);
const kinds: readonly ExportKind[] = ["orders", "payments", "refunds", "disputes"];
for (const kind of kinds) {
  const { body } = await storefront.owner.export(kind, { ...where, format: "jsonl" });
  let bytes = 0;
  for await (const part of body) bytes += part.length;
  line([kind, Math.round(bytes / orders)]);
}

await pool.end();
await server.stop();
