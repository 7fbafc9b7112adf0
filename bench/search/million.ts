// Measures what a search costs in a large store, how large its indexes are, and what a write costs:
//   npx tsx bench/search/million.ts [products] [sqlite|postgres]
// By default there are 1,000,000 products, on each of the two databases.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { createStorefront, type Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { judgedCatalog } from "../../test/search/judged.ts";
import { type Fill, postgresFill, sqliteFill } from "../fill.ts";
import { median } from "../measure.ts";
import { dropDatabase, newDatabase, stopPostgres } from "../postgres.ts";

const [count = "1000000", only] = process.argv.slice(2);
/** So many products are written by the library. The database copies them. */
const written = 20_000;
const copies = Math.max(0, Math.round(Number(count) / written) - 1);

/** Every thousandth product has this word, and four of a hundred are variants of one thing. */
const catalog = judgedCatalog(written).map((product, index) => ({
  ...product,
  slug: `zzz-p-${index}`,
  name: index % 1_000 === 7 ? `${product.name} rareword` : product.name,
  ...(index % 100 < 4 && {
    group: `zzz-g-${Math.floor(index / 100)}`,
    options: [{ name: "Size", value: String(index % 100) }],
  }),
}));

const open = (storage: Storage) =>
  createStorefront({
    storage,
    publicUrl: "https://bench.example.com",
    sealKey: new Uint8Array(32),
  });

async function fillStore(storage: Storage, fill: Fill): Promise<string> {
  const storefront = open(storage);
  await storefront.migrate();
  const { owner } = storefront;
  const { id } = await owner.stores.create({ name: "Large", currency: "BRL" });
  const categories: string[] = [];
  for (let index = 0; index < 20; index += 1)
    categories.push((await owner.categories.create(id, { name: `Category ${index}` })).id);
  const began = performance.now();
  for (let from = 0; from < written; from += 500) {
    const puts = catalog.slice(from, from + 500).map((product, index) => ({
      ...product,
      category_ids: [categories[(from + index) % 20] ?? ""],
    }));
    await owner.products.putMany(id, puts);
  }
  console.log(`  ${((performance.now() - began) / written).toFixed(2)} ms to write each of 500`);
  await fill.bulk(async () => {
    for (let copy = 1; copy <= copies; copy += 1) await copyAll(fill, id, copy);
  });
  await fill.exec(`update search_words set products = products * ${copies + 1}`);
  await fill.analyze();
  return id;
}

/** The condition that the library has written a product. An index finds these among the copies. */
const isWritten = "p.slug >= 'zzz-' and p.slug < 'zzz.'";

/** Copies what the library has written, under other ids, slugs and groups. */
async function copyAll(fill: Fill, store_id: string, copy: number): Promise<void> {
  const tag = `c${copy}c`;
  const renamed = (text: string): string =>
    `replace(replace(${text}, 'zzz-', '${tag}-'), p.id, p.id || '${tag}')`;
  const columns = await fill.columns("products");
  const values = columns.map(({ name, type }) => {
    if (name === "position") return `p.position + ${copy * written}`;
    if (/^available_/.test(name)) {
      const document = name.replace("available", "p.document");
      return `p.${name} + length(${renamed(document)}) - length(${document})`;
    }
    return type.toLowerCase() === "text" && name !== "store_id"
      ? renamed(`p.${name}`)
      : `p.${name}`;
  });
  const names = columns.map(({ name }) => name).join(", ");
  await fill.exec(`insert into products (${names}) select ${values.join(", ")} from products as p
    where p.store_id = '${store_id}' and ${isWritten}`);
  const links = await fill.columns("product_categories");
  const linked = links.map(({ name }) => {
    if (name === "product_id") return `l.product_id || '${tag}'`;
    return name === "position" ? `l.position + ${copy * written}` : `l.${name}`;
  });
  await fill.exec(`insert into product_categories (${links.map(({ name }) => name).join(", ")})
    select ${linked.join(", ")} from product_categories as l
    join products as p on p.store_id = l.store_id and p.id = l.product_id
    where l.store_id = '${store_id}' and ${isWritten}`);
}

const works: Readonly<Record<string, object>> = {
  "no hit": { search: "zebrafinchx" },
  "one in a thousand": { search: "rareword" },
  "one in a thousand, groups": { search: "rareword", group: "first" },
  "one in a thousand, in a category": { search: "rareword", category_slug: "category-7" },
  "one in a hundred": { search: "chaveiro" },
  "three letters": { search: "ver" },
  "two words": { search: "chaveiro verde" },
  "two words, groups": { search: "chaveiro verde", group: "first" },
  "by price": { search: "rareword", sort: "price" },
  "one in a thousand, facets": { search: "rareword", facets: true },
  "two words, facets": { search: "chaveiro verde", facets: true },
  "one in a hundred, facets": { search: "chaveiro", facets: true },
  "all, facets": { facets: true },
  "a category, facets": { category_slug: "category-7", facets: true },
  corrected: { search: "chavairo", correct: true },
  "corrected, two words": { search: "chavairo verda", correct: true },
  "corrected, facets": { search: "rarewort", correct: true, facets: true },
  "corrected to nothing": { search: "zebrafinchx quokkaworm", correct: true },
};

async function measure(storage: Storage, store_id: string): Promise<void> {
  for (const [name, work] of Object.entries(works)) {
    const relevance = "search" in work ? { sort: "relevance" } : {};
    const query = { ...relevance, store_id, livemode: false, limit: 20, ...work };
    const call = () => storage.catalog.listProducts(query as never);
    const first = await call();
    const times: number[] = [];
    const until = performance.now() + 3_000;
    while (times.length < 5 || (times.length < 200 && performance.now() < until)) {
      const began = performance.now();
      await call();
      times.push(performance.now() - began);
    }
    const found = first.outcome === "listed" ? first : { rows: [], facets: null };
    const facets =
      found.facets === undefined ? "" : `, facets ${JSON.stringify(found.facets?.available)}`;
    console.log(`  ${name}: ${median(times).toFixed(2)} ms, ${found.rows.length} rows${facets}`);
  }
}

/** Times the write of one product, and of five hundred at once, in the full store. */
async function writes(storage: Storage, store_id: string): Promise<void> {
  const { owner } = open(storage);
  const product = { name: "Chaveiro verde de teste", price: 100, currency: "BRL" };
  const times: number[] = [];
  for (let index = 0; index < 100; index += 1) {
    const began = performance.now();
    await owner.products.putMany(store_id, [{ ...product, slug: `w-${index}` }]);
    times.push(performance.now() - began);
  }
  const many = Array.from({ length: 500 }, (_, index) => ({ ...product, slug: `m-${index}` }));
  const began = performance.now();
  await owner.products.putMany(store_id, many);
  const each = (performance.now() - began) / many.length;
  console.log(`  a write: ${median(times).toFixed(2)} ms; of 500 each ${each.toFixed(2)} ms`);
}

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`;

const sides: Readonly<Record<string, () => Promise<void>>> = {
  async sqlite() {
    const folder = mkdtempSync(join(tmpdir(), "vitrine-search-"));
    const file = join(folder, "large.sqlite");
    try {
      const first = sqliteStorage(file);
      await first.migrate();
      const fill = sqliteFill(file);
      const store_id = await fillStore(first, fill);
      await fill.close();
      await first.close();
      const storage = sqliteStorage(file);
      await measure(storage, store_id);
      await writes(storage, store_id);
      await storage.close();
      const database = new Database(file);
      const rows = database
        .prepare(
          "select name, sum(pgsize) as size from dbstat group by name order by size desc limit 14",
        )
        .all() as { name: string; size: number }[];
      for (const { name, size } of rows) console.log(`    ${name}: ${megabytes(size)}`);
      console.log(`    the file: ${megabytes(statSync(file).size)}`);
      database.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  async postgres() {
    const url = await newDatabase();
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    pool.on("error", () => {});
    const storage = postgresStorage(pool, { preparedStatements: true });
    await storage.migrate();
    const fill = await postgresFill(url);
    const store_id = await fillStore(storage, fill);
    await measure(storage, store_id);
    await writes(storage, store_id);
    const { rows } = await pool.query(`select relname as name, pg_relation_size(oid) as size
      from pg_class where relkind in ('r', 'i') and relnamespace = current_schema()::regnamespace
      order by size desc limit 16`);
    for (const { name, size } of rows) console.log(`    ${name}: ${megabytes(Number(size))}`);
    await fill.close();
    await pool.end();
    await dropDatabase(url);
    await stopPostgres();
  },
};

for (const [name, run] of Object.entries(sides))
  if (only === undefined || only === name) {
    console.log(`${name}, ${(copies + 1) * written} products`);
    await run();
  }
