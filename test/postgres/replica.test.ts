import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { type PostgresServer, startServer } from "../support/postgres-server.ts";
import { createShop, type Shop } from "../support/shop.ts";

let server: PostgresServer;
let standby: Awaited<ReturnType<PostgresServer["standby"]>>;
let pool: pg.Pool;
let readPool: pg.Pool;
let admin: pg.Client;
let shop: Shop;
/** How many statements read the table of products. */
const asked = { primary: 0, replica: 0 };

beforeAll(async () => {
  server = await startServer();
  standby = await server.standby();
  [pool, readPool] = [server.url, standby.url].map(
    (connectionString) => new pg.Pool({ connectionString, max: 4 }),
  ) as [pg.Pool, pg.Pool];
  for (const [name, counted] of [
    ["primary", pool],
    ["replica", readPool],
  ] as const) {
    counted.on("error", () => {});
    counted.on("connect", (client) => {
      const { query } = client;
      client.query = ((...given: Parameters<typeof query>) => {
        if (
          /select .*from "?(products|categories)/s.test(
            (given[0] as unknown as { text: string }).text,
          )
        )
          asked[name] += 1;
        return query.apply(client, given);
      }) as typeof query;
    });
  }
  const storage = postgresStorage(pool, { readPool });
  await storage.migrate();
  shop = await createShop(storage, { now: Date.now, accessCacheMs: 0, answerCacheBytes: 0 });
  admin = new pg.Client(standby.url);
  admin.on("error", () => {});
  await admin.connect();
});
afterAll(async () => {
  await admin.end().catch(() => {});
  await Promise.all([pool.end(), readPool.end()]);
  await standby.stop();
  await server.stop();
});

/** Waits until the replica has everything that was written. */
async function caughtUp(): Promise<void> {
  const { rows } = await pool.query("select pg_current_wal_lsn() as at");
  await expect
    .poll(
      async () =>
        (await admin.query("select pg_last_wal_replay_lsn() >= $1 as there", [rows[0].at])).rows[0]
          .there,
    )
    .toBe(true);
}
async function reads() {
  asked.primary = 0;
  asked.replica = 0;
  const answers = [];
  for (const path of [
    `/products/${shop.product.slug}`,
    "/products?limit=5",
    `/products?search=${shop.product.slug}`,
    "/categories",
  ])
    answers.push((await shop.get(path, { key: shop.a.test.pub })).body.data);
  return { names: [answers[0].name, answers[1][0].name, answers[2][0].name], ...asked };
}

test("catalog reads go to the read pool, and to the primary while the replica is behind or away", async () => {
  const { product } = shop;
  await shop.owner.categories.create(shop.a.id, { name: "Shown", slug: "shown" });
  await caughtUp();
  expect(await reads()).toEqual({
    names: [product.name, product.name, product.name],
    primary: 0,
    replica: 4,
  });

  await admin.query("select pg_wal_replay_pause()");
  await shop.owner.products.update(shop.a.id, product.id, { name: "Renamed" });
  const behind = await reads();
  expect(behind).toEqual({ names: ["Renamed", "Renamed", "Renamed"], primary: 4, replica: 4 });

  await admin.query("select pg_wal_replay_resume()");
  await caughtUp();
  expect(await reads()).toEqual({
    names: ["Renamed", "Renamed", "Renamed"],
    primary: 0,
    replica: 4,
  });

  await standby.stop();
  expect(await reads()).toMatchObject({ names: ["Renamed", "Renamed", "Renamed"], primary: 4 });
});

test("a readPool that is not a pool is refused at start-up", () => {
  expect(() => postgresStorage(pool, { readPool: "x" as never })).toThrow(
    "Option readPool must be a pg Pool.",
  );
});
