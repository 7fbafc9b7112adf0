import { createHash } from "node:crypto";
import pg from "pg";
import { expect, test } from "vitest";
import { createStorefront } from "vitrine";
import { postgresMigrations, postgresStorage } from "vitrine/postgres";
import { distribution } from "../../adapters/storage/sql/schema/distribution.ts";
import { textOf } from "../support/reply-text.ts";
import { createShop } from "../support/shop.ts";
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
    write_step_v2: "bc85b655",
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

  const refused = {
    code: "service_unavailable",
    cause: expect.objectContaining({ message: expect.stringContaining("not distributed") }),
  };
  await expect(storage.access.findStore("str_1")).rejects.toMatchObject(refused);
  await expect(storage.purge(0, 1)).rejects.toMatchObject(refused);
});

test("a process with the option, before the tables are distributed, answers 503 and says why at /readyz", async () => {
  const { pool, schema, storage: plain } = await openPostgresOn({ max: 2 });
  const { a } = await createShop(plain);
  const errors: unknown[] = [];
  const { serve } = createStorefront({
    storage: postgresStorage(pool, { schema, distribute: "citus" }),
    checkout: { baseUrl: "https://pay.example.com" },
    docsUrl: "https://docs.example.com/errors",
    sealKey: new Uint8Array(32),
    readyz: true,
    onError: (error) => void errors.push(error),
  });
  const ask = (path: string, key?: string) =>
    serve({
      method: "GET",
      target: `/v1${path}`,
      header: (name) => (name === "authorization" && key ? `Bearer ${key}` : undefined),
      body: async () => null,
    });

  const reply = await ask("/products", a.test.pub);
  expect(reply).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  expect(await textOf(reply?.body)).not.toContain("distribute");
  expect(String(errors[0])).toContain("not distributed");
  const ready = await ask("/readyz");
  expect(ready?.status).toBe(503);
  expect(JSON.parse((await textOf(ready?.body)) ?? "")).toEqual({
    status: "unready",
    reasons: ["not_distributed"],
    storage: "ok",
  });
});

test("another value of the option is refused at once", () => {
  const distribute = "sharding" as "citus";
  expect(() => postgresStorage(new pg.Pool(), { distribute })).toThrow(/must be "citus"/);
});
