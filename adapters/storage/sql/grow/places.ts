import type { QueryGenerator } from "../engine/queries.ts";
import { run } from "../migrate/migrate.ts";
import type { SqlDialect } from "../schema/dialect.ts";
import { distribution } from "../schema/distribution.ts";
import { type Naming, nameStatement } from "../schema/names.ts";

/** The schemas through which the rows of one database go. */
export interface Places {
  readonly dialect: SqlDialect;
  /** The tables that sell. */
  readonly sold: Naming & { readonly schema: string };
  /** The distributed copies until the switch, and what is noted about the copying. */
  readonly staged: Naming & { readonly schema: string };
  /** The tables of before, after the switch. */
  readonly before: Naming & { readonly schema: string };
}

/** The steps that are done, and the changes of rows that are still to be copied. */
export const progressTable = "distribution_steps";
export const changeTable = "distribution_changes";

/** The tables whose rows move, the first one first. */
export const movedTables: readonly string[] = Object.entries(distribution).flatMap(
  ([name, place]) => (place === "by_store" ? [name] : []),
);

export function* readPlaces(naming: Naming, dialect: SqlDialect): QueryGenerator<Places> {
  const [row] = yield* run<{ readonly schema: string }>(
    "select coalesce($1, current_schema()) as schema",
    [naming.schema],
  );
  const schema = row?.schema ?? "public";
  const { prefix } = naming;
  return {
    dialect,
    sold: { schema, prefix },
    staged: { schema: `${schema}_${prefix}citus`, prefix },
    before: { schema: `${schema}_${prefix}before`, prefix },
  };
}

/** Writes a table's name with its schema. */
export const tableIn = (naming: Naming, name: string, dialect: SqlDialect): string =>
  nameStatement(`{${name}}`, naming, dialect);

/** Writes the name of what stands beside the staged tables and has no prefix. */
export const noteIn = ({ staged }: Places, name: string): string => `"${staged.schema}"."${name}"`;
