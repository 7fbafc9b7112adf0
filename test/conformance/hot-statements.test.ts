import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { openSqlite } from "../support/open-sqlite.ts";
import { ownDatabase } from "../support/own-database.ts";
import { executingDatabase, recordingPool } from "../support/recorded-statements.ts";
import { createShop } from "../support/shop.ts";

// What the hot paths send to the database, beside the code that builds it, so that a reader sees a
// claim or a checkout whole. `npm run docs` writes the files.

const folder = join(import.meta.dirname, "../../adapters/storage/sql");

/** Does each hot path once, after it was done before: what a running shop sends. */
async function statementsOf(storage: Storage, sent: () => readonly string[]) {
  const shop = await createShop(storage);
  const { owner, storefront, a } = shop;
  await owner.endpoints.create({
    store_id: a.id,
    livemode: false,
    url: "https://hooks.example.com/in",
    event_types: ["order.paid"],
  });
  await shop.buy();
  await shop.get("/orders", { key: a.test.sec });
  await storefront.drainWebhooks();
  // The first use of a key is written a second later, beside what a request sends itself.
  await expect
    .poll(async () => {
      const keys = await owner.keys.list(a.id);
      return keys.filter(({ last_used_at }) => last_used_at !== null).length;
    })
    .toBe(2);

  const found: Record<string, readonly string[]> = {};
  const during = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const before = sent().length;
    const result = await work();
    // A look that is slow on this machine is explained besides: no path of its own.
    found[name] = sent()
      .slice(before)
      .filter((text) => !/^\s*explain\b/.test(text));
    return result;
  };
  const { storage: port } = shop;
  const partition = { store_id: a.id, livemode: false };

  await during("access/find-access", () => port.access.findAccess("hash"));
  await during("catalog/list-products", () =>
    port.catalog.listProducts({ ...partition, limit: 20 }),
  );
  await during("catalog/search/search-products", () =>
    port.catalog.listProducts({ ...partition, search: "product", limit: 20 }),
  );
  await during("catalog/find-product", () => port.catalog.findProduct(partition, shop.product.id));
  const made = await during("checkout/create-session", () => shop.session());
  await during("orders/submit-and-pay", () =>
    storefront.checkout.submit(shop.tokenOf(made), { payment_method_id: a.method_id }),
  );
  await during("checkout/find-session", () =>
    shop.get(`/checkout/sessions/${made.body.data.id}`, { key: a.test.sec }),
  );
  await during("orders/list-orders", () => shop.get("/orders", { key: a.test.sec }));
  await during("webhooks/events", () => shop.get("/events", { key: a.test.sec }));
  await during("webhooks/claim/drain", () => storefront.drainWebhooks());
  return found;
}

const clauses =
  /\s+(?=(?:from|where|group by|order by|limit|offset|union all|returning|values|on conflict|set|left join|inner join|for update|for no key update|select)\b)/g;

/** Breaks a statement before its clauses, and indents what stands in brackets. */
function laidOut(text: string): string {
  let depth = 0;
  return text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/ ?\), (?="?\w+"?(\([\w, ]+\))? as )/g, "),\n")
    .replace(clauses, "\n")
    .split("\n")
    .map((line) => {
      const indented = `${"  ".repeat(depth)}${line}`;
      depth += line.split("(").length - line.split(")").length;
      return indented;
    })
    .join("\n");
}

async function keep(found: Readonly<Record<string, readonly string[]>>, dialect: string) {
  for (const [name, texts] of Object.entries(found)) {
    const file = join(folder, `${name}.${dialect}.sql`);
    await expect(`${texts.map(laidOut).join(";\n\n")};\n`).toMatchFileSnapshot(file);
  }
}

test("the statements of the hot paths on PostgreSQL are those of the files beside their code", async () => {
  const database = await ownDatabase(`hot_${process.pid}`);
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  const statements: { text: string; values: unknown[] }[] = [];
  const storage = postgresStorage(recordingPool(pool, statements));
  await storage.migrate();

  await keep(await statementsOf(storage, () => statements.map(({ text }) => text)), "postgres");
});

test("the statements of the hot paths on SQLite are those of the files beside their code", async () => {
  const texts: string[] = [];
  const storage = sqliteStorage(executingDatabase(openSqlite(":memory:"), texts));
  await storage.migrate();

  await keep(await statementsOf(storage, () => texts), "sqlite");
});
