import type { SqlDialect } from "../schema/dialect.ts";
import type { Migration } from "../schema/migration.ts";
import { type Naming, nameStatement } from "../schema/names.ts";

/** A statement of a migration as PostgreSQL runs it while buyers are at work. */
export interface MigrationStep {
  readonly migration_id: number;
  readonly step: number;
  /**
   * `transaction` is short and runs in one of its own. `concurrently` runs outside of any
   * transaction. `chunks` is repeated, each time for the next rows by their key.
   */
  readonly runs: "transaction" | "concurrently" | "chunks";
  readonly sql: string;
  /** The table or index whose lock it takes, as SQL names it; null when it is a new one. */
  readonly locks: string | null;
  /** True when no statement of others can read the table meanwhile. */
  readonly exclusive: boolean;
  /** The index that is built, as SQL names it. */
  readonly builds: string | null;
  /** The columns that order the chunks. */
  readonly keys: readonly string[];
}

const createTable = /^create table (?:if not exists )?\{(\w+)\}/;
const createIndex = /^create (unique )?index \{(\w+)\}\s+on \{(\w+)\}/;
const dropIndex = /^drop index \{=(\w+)\}/;
const alter = /^alter (table|index) \{(=?\w+)\}/;
/** Readers and writers go on while a table gets such a setting. */
const isSetting = /^alter table \{\w+\} set \(autovacuum/;
const range = /\$range\[(\w+):([\w,]+)\]/;
/** A block that builds an index where an extension is there. */
const buildTextIndex = /execute format\('create index \{(\w+)\} on \{(\w+)\}([^']*)'/;

/** Writes a statement that fills old rows for all of them at once. */
export const wholeStatement = (statement: string): string => statement.replace(range, "true");

/**
 * Sorts the statements of a migration by how they may run. An index of a table that the
 * migration itself makes is built with it, because nobody reads that table yet.
 */
export function stepsOf(
  migration: Migration,
  naming: Naming,
  dialect: SqlDialect,
): readonly MigrationStep[] {
  const statements = migration.statements[dialect.name];
  const created = new Set(statements.flatMap((text) => createTable.exec(text)?.[1] ?? []));
  const named = (text: string): string => nameStatement(text, naming, dialect);

  return statements.map((statement, step) => {
    const found = sortStatement(statement, created);
    return {
      migration_id: migration.id,
      step,
      runs: found.runs,
      sql: named(found.sql ?? statement),
      locks: found.locks === null ? null : named(`{${found.locks}}`),
      exclusive: found.exclusive ?? false,
      builds: found.builds ? named(`{=${found.builds}}`) : null,
      keys: found.keys ?? [],
    };
  });
}

interface Sorted {
  readonly runs: MigrationStep["runs"];
  readonly locks: string | null;
  readonly sql?: string;
  readonly exclusive?: boolean;
  readonly builds?: string;
  readonly keys?: readonly string[];
}

function sortStatement(statement: string, created: ReadonlySet<string>): Sorted {
  const [, unique = "", index = "", table = ""] = createIndex.exec(statement) ?? [];
  if (index && !created.has(table)) {
    const begin = `create ${unique}index concurrently if not exists {${index}} on {${table}}`;
    const sql = statement.replace(createIndex, begin);
    return { runs: "concurrently", sql, locks: table, builds: index };
  }

  const [, dropped] = dropIndex.exec(statement) ?? [];
  if (dropped) {
    const sql = `drop index concurrently if exists {=${dropped}}`;
    return { runs: "concurrently", sql, locks: `=${dropped}` };
  }

  const [, textIndex, texts = "", rest = ""] = buildTextIndex.exec(statement) ?? [];
  if (textIndex) {
    const sql = `create index concurrently if not exists {${textIndex}} on {${texts}}${rest}`;
    return { runs: "concurrently", sql, locks: texts, builds: textIndex };
  }

  const [, filled, columns = ""] = range.exec(statement) ?? [];
  if (filled) return { runs: "chunks", locks: filled, keys: columns.split(",") };

  const [, kind, altered = ""] = alter.exec(statement) ?? [];
  if (!kind || created.has(altered)) return { runs: "transaction", locks: null };
  const exclusive = kind === "table" ? !isSetting.test(statement) : / rename to /.test(statement);
  return { runs: "transaction", locks: altered, exclusive };
}

/** Gives the condition of the rows of alias `c` behind one key and up to another. */
export function rangeOf(
  step: Pick<MigrationStep, "keys">,
  { after, until }: { readonly after: boolean; readonly until: boolean },
): string {
  const row = `(${step.keys.map((key) => `c.${key}`).join(", ")})`;
  const parameters = (first: number) =>
    `(${step.keys.map((_key, index) => `$${first + index}`).join(", ")})`;
  const parts = [
    ...(after ? [`${row} > ${parameters(1)}`] : []),
    ...(until ? [`${row} <= ${parameters(after ? step.keys.length + 1 : 1)}`] : []),
  ];
  return parts.length === 0 ? "true" : parts.join(" and ");
}

/** Writes the statement for some of the rows. */
export const chunkOf = (step: MigrationStep, condition: string): string =>
  step.sql.replace(range, () => condition);
