import { expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { distribution } from "../../adapters/storage/sql/schema/distribution.ts";
import { newSchema, openCitusOn } from "./storages.ts";

test("migrate() distributes each table of a store, and a second call changes nothing", async () => {
  const { storage, pool, schema } = await openCitusOn();
  const placed = async () => {
    const { rows } = await pool.query(
      `select c.relname as name, p.colocationid as place from pg_dist_partition as p
        join pg_class as c on c.oid = p.logicalrelid
        join pg_namespace as n on n.oid = c.relnamespace
        where n.nspname = $1 and p.partmethod = 'h' order by 1`,
      [schema],
    );
    return rows as readonly { readonly name: string; readonly place: number }[];
  };

  const before = await placed();
  const expected = Object.entries(distribution).filter(([, place]) => place === "by_store");
  expect(before.map(({ name }) => name)).toEqual(expected.map(([name]) => name).sort());
  expect(new Set(before.map(({ place }) => place)).size).toBe(1);

  await storage.migrate();
  expect(await placed()).toEqual(before);
});

test("a session with standard_conforming_strings off is refused", async () => {
  const { pool, schema } = await openCitusOn({}, { max: 1, options: "-c citus.shard_count=4" });
  await pool.query("set standard_conforming_strings = off");

  const storage = postgresStorage(pool, { schema, distribute: "citus" });
  await expect(storage.migrate()).rejects.toMatchObject({
    message: expect.stringContaining("standard_conforming_strings is off"),
  });
});

test("tables that are not distributed are refused at each use until migrate() distributes them", async () => {
  const { pool } = await openCitusOn();
  const schema = newSchema();
  await postgresStorage(pool, { schema }).migrate();

  const storage = postgresStorage(pool, { schema, distribute: "citus" });
  const refused = { code: "invalid_option", message: expect.stringContaining("not distributed") };
  await expect(storage.access.findStore("str_1")).rejects.toMatchObject(refused);
  await expect(storage.purge(0, 1)).rejects.toMatchObject(refused);

  await storage.migrate();
  expect(await storage.access.findStore("str_1")).toBeNull();
});

test("without the option, distributed tables are refused", async () => {
  const { pool, schema } = await openCitusOn();
  const storage = postgresStorage(pool, { schema });

  await expect(storage.access.findStore("str_1")).rejects.toMatchObject({
    code: "invalid_option",
    param: "distribute",
    message: expect.stringContaining('Set the option distribute to "citus"'),
  });
});
