import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { type SqliteDatabase, sqliteStorage } from "vitrine/sqlite";
import { runStorageCase, storageSuite } from "vitrine/testing";
import { freshFolder } from "../support/demo.ts";
import { openSqlite } from "../support/open-sqlite.ts";
import { createShop, thrownBy } from "../support/shop.ts";

/**
 * A real database whose statements ask for another name, so that SQLite itself answers what a
 * build without the part answers.
 */
function openWithout(part: RegExp, path: string): SqliteDatabase {
  const database = open(path);
  const translate = (sql: string): string => sql.replace(part, "$&_of_no_such_build");
  return {
    get inTransaction() {
      return database.inTransaction;
    },
    prepare: (sql) => database.prepare(translate(sql)),
    exec: (sql) => database.exec(translate(sql)),
    pragma: (source, options) => database.pragma(source, options),
    close: () => database.close(),
  };
}

function open(path: string): SqliteDatabase {
  const database = openSqlite(path);
  database.pragma("journal_mode = WAL");
  onTestFinished(() => void database.close());
  return database;
}

const findByText = async (database: SqliteDatabase, name: string): Promise<readonly string[]> => {
  const shop = await createShop(sqliteStorage(database));
  await shop.owner.products.create(shop.a.id, { name, price: 100, currency: "BRL" });
  const answer = await shop.get("/products?search=acarajé", { key: shop.a.test.pub });
  return answer.body.data.map((product: { readonly name: string }) => product.name);
};

describe.each([
  ["without FTS5", /\bfts5\b/, "no such module"],
  ["before 3.43", /\bcontentless_delete\b/, "unrecognized option"],
] as const)("a SQLite %s", (_name, part, refusal) => {
  test("refuses the index of product search", () => {
    const statement = "create virtual table t using fts5(a, content='', contentless_delete=1)";
    expect(() => openWithout(part, ":memory:").exec(statement)).toThrow(refusal);
  });

  test.each(storageSuite.filter(({ name }) => /search|product/i.test(name)))(
    "$name",
    async (storageCase) => {
      const storage = sqliteStorage(openWithout(part, ":memory:"));
      await storage.migrate();
      await runStorageCase(storageCase, { storage, assert });
    },
  );

  test("makes a file that a SQLite with FTS5 goes on using, also at the same time", async () => {
    const file = join(freshFolder(), "shop.sqlite");
    const without = openWithout(part, file);
    await sqliteStorage(without).migrate();
    const complete = open(file);
    await sqliteStorage(complete).migrate();

    expect(await findByText(complete, "Acarajé of the one")).toEqual(["Acarajé of the one"]);
    expect(await findByText(without, "Acarajé of the other")).toEqual(["Acarajé of the other"]);
  });

  test("refuses a file whose index it could not write, and changes nothing", async () => {
    const file = join(freshFolder(), "shop.sqlite");
    const complete = open(file);
    await sqliteStorage(complete).migrate();

    const refused = await thrownBy(sqliteStorage(openWithout(part, file)).migrate());
    expect(refused).toMatchObject({
      code: "invalid_option",
      message: expect.stringMatching(/^The database holds a text index, which SQLite 3\.\d+\.\d+ /),
    });
    expect(await findByText(complete, "Acarajé")).toEqual(["Acarajé"]);
  });
});

test("a locked file is no sign of a SQLite without FTS5: migrate() waits", async () => {
  const file = join(freshFolder(), "shop.sqlite");
  const other = openSqlite(file);
  onTestFinished(() => void other.close());
  other.exec("create table host (a)");
  other.exec("begin exclusive");

  const database = openSqlite(file);
  onTestFinished(() => void database.close());
  database.pragma("busy_timeout = 0");
  const migrated = sqliteStorage(database).migrate();
  await pause(30);
  other.exec("commit");
  await migrated;

  const find = database.prepare("select name from sqlite_master where name = 'product_search'");
  expect(find.pluck().get()).toBe("product_search");
});
