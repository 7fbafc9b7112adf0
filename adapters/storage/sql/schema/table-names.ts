import { auditSchema } from "./audit-schema.ts";
import { dashboardSchema } from "./dashboard-schema.ts";
import { firstSchema } from "./first-schema.ts";
import { holdsSchema } from "./holds-schema.ts";
import { hourlyStatsSchema } from "./hourly-stats-schema.ts";
import { orderSearchSchema } from "./order-search-schema.ts";
import { paymentsSchema } from "./payments-schema.ts";
import { requestsSchema } from "./requests-schema.ts";
import { searchSchema } from "./search-schema.ts";
import { sessionDaysSchema } from "./session-days-schema.ts";
import { statsSchema } from "./stats-schema.ts";

/** This table lists the migrations which have run. */
export const migrationTable = "migrations";

const createTable = /^create (?:virtual )?table \{(\w+)\}/;

export const tableNames: readonly string[] = [
  migrationTable,
  ...[
    ...firstSchema,
    ...searchSchema.sqlite,
    ...paymentsSchema.sqlite,
    ...holdsSchema.sqlite,
    ...sessionDaysSchema.sqlite,
    ...orderSearchSchema.sqlite,
    ...statsSchema.sqlite,
    ...dashboardSchema.sqlite,
    ...requestsSchema.sqlite,
    ...auditSchema.sqlite,
    ...hourlyStatsSchema.sqlite,
  ].flatMap((statement) => createTable.exec(statement)?.[1] ?? []),
];
