import { join } from "node:path";
import type { Storage } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { freshFolder } from "./demo.ts";
import { openSqlite } from "./open-sqlite.ts";
import { openPostgresOn } from "./storages.ts";

export interface Dumped {
  readonly storage: Storage;
  /** Gives the rows of every table as JSON, by the table's name. */
  readonly dump: () => Promise<ReadonlyMap<string, string>>;
}

/** The storages that a thief of a dump could read, each in a database of its own. */
export const dumpedStorages: readonly (readonly [name: string, open: () => Promise<Dumped>])[] = [
  [
    "sqlite",
    async () => {
      const file = join(freshFolder(), "shop.sqlite");
      const storage = sqliteStorage(file);
      await storage.migrate();
      const dump = async () => {
        const db = openSqlite(file);
        const tables = db.prepare("select name from sqlite_master where type = 'table'").all() as {
          readonly name: string;
        }[];
        return new Map(
          tables.map(({ name }) => [
            name,
            JSON.stringify(db.prepare(`select * from "${name}"`).all()),
          ]),
        );
      };
      return { storage, dump };
    },
  ],
  [
    "postgres",
    async () => {
      const { storage, pool, schema } = await openPostgresOn({ max: 4 });
      const dump = async () => {
        const { rows } = await pool.query<{ readonly name: string }>(
          "select table_name as name from information_schema.tables where table_schema = $1",
          [schema],
        );
        const all = await Promise.all(
          rows.map(async ({ name }) => {
            const found = await pool.query(`select * from "${schema}"."${name}"`);
            return [name, JSON.stringify(found.rows)] as const;
          }),
        );
        return new Map(all);
      };
      return { storage, dump };
    },
  ],
];
