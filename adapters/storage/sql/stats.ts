import { sql } from "kysely";
import type { StatKind } from "../../../src/rules/stats.ts";
import type { CountedHours, StatsStore } from "../../../src/storage/stats-store.ts";
import { partitionColumns } from "./engine/columns.ts";
import type { SqlEngine } from "./engine/engine.ts";
import { many, one, type QueryGenerator } from "./engine/queries.ts";
import { statsMigrationId } from "./migrations.ts";
import { migrationTable } from "./schema/table-names.ts";

export const sqlStats = (engine: SqlEngine): StatsStore => ({
  listHours: ({ from, to, ...partition }) =>
    engine.read(function* (): QueryGenerator<CountedHours> {
      const { db } = engine;
      const { store_id, livemode } = partitionColumns(partition);
      const rows = yield* many(
        db
          .selectFrom("stats_hours")
          .select(["kind", "currency", "hour", "count", "amount"])
          .where("store_id", "=", store_id)
          .where("livemode", "=", livemode)
          .where("hour", ">=", from)
          .where("hour", "<", to),
      );
      const migration = yield* one(
        sql<{ applied_at: number }>`
          select applied_at from ${sql.table(migrationTable)} where id = ${statsMigrationId}
        `.compile(db),
      );
      return {
        rows: rows.map((row) => ({ ...row, kind: row.kind as StatKind })),
        counted_since: migration?.applied_at ?? null,
      };
    }),
});
