import { migrations } from "./migrations/migrations.ts";

/** The table of the migrations that have run. */
export const migrationTable = "migrations";

/** The table of the statements that have run, of a migration that is under way. */
export const stepTable = "migration_steps";

const createTable = /^create (?:virtual )?table (?:if not exists )?\{(\w+)\}/;

/** The names of all tables. SQLite has each that PostgreSQL has, and those of its text index. */
export const tableNames: readonly string[] = [
  migrationTable,
  ...migrations
    .flatMap(({ statements }) => statements.sqlite)
    .flatMap((statement) => createTable.exec(statement)?.[1] ?? []),
];
