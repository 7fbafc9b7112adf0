import { CompiledQuery } from "kysely";
import { fail } from "../../../src/contract/errors.ts";
import { many, type Step } from "./engine/step.ts";
import type { SqlDialect } from "./schema/dialect.ts";
import { type Naming, nameStatement } from "./schema/names.ts";
import { searchSchema } from "./schema/search-schema.ts";
import { firstSchema, migrationTable, tableNames } from "./schema/tables.ts";

export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly statements: Readonly<Record<SqlDialect["name"], readonly string[]>>;
}

/**
 * Many deliveries become due in one millisecond. Kept as one list of rows, an index entry cannot be marked dead before the last of them is, and
 * each claim would walk past all that were sent already.
 */
const singleEntries = [
  "alter index {=deliveries_due} set (deduplicate_items = off)",
  "alter index {=deliveries_next} set (deduplicate_items = off)",
];

/** Forward only; a released one is never edited: its checksum is held by every database it ran on. */
const migrations: readonly Migration[] = [
  { id: 1, name: "first schema", statements: { sqlite: firstSchema, postgres: firstSchema } },
  { id: 2, name: "search index", statements: searchSchema },
  { id: 3, name: "delivery queue", statements: { sqlite: [], postgres: singleEntries } },
];

/** A migration as SQL for a tool of your own: run them in order, each in one transaction. They keep the list that `migrate()` reads. */
export interface SqlMigration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
}

export function exportMigrations(naming: Naming, dialect: SqlDialect): readonly SqlMigration[] {
  return migrations.map((migration, index) => {
    const statements = [
      ...(index === 0 ? [...createSchema(naming), createList(naming, dialect)] : []),
      ...statementsOf(migration, naming, dialect),
    ];
    return { id: migration.id, name: migration.name, sql: `${statements.join(";\n")};\n` };
  });
}

/** Run it in one transaction: whoever comes second waits for the first and finds nothing to do. */
export function* migrateStep(naming: Naming, dialect: SqlDialect): Step<void> {
  if (dialect.migrationLock !== null) yield* run(dialect.migrationLock);
  const table = nameStatement(`{${migrationTable}}`, naming, dialect);
  // Looked up first: a role without the right to create may start on a database that is ready.
  const known = yield* run(dialect.tableExists, [table]);
  yield* requireOwn(naming, dialect, known.length > 0);
  if (known.length === 0) {
    // The schema is looked up too: `if not exists` asks for the right to create even where it creates nothing.
    const ready =
      naming.schema !== null &&
      (yield* run("select 1 as found from pg_namespace where nspname = $1", [naming.schema]))
        .length > 0;
    for (const statement of [...(ready ? [] : createSchema(naming)), createList(naming, dialect)])
      yield* run(statement);
  }
  const applied = (yield* run(`select id, checksum from ${table}`)) as readonly Applied[];
  for (const migration of pending(applied, dialect))
    for (const statement of statementsOf(migration, naming, dialect)) yield* run(statement);
}

/** Our names are common ones: a host's tables, or another tool's list of migrations, are never taken for ours. */
function* requireOwn(naming: Naming, dialect: SqlDialect, migrated: boolean): Step<void> {
  const ours = tableNames.map((name) => naming.prefix + name);
  const taken = migrated
    ? (yield* run(dialect.tableExists, [nameStatement("{rate_buckets}", naming, dialect)]))
        .length === 0 && naming.prefix + migrationTable
    : (
        (yield* run(dialect.takenNames, [naming.schema, JSON.stringify(ours)])) as readonly {
          readonly name: string;
        }[]
      )[0]?.name;
  if (!taken) return;
  fail("invalid_option", {
    param: "storage",
    message: `The database holds a table ${taken} that is not the package's. Set the option tablePrefix, or on PostgreSQL schema, so that ours have names of their own.`,
  });
}

const run = (text: string, values: unknown[] = []): Step<readonly unknown[]> =>
  many(CompiledQuery.raw(text, values));

interface Applied {
  readonly id: number;
  readonly checksum: string;
}

/** The migrations that a database still lacks. Throws for one that a newer version made, or whose history was edited. */
function pending(applied: readonly Applied[], dialect: SqlDialect): readonly Migration[] {
  for (const { id, checksum } of applied) {
    const known = migrations.find((migration) => migration.id === id);
    if (!known) {
      return fail("invalid_option", {
        param: "storage",
        message: `The database was migrated by a newer version (migration ${id}); this one knows ${migrations.length}. Upgrade the package, or use another database.`,
      });
    }
    if (checksumOf(known, dialect) !== checksum) {
      return fail("invalid_option", {
        param: "storage",
        message: `Migration ${id} of this database differs from the package's: it was made by another build.`,
      });
    }
  }
  const done = new Set(applied.map(({ id }) => id));
  return migrations.filter((migration) => !done.has(migration.id));
}

const createSchema = ({ schema }: Naming): readonly string[] =>
  schema === null ? [] : [`create schema if not exists "${schema}"`];

const createList = (naming: Naming, dialect: SqlDialect): string =>
  nameStatement(
    `create table if not exists {${migrationTable}} (id integer primary key, name text not null, checksum text not null, applied_at bigint not null)`,
    naming,
    dialect,
  );

const statementsOf = (
  migration: Migration,
  naming: Naming,
  dialect: SqlDialect,
): readonly string[] => [
  ...migration.statements[dialect.name].map((statement) =>
    nameStatement(statement, naming, dialect),
  ),
  nameStatement(
    `insert into {${migrationTable}} (id, name, checksum, applied_at) values (${migration.id}, '${migration.name}', '${checksumOf(migration, dialect)}', ${dialect.nowMs})`,
    naming,
    dialect,
  ),
];

/** FNV-1a over the statements: finds edits, guards against nobody. */
function checksumOf(migration: Migration, dialect: SqlDialect): string {
  let hash = 0x811c9dc5;
  for (const letter of migration.statements[dialect.name].join("\n").replace(/\s+/g, " "))
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
