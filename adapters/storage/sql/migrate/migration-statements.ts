import { fnv1a } from "#core/domain/keys/fnv1a.ts";
import type { SqlDialect } from "../schema/dialect.ts";
import type { Migration } from "../schema/migration.ts";
import { compatibilityMigrationId } from "../schema/migrations/0021-0030/0021-compatible.ts";
import { migrations } from "../schema/migrations/migrations.ts";
import { type Naming, nameStatement } from "../schema/names.ts";
import { migrationTable } from "../schema/table-names.ts";
import { type MigrationStep, stepsOf, wholeStatement } from "./steps.ts";

/**
 * A migration as SQL for a tool of your own. Run them in order: `sql`, in one transaction,
 * on an empty database, and `steps` on one that sells. Either records the migration in the
 * table that `migrate()` reads.
 */
export interface SqlMigration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
  /** The same in short statements that leave buyers at work. Run each by itself. */
  readonly steps: readonly SqlMigrationStep[];
}

/** One statement of a migration. */
export interface SqlMigrationStep {
  readonly sql: string;
  /** False for a statement that PostgreSQL refuses inside a transaction. */
  readonly in_transaction: boolean;
  /** What the statement locks and how long, in words. */
  readonly remark: string;
}

/** `last` are statements that follow the last migration. */
export function exportMigrations(
  naming: Naming,
  dialect: SqlDialect,
  last: readonly string[] = [],
): readonly SqlMigration[] {
  return migrations.map((migration, index) => {
    const isFirst = index === 0;
    const isLast = index === migrations.length - 1;
    const statements = [
      ...(isFirst ? [...createSchema(naming), createMigrationTable(naming, dialect)] : []),
      ...statementsOf(migration, naming, dialect),
      ...(isLast ? last : []),
    ];
    const { id, name } = migration;
    const steps = [
      ...exportSteps(migration, naming, dialect),
      ...(isLast ? last : []).map((sql) => ({ sql, in_transaction: true, remark: shortRemark })),
    ];
    return { id, name, sql: `${statements.join(";\n")};\n`, steps };
  });
}

const shortRemark = "Short.";

function exportSteps(
  migration: Migration,
  naming: Naming,
  dialect: SqlDialect,
): readonly SqlMigrationStep[] {
  const steps = stepsOf(migration, naming, dialect).map((step) => ({
    sql: wholeStatement(step.sql).replaceAll("%1$I", "public"),
    in_transaction: step.runs !== "concurrently",
    remark: remarkOf(step),
  }));
  const record = recordOf(migration, naming, dialect);
  return [...steps, { sql: record, in_transaction: true, remark: shortRemark }];
}

function remarkOf({ runs, locks, exclusive, sql }: MigrationStep): string {
  if (runs === "concurrently")
    return (
      `Outside a transaction. Nobody waits for it; it waits for older transactions on ${locks}.` +
      (sql.includes("%1$I") ? " Leave it out where the extension pg_trgm is not installed." : "")
    );
  if (runs === "chunks")
    return `Fills old rows of ${locks}, all of them at once here; migrate() does it in chunks.`;
  if (exclusive)
    return `Set lock_timeout to 200 ms: everything that uses ${locks} waits while it waits.`;
  return shortRemark;
}

export const createSchema = ({ schema }: Naming): readonly string[] =>
  schema === null ? [] : [`create schema if not exists "${schema}"`];

export const createMigrationTable = (naming: Naming, dialect: SqlDialect): string =>
  nameStatement(
    `create table if not exists {${migrationTable}} (id integer primary key, name text not null,
      checksum text not null, applied_at bigint not null)`,
    naming,
    dialect,
  );

/** Gives the statements of a migration, and the one that records it. */
export function statementsOf(
  migration: Migration,
  naming: Naming,
  dialect: SqlDialect,
): readonly string[] {
  const statements = migration.statements[dialect.name].map((statement) =>
    nameStatement(wholeStatement(statement), naming, dialect),
  );
  return [...statements, recordOf(migration, naming, dialect)];
}

/** Gives the statement that records a migration as run. */
export function recordOf(migration: Migration, naming: Naming, dialect: SqlDialect): string {
  const { id, name, compatible_from } = migration;
  const saysMore = id >= compatibilityMigrationId;
  const columns = `id, name, checksum, applied_at${saysMore ? ", compatible_from" : ""}`;
  const values = `${id}, '${name}', '${checksumOf(migration, dialect)}', ${dialect.nowMs}`;
  const record = `insert into {${migrationTable}} (${columns})
    values (${values}${saysMore ? `, ${compatible_from}` : ""})`;
  return nameStatement(record, naming, dialect);
}

/** Computes a hash of the statements, with any white space as one space. */
export function checksumOf(migration: Migration, dialect: SqlDialect): string {
  const text = migration.statements[dialect.name].join("\n").replace(/\s+/g, " ");
  return fnv1a(text).toString(16).padStart(8, "0");
}
