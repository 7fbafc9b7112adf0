import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { measuredClock } from "../../adapters/storage/sql/engine/clock.ts";
import { postgresEngine } from "../../adapters/storage/sql/engine/postgres/postgres-engine.ts";
import {
  migratePostgres,
  usualWaits,
} from "../../adapters/storage/sql/migrate/migrate.postgres.ts";
import { postgres } from "../../adapters/storage/sql/schema/dialect.postgres.ts";
import { folder } from "../support/dump-schema.ts";
import { ownDatabase } from "../support/own-database.ts";
import { createShop } from "../support/shop.ts";

let databases = 0;

/** Opens a database of its own, by a pool for each role. */
async function openDatabase() {
  const database = await ownDatabase(`refusals_${process.pid}_${++databases}`);
  const pools: pg.Pool[] = [];
  const roles: string[] = [];
  onTestFinished(async () => {
    for (const pool of pools) await pool.end();
    await database.drop();
    if (roles.length > 0) await dropRoles(database.url, roles);
  });

  const openPool = (role?: string): pg.Pool => {
    const url = new URL(database.url);
    if (role) url.username = role;
    const pool = new pg.Pool({ connectionString: url.href, max: 3 });
    pool.on("error", () => {});
    pools.push(pool);
    return pool;
  };
  const admin = openPool();
  const createRole = async (name: string): Promise<string> => {
    const role = `${name}_${process.pid}_${databases}`;
    await admin.query(`create role ${role} login`);
    roles.push(role);
    return role;
  };
  return { admin, openPool, createRole };
}

/** Roles belong to the whole server, so they go once their database is gone. */
async function dropRoles(url: string, roles: readonly string[]): Promise<void> {
  const server = new URL(url);
  server.pathname = "/postgres";
  const client = new pg.Client(server.href);
  await client.connect();
  for (const role of roles) await client.query(`drop role ${role}`);
  await client.end();
}

const oldVersion = readFileSync(join(folder, "0.1.0.postgres.sql"), "utf8");
const tablesOf = async (pool: pg.Pool) =>
  (
    await pool.query(
      "select schemaname, tablename, tableowner from pg_tables where schemaname !~ '^(pg_|information)' order by 1, 2",
    )
  ).rows;

test("a role that does not own the tables changes nothing, so that their owner can migrate", async () => {
  const { admin, openPool, createRole } = await openDatabase();
  const [owner, other] = [await createRole("owner"), await createRole("other")];
  await admin.query(`grant create on schema public to ${owner}, ${other}`);
  await openPool(owner).query(oldVersion);
  await admin.query(`grant all on all tables in schema public to ${other}`);
  const before = await tablesOf(admin);

  const refused = postgresStorage(openPool(other));
  for (const ask of [refused.planMigration, refused.migrate])
    await expect(ask?.()).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringMatching(
        new RegExp(`role ${other} .* table \\w+, which belongs to ${owner}\\b.*migrate`),
      ),
    });
  expect(await tablesOf(admin)).toEqual(before);

  const storage = postgresStorage(openPool(owner));
  await storage.migrate();
  expect((await (await createShop(storage)).buy()).status).toBe("paid");
  // Nothing is left to alter: the role of a process that only sells may ask.
  await admin.query(`grant all on all tables in schema public to ${other}`);
  expect(await refused.planMigration?.()).toEqual([]);
  await refused.migrate();
});

test("a role that lacks a right to the tables is told which, and one with all of them may ask", async () => {
  const { admin, openPool, createRole } = await openDatabase();
  await postgresStorage(admin).migrate();
  const role = await createRole("server");
  const storage = postgresStorage(openPool(role));
  const refused = async (right: string, table: string) => {
    for (const ask of [storage.planMigration, storage.migrate])
      await expect(ask?.()).rejects.toMatchObject({
        code: "invalid_option",
        message: expect.stringMatching(
          new RegExp(`role ${role} .*${right} on the table ${table}\\b`),
        ),
      });
  };

  await admin.query(`grant select on migrations to ${role}`);
  await refused("select", "\\w+");
  await admin.query(`grant select on all tables in schema public to ${role}`);
  await refused("insert", "\\w+");
  await admin.query(
    `grant select, insert, update, delete on all tables in schema public to ${role}`,
  );
  await admin.query(`revoke update on orders from ${role}`);
  await refused("update", "orders");
  await admin.query(`grant update on orders to ${role}; revoke delete on products from ${role}`);
  await refused("delete", "products");
  await admin.query(`grant delete on products to ${role}`);
  // The rights of the documents: the list of migrations is only read.
  await admin.query(`revoke insert, update, delete on migrations from ${role}`);
  expect(await storage.planMigration?.()).toEqual([]);
  await storage.migrate();
});

test("a role that lacks a right is told that it does", async () => {
  const { admin, openPool, createRole } = await openDatabase();
  await admin.query("revoke create on schema public from public");
  const storage = postgresStorage(openPool(await createRole("poor")));
  await expect(storage.migrate()).rejects.toMatchObject({
    code: "invalid_option",
    message: expect.stringContaining("permission denied for schema public"),
  });
});

test("a schema that comes first in the search path gets no second, empty shop", async () => {
  const { admin } = await openDatabase();
  const storage = postgresStorage(admin);
  await storage.migrate();
  await createShop(storage);

  // PostgreSQL's own search path begins with a schema of the role's name, where there is one.
  await admin.query("create schema authorization current_user");
  const { rows } = await admin.query("select current_user as name");
  const [{ name }] = rows;
  for (const ask of [storage.planMigration, storage.migrate])
    await expect(ask?.()).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringMatching(new RegExp(`schema public.*"?${name}"?.*option schema`)),
    });
  expect((await storage.access.listStores({ after: null, limit: 9 })).length).toBe(2);

  await postgresStorage(admin, { schema: "public" }).migrate();
  await postgresStorage(admin, { schema: name }).migrate();
  const schemas = (await tablesOf(admin)).map(({ schemaname }) => schemaname);
  expect(new Set(schemas)).toEqual(new Set(["public", name]));
});

test("a process that was lost in its turn is named, and not awaited for ever", async () => {
  const { admin } = await openDatabase();
  await admin.query(oldVersion);
  const lost = await admin.connect();
  onTestFinished(() => lost.release(true));
  await lost.query("set application_name = 'lost'; begin; select pg_advisory_xact_lock(7381221)");

  const naming = { schema: null, prefix: "" };
  const engine = postgresEngine(admin, {
    dialect: postgres,
    naming,
    preparedStatements: false,
    acquireTimeoutMs: 5_000,
    callTimeoutMs: null,
    clock: measuredClock(),
  });
  const waits = { ...usualWaits, oldTransactionSeconds: 1 };
  await expect(migratePostgres(engine, naming, waits)).rejects.toMatchObject({
    code: "service_unavailable",
    message: expect.stringMatching(/application_name "lost", idle in transaction/),
  });

  await lost.query("commit");
  await postgresStorage(admin).migrate();
});
