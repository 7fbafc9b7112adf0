import { fnv1a } from "../../../src/domain/fnv1a.ts";
import { auditSchema } from "./schema/audit-schema.ts";
import { couponsSchema } from "./schema/coupons-schema.ts";
import { dashboardSchema } from "./schema/dashboard-schema.ts";
import { deliveryStatesSchema } from "./schema/delivery-states-schema.ts";
import type { SqlDialect } from "./schema/dialect.ts";
import { firstSchema } from "./schema/first-schema.ts";
import { gaugesSchema } from "./schema/gauges-schema.ts";
import { holdsSchema } from "./schema/holds-schema.ts";
import { hourlyStatsSchema } from "./schema/hourly-stats-schema.ts";
import { keyUsesSchema } from "./schema/key-uses-schema.ts";
import { linkMakersSchema } from "./schema/link-makers-schema.ts";
import { listsSchema } from "./schema/lists-schema.ts";
import { type Naming, nameStatement } from "./schema/names.ts";
import { nextDeliverySchema } from "./schema/next-delivery-schema.ts";
import { orderSearchSchema } from "./schema/order-search-schema.ts";
import { paymentsSchema } from "./schema/payments-schema.ts";
import { privacySchema } from "./schema/privacy-schema.ts";
import { refundsSchema } from "./schema/refunds-schema.ts";
import { requestsSchema } from "./schema/requests-schema.ts";
import { searchSchema } from "./schema/search-schema.ts";
import { sessionDaysSchema } from "./schema/session-days-schema.ts";
import { statsSchema } from "./schema/stats-schema.ts";
import { migrationTable } from "./schema/table-names.ts";

export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly statements: Readonly<Record<SqlDialect["name"], readonly string[]>>;
  /** Recorded without its statements where the database cannot index text. */
  readonly needsTextIndex?: boolean;
}

/**
 * These statements turn deduplication off. Many deliveries become due in one
 * millisecond. PostgreSQL would keep them as one index entry with a list of rows,
 * which cannot be marked dead before all of its rows are: each claim would walk
 * past all deliveries that were sent already.
 */
const withoutDeduplication = [
  "alter index {=deliveries_due} set (deduplicate_items = off)",
  "alter index {=deliveries_next} set (deduplicate_items = off)",
];

/** The dashboard needs the last use of keys, and the index of a list that each visit shows. */
const forDashboard = {
  sqlite: [...keyUsesSchema.sqlite, ...deliveryStatesSchema.sqlite],
  postgres: [...keyUsesSchema.postgres, ...deliveryStatesSchema.postgres],
};

/** Since the time of this migration, sessions and deliveries are counted. */
export const statsMigrationId = 16;

/**
 * Migrations only go forward. A released one is never edited, because every
 * database that it ran on keeps its checksum.
 */
export const migrations: readonly Migration[] = [
  { id: 1, name: "first schema", statements: { sqlite: firstSchema, postgres: firstSchema } },
  { id: 2, name: "search index", statements: searchSchema, needsTextIndex: true },
  { id: 3, name: "delivery queue", statements: { sqlite: [], postgres: withoutDeduplication } },
  { id: 4, name: "payments", statements: paymentsSchema },
  { id: 5, name: "refunds", statements: refundsSchema },
  { id: 6, name: "holds", statements: holdsSchema },
  { id: 7, name: "privacy", statements: privacySchema },
  { id: 8, name: "coupons", statements: couponsSchema },
  { id: 9, name: "session days", statements: sessionDaysSchema },
  { id: 10, name: "order search", statements: orderSearchSchema },
  { id: 11, name: "numbers by the hour", statements: statsSchema },
  { id: 12, name: "gauges", statements: gaugesSchema },
  { id: 13, name: "lists", statements: listsSchema },
  { id: 14, name: "dashboard", statements: dashboardSchema },
  { id: 15, name: "audit log", statements: auditSchema },
  { id: statsMigrationId, name: "all numbers by the hour", statements: hourlyStatsSchema },
  { id: 17, name: "request log", statements: requestsSchema },
  { id: 18, name: "next delivery", statements: nextDeliverySchema },
  { id: 19, name: "key uses and delivery states", statements: forDashboard },
  { id: 20, name: "makers of links", statements: linkMakersSchema },
];

/**
 * A migration as SQL for a tool of your own. Run them in order, each in one
 * transaction. They record themselves in the table that `migrate()` reads.
 */
export interface SqlMigration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
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
    return { id: migration.id, name: migration.name, sql: `${statements.join(";\n")};\n` };
  });
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
    nameStatement(statement, naming, dialect),
  );
  return [...statements, recordOf(migration, naming, dialect)];
}

/** Gives the statement that records a migration as run. */
export function recordOf(migration: Migration, naming: Naming, dialect: SqlDialect): string {
  const { id, name } = migration;
  const record = `insert into {${migrationTable}} (id, name, checksum, applied_at)
    values (${id}, '${name}', '${checksumOf(migration, dialect)}', ${dialect.nowMs})`;
  return nameStatement(record, naming, dialect);
}

/** Computes a hash of the statements, with any white space as one space. */
export function checksumOf(migration: Migration, dialect: SqlDialect): string {
  const text = migration.statements[dialect.name].join("\n").replace(/\s+/g, " ");
  return fnv1a(text).toString(16).padStart(8, "0");
}
