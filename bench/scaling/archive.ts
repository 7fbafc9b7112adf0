// Measures what a month of orders takes in the files of the archive, and how fast orders are moved
// there and read again. Run it with: npx tsx bench/scaling/archive.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import pg from "pg";
import type { Storage } from "vitrine";
import { archiveFolder } from "vitrine/archive";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { createTestShop } from "vitrine/testing";
import { startServer } from "../../test/support/postgres-server.ts";
import { product } from "../servers/shared.ts";

const orders = Number(process.env["ARCHIVE_ORDERS"] ?? 1_000);
const dayMs = 24 * 3_600_000;
/** One order of so many is refunded in part. */
const refunded = 20;

const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
const server = await startServer();
const pool = new pg.Pool({ connectionString: server.url, max: 10 });
const line = (cells: readonly (string | number)[]): void =>
  console.log(`| ${cells.map((cell) => cell.toLocaleString("en-US")).join(" | ")} |`);

line(["storage", "orders", "moved/s", "bytes", "gzip", "find, ms", "read/s"]);
line(["---", "---:", "---:", "---:", "---:", "---:", "---:"]);
await measure("SQLite", sqliteStorage(join(folder, "shop.sqlite")));
await measure("PostgreSQL", postgresStorage(pool, { preparedStatements: true }));
await pool.end();
await server.stop();
rmSync(folder, { recursive: true, force: true });

async function measure(name: string, storage: Storage): Promise<void> {
  await storage.migrate();
  const startAt = Date.UTC(2024, 0, 10);
  const sealKey = new Uint8Array(32).fill(1);
  const shop = await createTestShop({ storage, startAt, sealKey });
  const { storefront, where } = shop;
  const { archive, products } = storefront.owner;
  const { id: product_id } = await products.create(where.store_id, product(1));

  let order_id = "";
  for (let n = 0; n < orders; n += 1) {
    const session = await shop.checkout([{ product_id, quantity: 1 }]);
    const customer = { name: "Ana Souza", email: `buyer${n}@example.com` };
    const order = await shop.pay(session, { customer });
    if (n % refunded === 0) await shop.refund(order, { amount: 100 });
    if (n === orders >> 1) order_id = order.id;
  }
  await storefront.drainWebhooks();
  for (const days of [40, 580]) await shop.advanceClock(days * dayMs);
  while ((await storefront.runMaintenance()).more);

  const files = archiveFolder(join(folder, name));
  const month = { ...where, month: "2024-01" };
  const [movedMs, moved] = await timed(() => archive.move(month, files));
  if (moved.moved !== orders) throw new Error(JSON.stringify(moved));
  const bytes = (await files.read(moved.written[0]?.file ?? "")) ?? new Uint8Array();
  const [findMs] = await timed(() => archive.find({ ...where, order_id }, files));
  const [readMs] = await timed(async () => {
    for await (const _order of await archive.read(month, files));
  });
  const perSecond = (ms: number): number => Math.round((orders / ms) * 1_000);
  line([
    name,
    orders,
    perSecond(movedMs),
    Math.round(bytes.length / orders),
    Math.round(gzipSync(bytes).length / orders),
    Math.round(findMs),
    perSecond(readMs),
  ]);
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [ms: number, result: T]> {
  const began = performance.now();
  const result = await work();
  return [performance.now() - began, result];
}
