import { fail } from "#core/contract/errors.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import type { SqlDialect } from "../schema/dialect.ts";
import { distributeStatements } from "../schema/distribution.ts";
import type { Naming } from "../schema/names.ts";
import { run } from "./migrate.ts";
import { functionStatements } from "./store-functions.ts";

interface ServerState {
  readonly citus: string | null;
  readonly strings: string;
}

/**
 * Refuses a database that cannot distribute tables. Citus writes the values of a
 * statement into its text by the rules of the session, and a node reads them by its own:
 * with `standard_conforming_strings` off, a backslash in a value would mean two things.
 */
export function* requireCitus(): QueryGenerator<void> {
  const [state] = yield* run<ServerState>(
    `select (select extversion from pg_extension where extname = 'citus') as citus,
      current_setting('standard_conforming_strings') as strings`,
  );

  if (!state?.citus)
    fail("invalid_option", {
      param: "distribute",
      message:
        "The database has no extension citus. Run `create extension citus` on the coordinator and" +
        " on each worker, or leave out the option distribute.",
    });
  if (state.strings !== "on")
    fail("invalid_option", {
      param: "storage",
      message:
        "The setting standard_conforming_strings is off, and Citus would send values that a node" +
        " reads otherwise. Set it to on for this role or database.",
    });
}

/**
 * Gives the statements that distribute the tables and create the functions. They
 * leave what is there already as it is.
 */
export const distributionStatements = (naming: Naming, dialect: SqlDialect): readonly string[] => [
  ...distributeStatements(naming, dialect),
  ...functionStatements(naming, dialect),
];

export function* distribute(naming: Naming, dialect: SqlDialect): QueryGenerator<void> {
  for (const statement of distributionStatements(naming, dialect)) yield* run(statement);
}
