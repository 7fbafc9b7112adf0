import { createHash } from "node:crypto";
import pg from "pg";
import { expect, test } from "vitest";
import { postgresMigrations, postgresStorage } from "vitrine/postgres";
import { distribution } from "../../adapters/storage/sql/schema/distribution.ts";
import { openPostgresOn } from "../support/storages.ts";

test("every table of the schema has a line in schema/distribution.ts", () => {
  const created = postgresMigrations().flatMap(({ sql }) =>
    [...sql.matchAll(/create table (?:if not exists )?"(\w+)"/g)].map((match) => match[1] ?? ""),
  );

  const missing = created.filter((name) => !(name in distribution));
  expect(missing, "Say in schema/distribution.ts where Citus keeps the rows of these").toEqual([]);
  expect(Object.keys(distribution).sort()).toEqual(created.sort());
});

test("the exported migrations distribute each table of a store once", () => {
  const [first, ...others] = postgresMigrations({ schema: "shop", distribute: "citus" });
  const text = [first, ...others].map((migration) => migration?.sql).join("");

  for (const [name, place] of Object.entries(distribution)) {
    const calls = text.split(`create_distributed_table('"shop"."${name}"',`).length - 1;
    expect([name, calls]).toEqual([name, place === "by_store" ? 1 : 0]);
  }
});

test("the exported migrations create each function of a store, and name it by its text", () => {
  const text = postgresMigrations({ schema: "shop", distribute: "citus" })
    .map(({ sql }) => sql)
    .join("");
  const bodies = [...text.matchAll(/create function "shop"\."(\w+)"(.*?)\$body\$;/gs)];
  const hashes = bodies.map(([, name = "", body = ""]) => [
    name,
    createHash("sha256").update(body.replace(/\s+/g, " ")).digest("hex").slice(0, 8),
  ]);

  // A process of another version may call the function: a new text needs a new name.
  expect(Object.fromEntries(hashes)).toEqual({
    create_session_v1: "82c60408",
    find_checkout_v1: "b284f3ce",
    lock_checkout_v1: "a953f07b",
    look_up_v1: "dd35b0d7",
    write_step_v1: "603904a9",
  });
  for (const [name] of hashes)
    expect(text).toContain(`create_distributed_function('"shop"."${name}"(`);
});

test("without the option, the exported migrations name no extension of Citus", () => {
  expect(JSON.stringify(postgresMigrations())).not.toContain("create_distributed_table");
});

test("migrate() refuses a database without the extension, and creates nothing", async () => {
  const { pool } = await openPostgresOn({ max: 2 });
  const storage = postgresStorage(pool, { schema: "no_citus_here", distribute: "citus" });

  await expect(storage.migrate()).rejects.toMatchObject({
    code: "invalid_option",
    param: "distribute",
    message: expect.stringContaining("create extension citus"),
  });
  const { rows } = await pool.query("select 1 from pg_namespace where nspname = 'no_citus_here'");
  expect(rows).toEqual([]);
});

test("with the option, tables that are not distributed are refused at each use", async () => {
  const { pool, schema } = await openPostgresOn({ max: 2 });
  const storage = postgresStorage(pool, { schema, distribute: "citus" });

  const refused = { code: "invalid_option", message: expect.stringContaining("not distributed") };
  await expect(storage.access.findStore("str_1")).rejects.toMatchObject(refused);
  await expect(storage.purge(0, 1)).rejects.toMatchObject(refused);
});

test("another value of the option is refused at once", () => {
  const distribute = "sharding" as "citus";
  expect(() => postgresStorage(new pg.Pool(), { distribute })).toThrow(/must be "citus"/);
});
