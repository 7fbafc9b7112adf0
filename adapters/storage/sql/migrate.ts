import { fail } from "../../../src/contract/errors.ts";
import type { SqlDialect } from "./dialect.ts";
import { type Naming, nameStatement } from "./names.ts";
import { firstSchema, migrationTable } from "./tables.ts";

export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly statements: readonly string[];
}

/** Forward only; a released one is never edited: its checksum is held by every database it ran on. */
export const migrations: readonly Migration[] = [{ id: 1, name: "first schema", statements: firstSchema }];

export interface Applied {
  readonly id: number;
  readonly checksum: string;
}

export const createMigrationTable = `create table if not exists {${migrationTable}} (id integer primary key, name text not null, checksum text not null, applied_at bigint not null)`;

/** The migrations that a database still lacks. Throws for one that a newer version made, or whose history was edited. */
export function pending(applied: readonly Applied[]): readonly Migration[] {
  for (const { id, checksum } of applied) {
    const known = migrations.find((migration) => migration.id === id);
    if (!known) {
      return fail("invalid_option", {
        param: "storage",
        message: `The database was migrated by a newer version (migration ${id}); this one knows ${migrations.length}. Upgrade the package, or use another database.`,
      });
    }
    if (checksumOf(known) !== checksum) {
      return fail("invalid_option", {
        param: "storage",
        message: `Migration ${id} of this database differs from the package's: it was made by another build.`,
      });
    }
  }
  const done = new Set(applied.map(({ id }) => id));
  return migrations.filter((migration) => !done.has(migration.id));
}

export const statementsOf = (migration: Migration, naming: Naming, dialect: SqlDialect): readonly string[] =>
  migration.statements.map((statement) => nameStatement(statement, naming, dialect));

/** FNV-1a over the statements: finds edits, guards against nobody. */
export function checksumOf(migration: Migration): string {
  let hash = 0x811c9dc5;
  for (const letter of migration.statements.join("\n").replace(/\s+/g, " "))
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
