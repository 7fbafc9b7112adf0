import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { postgresUrl } from "../support/postgres-url.ts";
import { createShop, thrownBy } from "../support/shop.ts";
import { openPostgresOn } from "../support/storages.ts";

const databaseUrl = await postgresUrl();

const pools: pg.Pool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end();
});
const poolOf = (config: pg.PoolConfig = {}): pg.Pool => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4, ...config });
  pool.on("error", () => {});
  pools.push(pool);
  return pool;
};
const later = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const unavailable = { code: "service_unavailable", details: { retry_after: expect.any(Number) } };

describe("a pool with settings of the host's", () => {
  test("a purchase and its webhook succeed on one connection, with unusual date, string and number formats", async () => {
    const options =
      "-c timezone=Asia/Kathmandu -c datestyle=German -c standard_conforming_strings=off -c bytea_output=escape -c extra_float_digits=-4 " +
      "-c default_transaction_isolation=serializable -c intervalstyle=sql_standard -c lc_messages=C";
    for (const preparedStatements of [false, true]) {
      const types = {
        getTypeParser: () => () => "not what was sent",
      } as unknown as pg.CustomTypesConfig;
      const shop = await createShop(
        (await openPostgresOn({ max: 1, options, types }, { preparedStatements })).storage,
      );
      await shop.owner.endpoints.create({
        store_id: shop.a.id,
        livemode: false,
        url: "https://a.example-hooks.com/",
      });
      expect(
        (await Promise.all([shop.buy(), shop.buy(), shop.buy()])).map(({ status }) => status),
      ).toEqual(["paid", "paid", "paid"]);
      expect(await shop.storefront.drainWebhooks()).toMatchObject({ delivered: 9 });
      expect((await shop.get("/products?search=\\'", { key: shop.a.test.pub })).body.data).toEqual(
        [],
      );
      expect((await shop.get("/events", { key: shop.a.test.sec })).body.data).toHaveLength(9);
    }
  });

  test("a statement that exceeds the host's timeout gives 503, leaves nothing half-done, and frees the connection", async () => {
    for (const config of [
      { statement_timeout: 600 },
      { lock_timeout: 600 },
      { query_timeout: 600 },
    ] as pg.PoolConfig[]) {
      const schema = `settings_${process.pid}_${Object.keys(config)[0]}`;
      await postgresStorage(poolOf(), { schema }).migrate();
      const shop = await createShop(postgresStorage(poolOf({ ...config, max: 2 }), { schema }), {
        accessCacheMs: 60_000,
      });
      const other = await poolOf().connect();
      try {
        await shop.get("/products", { key: shop.a.test.pub });
        await other.query(
          `begin; lock table "${schema}".products in access exclusive mode; lock table "${schema}".checkout_sessions`,
        );
        const answers = await Promise.all([
          shop.get(`/products/${shop.product.id}`, { key: shop.a.test.pub }),
          shop.session(),
          shop.session(),
        ]);
        expect([config, answers.map(({ status }) => status)]).toEqual([config, [503, 503, 503]]);
      } finally {
        await other.query("rollback");
        other.release();
      }
      await later(50);
      expect([(await shop.session()).status, (await shop.session()).status]).toEqual([201, 201]);
      const { rows } = await poolOf().query(
        `select count(*)::int as sessions from "${schema}".checkout_sessions`,
      );
      expect(rows).toEqual([{ sessions: 2 }]);
      await poolOf().query(`drop schema "${schema}" cascade`);
    }
  });

  test("a server that takes no writes, as after a failover, gives 503", async () => {
    const schema = `readonly_${process.pid}`;
    await postgresStorage(poolOf(), { schema }).migrate();
    const reading = postgresStorage(poolOf({ options: "-c default_transaction_read_only=on" }), {
      schema,
    });
    expect(
      await thrownBy(reading.limits.hit({ bucket: "a", limit: 1, window_ms: 1_000 }, 1)),
    ).toMatchObject(unavailable);
    await poolOf().query(`drop schema "${schema}" cascade`);
  });
});

describe("prepared statements", () => {
  test("two instances on one pool prepare statements of their own", async () => {
    const pool = poolOf({ max: 1 });
    const schemas = [`one_${process.pid}`, `two_${process.pid}`];
    const [one, two] = schemas.map((schema) =>
      postgresStorage(pool, { schema, preparedStatements: true }),
    );
    if (!one || !two) throw new Error("two were made");
    await one.migrate();
    await two.migrate();
    for (const shop of [await createShop(one), await createShop(two)]) {
      expect((await shop.get("/products", { key: shop.a.test.pub })).status).toBe(200);
      expect((await shop.buy()).status).toBe("paid");
    }
    for (const schema of schemas) await pool.query(`drop schema "${schema}" cascade`);
  });

  test("an older version goes on working when a newer one adds a column", async () => {
    const schema = `newer_${process.pid}`;
    const storage = postgresStorage(poolOf({ max: 2 }), { schema, preparedStatements: true });
    await storage.migrate();
    const shop = await createShop(storage);
    await shop.owner.endpoints.create({
      store_id: shop.a.id,
      livemode: false,
      url: "https://a.example-hooks.com/",
    });
    const work = async () => {
      await shop.buy();
      await shop.storefront.drainWebhooks();
      return (await shop.owner.deliveries.list({ store_id: shop.a.id, livemode: false })).data.map(
        ({ state }) => state,
      );
    };
    await work();
    const { rows } = await poolOf().query("select tablename from pg_tables where schemaname = $1", [
      schema,
    ]);
    for (const { tablename } of rows)
      await poolOf().query(`alter table "${schema}"."${tablename}" add column added_later text`);
    expect((await shop.get("/events", { key: shop.a.test.sec })).body.data).toHaveLength(3);
    expect(await work()).toEqual(Array(6).fill("delivered"));
    await poolOf().query(`drop schema "${schema}" cascade`);
  });
});
