import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, type TestContext, test } from "vitest";
import type { Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { forkable } from "../support/bundle.ts";
import { freshFolder } from "../support/demo.ts";
import { hostCatalog, type Moment } from "../support/host-stock.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import { createShop } from "../support/shop.ts";

const databaseUrl = await postgresUrl();

interface Opened {
  readonly args: readonly string[];
  readonly storage: Storage;
}

const databases: readonly (readonly [string, (context: TestContext) => Opened])[] = [
  [
    "sqlite",
    () => {
      const file = join(freshFolder(), "shop.sqlite");
      return { args: ["sqlite", file, "-"], storage: sqliteStorage(file) };
    },
  ],
  [
    "postgres",
    ({ onTestFinished }) => {
      const schema = `h${process.pid}_${Math.floor(performance.now())}`;
      const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
      onTestFinished(() => pool.end());
      const storage = postgresStorage(pool, { schema });
      return { args: ["postgres", databaseUrl, schema], storage };
    },
  ],
];

/** Each moment of a submission that is paid, declined, or refused for its coupon. */
const deaths: readonly (readonly [Moment, outcome: string, coupon: boolean])[] = [
  ["before reserve", "succeed", false],
  ["after reserve", "succeed", false],
  ["before confirm", "succeed", false],
  ["after confirm", "succeed", false],
  ["before release", "decline", false],
  ["after release", "decline", false],
  ["before release", "succeed", true],
  ["after release", "succeed", true],
];

describe.concurrent.each(databases)("a process killed while it reserves, on %s", (_name, open) => {
  test("at each moment leaves pieces that are sold or given back", {
    timeout: 240_000,
  }, async (context) => {
    const { args, storage } = open(context);
    await storage.migrate();
    const file = join(freshFolder(), "book.json");
    writeFileSync(file, JSON.stringify({ free: 100, kept: {}, sold: {} }));
    const book = () => JSON.parse(readFileSync(file, "utf8"));

    let offset = 0;
    const shop = await createShop(storage, {
      limits: { checkout: null },
      now: () => Date.now() + offset,
      catalog: hostCatalog({
        read: book,
        write: (next) => writeFileSync(file, JSON.stringify(next)),
        at: () => {},
      }),
    });
    await shop.owner.coupons.create(shop.a.id, {
      code: "ONCE",
      discount_type: "percentage",
      discount_amount: 10,
      max_uses_per_customer: 1,
    });

    const start = await forkable("test/processes/reservation-worker.ts");
    for (const [moment, outcome, coupon] of deaths) {
      const made = await shop.session({
        items: [{ product_id: "42", quantity: 1 }],
        ...(coupon ? { coupon_code: "ONCE" } : {}),
      });
      const { method_id } = shop.a;
      const child = start([...args, file, moment, shop.tokenOf(made), method_id, outcome]);
      const [, signal] = await once(child, "exit");
      expect([moment, signal]).toEqual([moment, "SIGKILL"]);
    }

    for (const hours of [0.6, 3, 8, 30]) {
      offset = hours * 3_600_000;
      await shop.storefront.runMaintenance();
    }
    const { free, kept, sold } = book();
    expect([free, kept, Object.keys(sold).length]).toEqual([98, {}, 2]);
    await shop.storefront.close();
  });
});
