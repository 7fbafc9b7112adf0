import type { Migration } from "../../migration.ts";

/**
 * Makes the table of the statements of a migration that have run. `state` is `done`, `begun`
 * for an index that some process builds, or `filling`; then `reached` is the last key.
 */
export const createStepTable = `create table if not exists {migration_steps} (
    migration_id integer not null, step integer not null, state text not null,
    reached text, updated_at bigint not null, primary key (migration_id, step))`;

const statements: readonly string[] = [
  createStepTable,
  // Null means that only versions which know the migration may work on the database.
  "alter table {migrations} add column compatible_from integer",
];

/** Each later migration is recorded with the oldest one whose processes may go on working. */
export const compatibilityMigrationId = 21;

export const migration21: Migration = {
  id: compatibilityMigrationId,
  name: "compatible versions",
  compatible_from: 1,
  statements: { postgres: statements, sqlite: statements },
};
