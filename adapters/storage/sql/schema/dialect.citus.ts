import { postgres } from "./dialect.postgres.ts";
import type { SqlDialect } from "./dialect.ts";

/** Describes PostgreSQL whose tables Citus distributes by store. */
export const citus: SqlDialect = { ...postgres, database: "citus" };
