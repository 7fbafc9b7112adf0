import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Names } from "../../schema/names.ts";
import type { Db } from "../engine.ts";
import { namingCompiler } from "../naming-compiler.ts";

/** Builds and compiles queries of SQLite, whose tables get these names. */
export const sqliteQueries = (names: Names): Db =>
  new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (instance) => new SqliteIntrospector(instance),
      createQueryCompiler: () => namingCompiler(SqliteQueryCompiler, names),
    },
  });
