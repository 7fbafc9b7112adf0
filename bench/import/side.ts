// This script imports a generated file in a process of its own, and tells seconds and memory.
import { createStorefront, type Storage, sandboxGateway } from "vitrine";
import { applyImport, planImport, type RecordProgress, readProducts } from "vitrine/import";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { neverUsed } from "../purchase.ts";

export interface Settings {
  readonly kind: "sqlite" | "postgres";
  /** The file or the address of the database. */
  readonly where: string;
  readonly rows: number;
}

/** What one process measured. */
export interface Imported {
  /** Seconds of the reader alone, the plan, the import, and the import again. */
  readonly read: number;
  readonly plan: number;
  readonly apply: number;
  readonly again: number;
  /** Processor seconds of this process in the import. */
  readonly cpu: number;
  /** MB of resident memory, at most. */
  readonly peak: number;
  /** MB that it rose above its highest place in an import of the first 2,000 rows. */
  readonly grown: number;
}

const { kind, where, rows } = JSON.parse(process.argv[2] ?? "") as Settings;

async function openStorage(): Promise<Storage> {
  if (kind === "sqlite") return sqliteStorage(where);

  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ connectionString: where, max: 4 });
  return { ...postgresStorage(pool, { preparedStatements: true }), close: () => pool.end() };
}

/** Writes a table in Shopify's columns, row by row, in parts of about 64 KB. */
async function* table(count = rows): AsyncGenerator<Uint8Array> {
  let part = "Handle,Title,Body (HTML),Type,Tags,Variant SKU,Variant Price,Image Src\n";
  for (let at = 0; at < count; at++) {
    const text = `<p>A product of the bench with the number ${at} and a text as long as most.</p>`;
    const price = `${(at % 900) + 1}.90`;
    const picture = `https://pictures.example.com/${at}.jpg`;
    part += `product-${at},Product number ${at},${text},Type ${at % 40},,S-${at},${price},${picture}\n`;
    if (part.length < 65_536) continue;
    yield Buffer.from(part);
    part = "";
  }
  yield Buffer.from(part);
}

const storage = await openStorage();
const storefront = createStorefront({
  storage,
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  gateways: [sandboxGateway()],
  transport: neverUsed,
  sealKey: new Uint8Array(32).fill(1),
});
await storefront.migrate();
const stores = storefront.owner.stores;
const { id: store_id } = await stores.create({ name: "Bench", currency: "BRL" });
const { id: small } = await stores.create({ name: "Small", currency: "BRL" });
const products = (count = rows) =>
  readProducts({ format: "shopify", open: () => table(count), currency: "BRL" });

let highest = 0;
const look = (): void => {
  highest = Math.max(highest, process.memoryUsage.rss());
};
const options = {
  store_id,
  onProgress({ outcomes }: RecordProgress) {
    look();
    const refused = outcomes.find(({ outcome }) => outcome === "refused");
    if (refused) throw new Error(`Line ${refused.line}: ${refused.message}`);
  },
};

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1_000;
}

// The code, its caches and the young heap have their places after some thousand rows.
for (const each of [planImport, applyImport])
  await each(storefront, products(2_000), { ...options, store_id: small });
const before = highest;
const read = await seconds(async () => {
  for await (const _ of products());
});
const plan = await seconds(() => planImport(storefront, products(), options));
const cpuBefore = process.cpuUsage();
const apply = await seconds(() => applyImport(storefront, products(), options));
const { user, system } = process.cpuUsage(cpuBefore);
let unchanged = 0;
const again = await seconds(async () => {
  ({ unchanged } = await applyImport(storefront, products(), options));
});
if (unchanged !== rows) throw new Error(`The second run left ${unchanged} of ${rows} unchanged.`);

const mebibyte = 2 ** 20;
const memory = { peak: highest / mebibyte, grown: (highest - before) / mebibyte };
const imported: Imported = { read, plan, apply, again, cpu: (user + system) / 1e6, ...memory };
process.stdout.write(JSON.stringify(imported));
await storefront.close();
await storage.close().catch(() => {});
