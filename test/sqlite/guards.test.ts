import { beforeEach, describe, expect, test } from "vitest";
import { sqliteStorage } from "vitrine/sqlite";
import { adjustCoupon } from "../../adapters/storage/sql/catalog/stock/coupon-counters.ts";
import { prepareStockAdjustment } from "../../adapters/storage/sql/catalog/stock/stock.ts";
import type { SqlEngine } from "../../adapters/storage/sql/engine/engine.ts";
import { sqliteEngine } from "../../adapters/storage/sql/engine/sqlite/sqlite-engine.ts";
import { openSqlite } from "../support/open-sqlite.ts";

// The rules judge under a lock, so that these guards refuse nothing as long as the rules are right.
// Each statement is tested here without its rule: it holds by itself. Both databases share it.

const partition = { store_id: "str_a", livemode: true };
const key = { store_id: "str_a", livemode: 1 } as const;

let database: ReturnType<typeof openSqlite>;
let engine: SqlEngine;
beforeEach(async () => {
  database = openSqlite(":memory:");
  await sqliteStorage(database).migrate();
  engine = sqliteEngine(database, { naming: { schema: null, prefix: "" }, ownsHandle: false });
});

describe("the guard of a hold", () => {
  const hold = (held_delta: number) => {
    const adjustStock = prepareStockAdjustment(engine);
    const change = { product_id: "p", stock_delta: 0, held_delta, guarded: true };
    // What was read of the stock is out of date: it says that there are plenty.
    const outdated = new Map([["p", { stock: 100, held: 0, counted: true }]]);
    return engine.write(() => adjustStock(partition, [change], outdated));
  };
  const counts = () => database.prepare("select stock, held from stock").get();

  test.each([
    ["all free pieces are taken", 1, 2, true, { stock: 5, held: 5 }],
    ["one piece more than is free is refused", 1, 3, false, { stock: 5, held: 3 }],
    ["one piece more is taken once nobody counts", 0, 3, true, { stock: 5, held: 6 }],
  ] as const)("%s", async (_name, counted, held_delta, isTaken, after) => {
    const columns = "store_id, livemode, product_id, stock, held, counted";
    database
      .prepare(`insert into stock (${columns}) values (?,?,?,?,?,?)`)
      .run("str_a", 1, "p", 5, 3, counted);
    const isHeld = await hold(held_delta).then(
      () => true,
      () => false,
    );
    expect([isHeld, counts()]).toEqual([isTaken, after]);
  });
});

describe("the guard of a coupon", () => {
  const use = (max_uses: number) => {
    const change = { coupon_id: "c", used_delta: 1, customer_key: "id:a", guarded: true } as const;
    return engine.write(() => adjustCoupon(engine, partition, change, max_uses));
  };
  const used = () =>
    database
      .prepare("select n.used from coupon_counters n union all select used from coupon_uses")
      .all();

  test.each([
    ["the last use is taken", 3, [{ used: 3 }, { used: 2 }]],
    ["one use more is refused, and nothing is written", 2, [{ used: 2 }, { used: 1 }]],
  ])("%s", async (_name, max_uses, after) => {
    const insert = (table: string, columns: object) => {
      const names = Object.keys(columns);
      const marks = names.map(() => "?").join();
      database
        .prepare(`insert into ${table} (${names.join()}) values (${marks})`)
        .run(...Object.values(columns));
    };
    insert("coupon_counters", { ...key, coupon_id: "c", used: 2 });
    insert("coupon_uses", { ...key, coupon_id: "c", customer_key: "id:a", used: 1 });
    const isUsed = await use(max_uses).then(
      () => true,
      () => false,
    );
    expect([isUsed, used()]).toEqual([max_uses === 3, after]);
  });
});
