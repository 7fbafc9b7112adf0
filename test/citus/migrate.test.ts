import { expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { distribution } from "../../adapters/storage/sql/schema/distribution.ts";
import { functionNames } from "../../adapters/storage/sql/schema/function-names.ts";
import { createShop } from "../support/shop.ts";
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

test("migrate() makes the functions of a store where the tables stand already, and once", async () => {
  const { storage, pool, schema } = await openCitusOn();
  const made = async () => {
    const { rows } = await pool.query(
      `select p.proname as name, p.oid, o.force_delegation as "isForced"
        from pg_proc as p join pg_dist_object as o on o.objid = p.oid
        where p.pronamespace = cast($1 as regnamespace) order by 1`,
      [schema],
    );
    return rows as readonly { readonly name: string; readonly isForced: boolean }[];
  };

  const before = await made();
  expect(before.map(({ name }) => name)).toEqual(Object.values(functionNames).sort());
  expect(before.filter(({ isForced }) => !isForced)).toEqual([]);
  await storage.migrate();
  expect(await made()).toEqual(before);

  for (const { name } of before) await pool.query(`drop function ${schema}.${name}`);
  await storage.migrate();
  expect((await made()).map(({ name }) => name)).toEqual(before.map(({ name }) => name));
});

test("without the option schema, a node finds the tables of the connection's search path", async () => {
  const schema = newSchema();
  const { pool } = await openCitusOn(
    {},
    { options: `-c search_path=${schema} -c citus.shard_count=4` },
  );
  await pool.query(`create schema ${schema}`);
  const storage = postgresStorage(pool, { distribute: "citus" });
  await storage.migrate();

  const shop = await createShop(storage);
  expect(await shop.buy()).toMatchObject({ status: "paid" });
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
  const refused = {
    code: "service_unavailable",
    cause: expect.objectContaining({ message: expect.stringContaining("not distributed") }),
  };
  await expect(storage.access.findStore("str_1")).rejects.toMatchObject(refused);
  await expect(storage.purge(0, 1)).rejects.toMatchObject(refused);

  await storage.migrate();
  expect(await storage.access.findStore("str_1")).toBeNull();
});

test("without the option, distributed tables are refused", async () => {
  const { pool, schema } = await openCitusOn();
  const storage = postgresStorage(pool, { schema });

  await expect(storage.access.findStore("str_1")).rejects.toMatchObject({
    code: "service_unavailable",
    cause: expect.objectContaining({
      message: expect.stringContaining('Set the option distribute to "citus"'),
    }),
  });
});
