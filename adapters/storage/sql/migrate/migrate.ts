import { CompiledQuery } from "kysely";
import { fail } from "#core/contract/errors.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import type { SqlDialect } from "../schema/dialect.ts";
import type { Migration } from "../schema/migration.ts";
import { textIndexTable } from "../schema/migrations/0001-0010/0002-search-index.ts";
import { migrations } from "../schema/migrations/migrations.ts";
import { type Naming, nameStatement } from "../schema/names.ts";
import { migrationTable, tableNames } from "../schema/table-names.ts";
import {
  checksumOf,
  createMigrationTable,
  createSchema,
  recordOf,
  statementsOf,
} from "./migration-statements.ts";

export interface MigrateOptions {
  /** False on a SQLite that cannot index text: its product search reads the whole list. */
  readonly indexesText: boolean;
}

/**
 * Brings a database to this version's schema. Run it in one transaction that other
 * migrations wait for: they find nothing to do then.
 */
export function* migrate(
  naming: Naming,
  dialect: SqlDialect,
  { indexesText }: MigrateOptions,
): QueryGenerator<void> {
  // The table is looked up first: on a database that is ready, a role without the right to create
  // tables can start.
  const applied = yield* readApplied(naming, dialect);

  if (applied === null) {
    // `if not exists` asks for the right to create even where it creates nothing.
    const isSchemaReady = yield* schemaExists(naming);
    const create = isSchemaReady ? [] : createSchema(naming);
    for (const statement of [...create, createMigrationTable(naming, dialect)])
      yield* run(statement);
  }

  if (!indexesText) yield* refuseTextIndex(naming, dialect);

  for (const migration of findPending(applied ?? [], dialect)) {
    const isLeftOut = migration.needsTextIndex && !indexesText;
    const statements = isLeftOut
      ? [recordOf(migration, naming, dialect)]
      : statementsOf(migration, naming, dialect);
    for (const statement of statements) yield* run(statement);
  }
}

export interface AppliedMigration {
  readonly id: number;
  readonly checksum: string;
  /** Absent or null where a build wrote it that did not know the column. */
  readonly compatible_from?: number | null;
}

/** Reads which migrations ran: null without their list. Refuses tables that are not ours. */
export function* readApplied(
  naming: Naming,
  dialect: SqlDialect,
): QueryGenerator<readonly AppliedMigration[] | null> {
  const isKnown = yield* tableExists(migrationTable, naming, dialect);
  yield* refuseForeignTables(naming, dialect, isKnown);
  if (!isKnown) return null;
  return yield* run(nameStatement(`select * from {${migrationTable}}`, naming, dialect));
}

export const run = <Row>(text: string, values: unknown[] = []): QueryGenerator<readonly Row[]> =>
  many(CompiledQuery.raw(text, values) as CompiledQuery<Row>);

export function* tableExists(
  name: string,
  { schema, prefix }: Naming,
  dialect: SqlDialect,
): QueryGenerator<boolean> {
  return (yield* run(dialect.tableExists, [schema, prefix + name])).length > 0;
}

function* schemaExists({ schema }: Naming): QueryGenerator<boolean> {
  if (schema === null) return false;
  const found = yield* run("select 1 as found from pg_namespace where nspname = $1", [schema]);
  return found.length > 0;
}

/**
 * Refuses tables that are not ours. Our table names are common words, but tables of
 * the host, or another tool's list of migrations, must not be taken for ours.
 */
export function* refuseForeignTables(
  naming: Naming,
  dialect: SqlDialect,
  isMigrated: boolean,
): QueryGenerator<void> {
  const taken = isMigrated
    ? yield* findForeignMigrationTable(naming, dialect)
    : yield* findTakenName(naming, dialect);
  if (taken === null) return;

  fail("invalid_option", {
    param: "storage",
    message:
      `The database holds a table ${taken} that is not the package's. Set the option` +
      " tablePrefix, or on PostgreSQL schema, so that ours have names of their own.",
  });
}

/**
 * Refuses a database whose index was made by a SQLite that can keep one. This one
 * could write no product, because the triggers of that table write the index.
 */
function* refuseTextIndex(naming: Naming, dialect: SqlDialect): QueryGenerator<void> {
  const isIndexed = yield* tableExists(textIndexTable, naming, dialect);
  if (!isIndexed) return;

  const [sqlite] = yield* run<{ readonly version: string }>("select sqlite_version() as version");
  fail("invalid_option", {
    param: "storage",
    message:
      `The database holds a text index, which SQLite ${sqlite?.version} as it is built here` +
      " cannot write: it takes SQLite 3.43 or later with FTS5. Open it with the driver that" +
      " made it.",
  });
}

/**
 * Finds a list of migrations that is not ours: one beside which a table of ours is
 * missing belongs to another tool.
 */
function* findForeignMigrationTable(
  naming: Naming,
  dialect: SqlDialect,
): QueryGenerator<string | null> {
  const isOurs = yield* tableExists("rate_buckets", naming, dialect);
  return isOurs ? null : naming.prefix + migrationTable;
}

function* findTakenName(naming: Naming, dialect: SqlDialect): QueryGenerator<string | null> {
  const names = JSON.stringify(tableNames.map((name) => naming.prefix + name));
  const [taken] = yield* run<{ readonly name: string }>(dialect.takenNames, [naming.schema, names]);
  return taken?.name ?? null;
}

/**
 * Gives the migrations that a database lacks. Throws when a newer version has run a migration that
 * this version cannot work with, and when a migration was edited after it ran on the database.
 */
export function findPending(
  applied: readonly AppliedMigration[],
  dialect: SqlDialect,
): readonly Migration[] {
  const newest = Math.max(...migrations.map(({ id }) => id));

  for (const { id, checksum, compatible_from } of applied) {
    const known = migrations.find((migration) => migration.id === id);
    if (!known) {
      if (compatible_from && compatible_from <= newest) continue;
      return fail("invalid_option", {
        param: "storage",
        message:
          `The database was migrated by a newer version (migration ${id}), beside which this one` +
          ` cannot work: it knows ${newest}. Upgrade the package, or use another database.`,
      });
    }

    const accepted = [checksumOf(known, dialect), ...(known.former_checksums ?? [])];
    if (!accepted.includes(checksum))
      return fail("invalid_option", {
        param: "storage",
        message:
          `Migration ${id} of this database differs from the package's: it was made by` +
          " another build.",
      });
  }

  const done = new Set(applied.map(({ id }) => id));
  return migrations.filter((migration) => !done.has(migration.id));
}
