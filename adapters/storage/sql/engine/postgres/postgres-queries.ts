import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import type { Names } from "../../schema/names.ts";
import type { Db } from "../engine.ts";
import { namingCompiler } from "../naming-compiler.ts";

/** Builds and compiles queries of PostgreSQL, whose tables get these names. */
export const postgresQueries = (names: Names): Db =>
  new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (instance) => new PostgresIntrospector(instance),
      createQueryCompiler: () => namingCompiler(PostgresQueryCompiler, names),
    },
  });
