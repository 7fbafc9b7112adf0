import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStorefront, type Storage } from "vitrine";
import { postgresMigrations, postgresStorage } from "vitrine/postgres";
import { sqliteMigrations, sqliteStorage } from "vitrine/sqlite";
import { freshFolder } from "../support/demo.ts";
import { folder } from "../support/dump-schema.ts";
import { openSqlite } from "../support/open-sqlite.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import { createShop } from "../support/shop.ts";

const databaseUrl = await postgresUrl();

type Row = Record<string, unknown>;
interface Fresh {
  readonly open: (naming?: { tablePrefix?: string }) => Storage;
  readonly run: (sql: string) => Promise<readonly Row[]>;
  /** Runs a script of many statements. */
  readonly load: (sql: string) => Promise<void>;
  /** Describes the schema's tables and indexes as text. */
  readonly shape: () => Promise<readonly string[]>;
  readonly tables: () => Promise<readonly string[]>;
}

let databases = 0;
const admin = new pg.Pool({ connectionString: databaseUrl, max: 1 });
const pools: pg.Pool[] = [];
const names: string[] = [];
beforeAll(() => admin.query("select 1"));
afterAll(async () => {
  for (const pool of pools) await pool.end();
  for (const name of names) await admin.query(`drop database ${name}`);
  await admin.end();
});

const engines: readonly (readonly [
  name: string,
  fresh: () => Promise<Fresh>,
  sql: typeof sqliteMigrations,
])[] = [
  [
    "sqlite",
    async () => {
      const database = openSqlite(":memory:");
      return {
        open: (naming) => sqliteStorage(database, naming),
        run: async (sql) => {
          const statement = database.prepare(sql);
          if (statement.reader) return statement.all() as Row[];
          statement.run();
          return [];
        },
        load: async (sql) => void database.exec(sql),
        shape: async () =>
          (
            database
              .prepare("select sql from sqlite_master where sql is not null order by name")
              .pluck()
              .all() as string[]
          ).map(plain),
        tables: async () =>
          database
            .prepare("select name from sqlite_master where type = 'table' order by name")
            .pluck()
            .all() as string[],
      };
    },
    sqliteMigrations,
  ],
  [
    "postgres",
    async () => {
      const name = `migrations_${process.pid}_${++databases}`;
      await admin.query(`create database ${name}`);
      names.push(name);
      const url = new URL(databaseUrl);
      url.pathname = name;
      const pool = new pg.Pool({ connectionString: url.href, max: 4 });
      pools.push(pool);
      const run = async (sql: string): Promise<Row[]> => (await pool.query(sql)).rows;
      return {
        open: (naming) => postgresStorage(pool, naming),
        run,
        load: async (sql) => void (await pool.query(sql)),
        shape: async () =>
          (
            await run(`select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, collation_name) as line
              from information_schema.columns where table_schema = 'public'
              union all select indexdef from pg_indexes where schemaname = 'public' order by 1`)
          ).map(({ line }) => String(line)),
        tables: async () =>
          (await run("select tablename from pg_tables where schemaname = 'public' order by 1")).map(
            ({ tablename }) => String(tablename),
          ),
      };
    },
    postgresMigrations,
  ],
];
const plain = (sql: string): string => sql.replace(/\s+/g, " ");

describe.each(engines)("migrations on %s", (engine, fresh, exported) => {
  test("a database that was not migrated says what to call, for a read and for a write", async () => {
    const storage = (await fresh()).open();
    const { owner } = createStorefront({
      storage,
      publicUrl: "https://api.example.com",
      checkout: { baseUrl: "https://pay.example.com" },
      sealKey: new Uint8Array(32),
    });
    const advice = "call storefront.migrate() first";
    await expect(owner.stores.list()).rejects.toThrow(advice);
    await expect(owner.stores.create({ name: "A", currency: "BRL" })).rejects.toThrow(advice);
    await storage.migrate();
    expect(await owner.stores.create({ name: "A", currency: "BRL" })).toMatchObject({ name: "A" });
  });

  test("a second run finds nothing to do; a database of a newer version or another build is refused", async () => {
    const { open, run } = await fresh();
    const storage = open();
    await storage.migrate();
    await storage.migrate();
    await run(
      "insert into migrations (id, name, checksum, applied_at) values (999, 'later', 'x', 1)",
    );
    for (const ask of [storage.migrate, storage.planMigration])
      await expect(ask?.()).rejects.toMatchObject({
        code: "invalid_option",
        message: expect.stringContaining("newer version (migration 999)"),
      });
    await run("delete from migrations where id = 999");
    await run("update migrations set checksum = 'edited' where id = 1");
    await expect(storage.migrate()).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("Migration 1 of this database differs"),
    });
  });

  test("tables of the host with our names are never taken for ours: the error names the option to set", async () => {
    const tables = {
      orders: "create table orders (id integer primary key)",
      migrations: "create table migrations (id integer, name text)",
    };
    for (const [name, statement] of Object.entries(tables)) {
      const { open, run, tables: all } = await fresh();
      await run(statement);
      for (const ask of ["migrate", "planMigration"] as const)
        await expect(open()[ask]?.()).rejects.toMatchObject({
          code: "invalid_option",
          message: expect.stringMatching(new RegExp(`a table ${name} that is not.*tablePrefix`)),
        });
      expect(await all()).toEqual([name]);
      const storage = open({ tablePrefix: "shop_" });
      await storage.migrate();
      await storage.migrate();
      expect((await (await createShop(storage)).buy()).status).toBe("paid");
    }
  });

  test("two instances with different prefixes share a database, and neither reads or finds the other's rows", async () => {
    const { open, tables } = await fresh();
    const [one, two] = [open({ tablePrefix: "one_" }), open({ tablePrefix: "two_" })];
    await Promise.all([one.migrate(), two.migrate()]);
    const shop = await createShop(one);
    await createShop(two);
    const count = (storage: Storage) =>
      storage.access.listStores({ after: null, limit: 100 }).then((stores) => stores.length);
    expect([await count(one), await count(two)]).toEqual([2, 2]);
    expect(
      (await shop.get("/products?search=product", { key: shop.a.test.pub })).body.data,
    ).toHaveLength(1);
    expect((await tables()).filter((name) => !/^(one|two)_/.test(name))).toEqual([]);
  });

  test("the exported SQL makes the same schema, and migrate() then finds nothing to do", async () => {
    const [migrated, exportedTo] = [await fresh(), await fresh()];
    await migrated.open().migrate();
    for (const { sql } of exported()) await exportedTo.load(`begin; ${sql} commit;`);
    expect(await exportedTo.shape()).toEqual(await migrated.shape());
    await exportedTo.open().migrate();
    const rows = await exportedTo.run("select id, name, checksum from migrations order by id");
    expect(rows).toEqual(
      await migrated.run("select id, name, checksum from migrations order by id"),
    );
    expect(rows.map(({ id, name }) => ({ id, name }))).toEqual(
      exported().map(({ id, name }) => ({ id, name })),
    );
  });

  const dumps = readdirSync(folder).filter((file) => file.endsWith(`.${engine}.sql`));
  test.each(dumps)(
    "a database as %s left it is migrated without losing a row, and sells on",
    async (file) => {
      const { open, run, load, tables, shape } = await fresh();
      await load(readFileSync(join(folder, file), "utf8"));
      const held = (await tables()).filter(
        (name) => !/^(migrations|product_texts|product_search.*|sqlite_.*)$/.test(name),
      );
      // A migration may add columns to these.
      const columns = new Map<string, string>();
      for (const table of held) {
        const [row] = await run(`select * from ${table} limit 1`);
        if (row) columns.set(table, Object.keys(row).join(", "));
      }
      const read = async (): Promise<readonly string[]> => {
        const rows: string[] = [];
        for (const table of held)
          for (const row of await run(`select ${columns.get(table) ?? "*"} from ${table}`))
            rows.push(`${table} ${JSON.stringify(row)}`);
        return rows.sort();
      };
      const before = await read();
      expect(before.length).toBeGreaterThan(15);
      const storage = open();
      await storage.migrate();
      expect(await read()).toEqual(before);
      const [money, ...more] = await run("select * from payments");
      const [attempt] = await run("select id, reference from payment_attempts");
      expect(more).toEqual([]);
      expect(money).toMatchObject({
        account: "",
        id: attempt?.["id"],
        payment_reference: attempt?.["reference"],
      });
      expect(JSON.parse(String(money?.["record"]))).toMatchObject({
        livemode: false,
        state: "booked",
        amount: 900,
        currency: "BRL",
        return: null,
      });
      const current = await fresh();
      await current.open().migrate();
      expect(await shape()).toEqual(await current.shape());
      const [store] = await storage.access.listStores({ after: null, limit: 1 });
      const found = await storage.catalog.listProducts({
        store_id: store?.id ?? "",
        livemode: false,
        search: "acao",
        limit: 5,
      });
      expect(found.outcome === "listed" && found.rows.length).toBe(1);
      expect((await (await createShop(storage)).buy()).status).toBe("paid");
    },
  );

  test.each(dumps)(
    "a refund that %s left under way is still known and asked about",
    async (file) => {
      const { open, run, load } = await fresh();
      await load(readFileSync(join(folder, file), "utf8"));
      const [attempt] = await run("select id, order_id, reference, record from payment_attempts");
      const { store_id } = JSON.parse(String(attempt?.["record"]));
      const refund = {
        store_id,
        livemode: false,
        id: "rf_old",
        order_id: attempt?.["order_id"],
        reference: "r1",
        state: "reserved",
        amount: 100,
        reason: null,
        gateway: "sandbox",
        payment_reference: attempt?.["reference"],
        check_at: 1_000,
        created_at: 1_000,
        updated_at: 1_000,
      };
      await load(`insert into refunds
      (store_id, livemode, order_id, id, reference, check_at, record)
      values ('${store_id}', 0, '${refund.order_id}', 'rf_old', 'r1', 1000,
        '${JSON.stringify(refund)}')`);

      const { migrate, orders } = open();
      await migrate();
      const found = await orders.find("refund", { store_id, livemode: false }, "rf_old");
      expect(found).toMatchObject({
        attempt_id: attempt?.["id"],
        state: "pending",
        moved: "by_gateway",
        attempt_reference: attempt?.["reference"],
        requested_at: 1_000,
        acknowledged: false,
      });
      expect(
        await orders.claimWork("refunds", { now: 2_000, until: 3_000, limit: 9 }),
      ).toHaveLength(1);
    },
  );

  test.each(dumps)(
    "a coupon's minimum that %s left is in the coupon's currency, else in the store's",
    async (file) => {
      const { open, run, load } = await fresh();
      await load(readFileSync(join(folder, file), "utf8"));
      const [row] = await run("select store_id, record from coupons");
      const old = JSON.parse(String(row?.["record"]));
      const { store_id } = old;
      const kinds = {
        own: { currency: "USD", min_subtotal: 5_000 },
        stores: { currency: null, min_subtotal: 0 },
        none: { currency: "USD", min_subtotal: null },
      };
      for (const [id, kind] of Object.entries(kinds)) {
        // An apostrophe is doubled in SQL.
        const record = JSON.stringify({ ...old, id, code: `it''s "${id}"`, ...kind });
        await load(`insert into coupons (store_id, id, code, record)
          values ('${store_id}', '${id}', '${id}', '${record}')`);
      }

      const { migrate, catalog } = open();
      await migrate();
      const coupons = await catalog.listCoupons(store_id, { after: null, limit: 9 });
      const migrated = (id: keyof typeof kinds, currency: string) => ({
        ...old,
        id,
        code: `it's "${id}"`,
        ...kinds[id],
        min_subtotal_currency: currency,
      });
      const found = (wanted: string) => coupons.find(({ id }) => id === wanted);
      expect(found("own")).toEqual(migrated("own", "USD"));
      expect(found("stores")).toEqual(migrated("stores", "BRL"));
      expect(found("none")?.min_subtotal_currency ?? null).toBeNull();
      expect(found(old.id)).toEqual(old);
    },
  );

  test("there is a dump of a released schema", () => expect(dumps.length).toBeGreaterThan(0));
});

test("PostgreSQL: two instances in different schemas are kept apart", async () => {
  const [, postgres] = engines;
  const { run } = (await postgres?.[1]()) ?? {};
  const pool = pools.at(-1);
  if (!run || !pool) throw new Error("no database");
  const [one, two] = ["one", "two"].map((schema) => postgresStorage(pool, { schema }));
  if (!one || !two) throw new Error("no storage");
  await Promise.all([one.migrate(), two.migrate()]);
  await createShop(one);
  expect(await two.access.listStores({ after: null, limit: 10 })).toEqual([]);
  expect(await run("select tablename from pg_tables where schemaname = 'public'")).toEqual([]);
});

test("PostgreSQL: search works without the extension, and a role that may create nothing starts on a migrated database", async () => {
  const [, postgres] = engines;
  const { run, load } = (await postgres?.[1]()) ?? {};
  const pool = pools.at(-1);
  if (!run || !load || !pool) throw new Error("no database");
  const role = `vitrine_plain_${process.pid}`;
  await load(`create role ${role} login; create schema shop authorization ${role};`);
  await run(
    "revoke create on database current_database_name from public".replace(
      "current_database_name",
      names.at(-1) ?? "",
    ),
  );
  const url = new URL(databaseUrl);
  url.pathname = names.at(-1) ?? "";
  url.username = role;
  const own = new pg.Pool({ connectionString: url.href, max: 2 });
  const storage = postgresStorage(own, { schema: "shop" });
  await storage.migrate();
  expect(await run("select extname from pg_extension where extname = 'pg_trgm'")).toEqual([]);
  const shop = await createShop(storage);
  expect(
    (await shop.get("/products?search=product", { key: shop.a.test.pub })).body.data,
  ).toHaveLength(1);
  await load(
    `revoke create on schema shop from ${role}; alter schema shop owner to current_user; grant usage on schema shop to ${role};`,
  );
  await storage.migrate();
  await own.end();
  await load(`drop schema shop cascade; drop owned by ${role}; drop role ${role};`);
});

// In test/processes, eight real processes do the same.
test("SQLite: eight handles migrate one file at once", async () => {
  const file = join(freshFolder(), "shop.sqlite");
  const handles = Array.from({ length: 8 }, () => sqliteStorage(file));
  await Promise.all(handles.map((storage) => storage.migrate()));
  await Promise.all(handles.map((storage) => storage.close()));
  const database = openSqlite(file);
  expect(database.prepare("select id from migrations order by id").pluck().all()).toEqual(
    sqliteMigrations().map(({ id }) => id),
  );
  database.close();
});

test.each(engines)(
  "a link, a session and an entry of the version before makers were kept are read on %s",
  async (_engine, fresh, exported) => {
    const { open, run, load } = await fresh();
    for (const { id, sql } of exported()) if (id < 20) await load(`begin; ${sql} commit;`);
    const pass = "store_id, actor, access, created_at, expires_at";
    await run(`insert into dashboard_links (${pass}, link_hash)
      values ('str_a', 'ana', '"all"', 1, 9, 'l')`);
    await run(`insert into dashboard_sessions (${pass}, session_hash)
      values ('str_a', 'ana', '["exports"]', 1, 9, 's')`);
    const fields = JSON.stringify({ before: null, after: null, withheld: [], cut: [] });
    await run(`insert into audit_log
        (store_id, id, actor, action, subject_type, subject_id, fields, created_at)
      values ('str_a', 'aud_1', 'ana', 'exports', 'store', 'str_a', '${fields}', 1)`);

    const storage = open();
    await storage.migrate();
    const { dashboard } = storage;
    const nobody = { made_by: null, made_in: null };
    expect(await dashboard.listLinks({ store_id: "str_a", limit: 9 }, 2)).toMatchObject([
      { link_hash: "l", access: "all", ...nobody },
    ]);
    expect(await dashboard.listSessions("str_a", 2)).toMatchObject([
      { session_hash: "s", access: ["exports"], ...nobody },
    ]);
    const session = { session_hash: "t", expires_at: 9 };
    const spent = await dashboard.spendLink({ store_id: "str_a", hash: "l" }, session, 2);
    expect(spent).toMatchObject({ outcome: "opened", session: { actor: "ana", ...nobody } });
    expect(await dashboard.endSession({ store_id: "str_a", hash: "s" })).toBe(true);
    expect(await dashboard.listSessions("str_a", 2)).toMatchObject([{ session_hash: "t" }]);

    const [entry] = await storage.audit.list({ store_id: "str_a", limit: 9 });
    expect(entry).toMatchObject({ actor: "ana", action: "exports" });
    expect(entry).not.toHaveProperty("via");
    expect(entry).not.toHaveProperty("made_by");
  },
);
