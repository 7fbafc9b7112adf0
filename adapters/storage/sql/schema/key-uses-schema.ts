import type { SqlDialect } from "./dialect.ts";

// Null means that the key was not used since this migration.
const statements: readonly string[] = ["alter table {api_keys} add column last_used_at bigint"];

/** Adds the time at which a key was last used. */
export const keyUsesSchema: Readonly<Record<SqlDialect["name"], readonly string[]>> = {
  postgres: statements,
  sqlite: statements,
};
