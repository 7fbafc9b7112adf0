import type { AlertRecord } from "../../../../src/rules/records.ts";
import type { AccessStore } from "../../../../src/storage/types.ts";
import { fromJson, partitionColumns, toBool } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { lockStore } from "./lock-store.ts";

type Alerts = Pick<AccessStore, "raiseAlert" | "listAlerts">;

export function sqlAlerts(engine: SqlEngine): Alerts {
  const { db } = engine;

  return {
    raiseAlert: (alert, unless_since) =>
      engine.write(function* (): QueryGenerator<{ raised: boolean }> {
        // Two calls that raise one alert run one after the other.
        yield* one(lockStore(engine, alert.store_id));
        return { raised: yield* insertAlert(db, alert, unless_since) };
      }),

    listAlerts: (store_id, { before, limit }) =>
      engine.read(function* (): QueryGenerator<readonly AlertRecord[]> {
        const page = db
          .selectFrom("alerts")
          .selectAll()
          .where("store_id", "=", store_id)
          .orderBy("id", "desc")
          .limit(limit);
        const rows = yield* many(before === null ? page : page.where("id", "<", before));
        return rows.map((row) => ({
          ...row,
          livemode: row.livemode === 1,
          data: fromJson(row.data),
        }));
      }),
  };
}

/**
 * Stores an alert. False when another one of the same store, mode, type and subject
 * was stored at or after `unless_since`. A repeated call gives the first answer.
 */
export function* insertAlert(
  db: Db,
  alert: AlertRecord,
  unless_since: number,
): QueryGenerator<boolean> {
  const stored = yield* many(
    db
      .selectFrom("alerts")
      .select("id")
      .where("store_id", "=", alert.store_id)
      .where("livemode", "=", toBool(alert.livemode))
      .where((eb) =>
        eb.or([
          eb("id", "=", alert.id),
          eb.and([
            eb("type", "=", alert.type),
            eb("subject", "=", alert.subject),
            eb("created_at", ">=", unless_since),
          ]),
        ]),
      ),
  );
  if (stored.length > 0) return stored.some(({ id }) => id === alert.id);

  yield* many(
    db
      .insertInto("alerts")
      .values({ ...alert, ...partitionColumns(alert), data: JSON.stringify(alert.data) }),
  );
  return true;
}
