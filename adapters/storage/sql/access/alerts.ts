import type { Selectable } from "kysely";
import type { StoredAlert } from "#core/rules/owner/list-records.ts";
import type { AlertRecord } from "#core/rules/records.ts";
import type { AccessStore, AlertQuery } from "#core/storage/types.ts";
import { fromJson, ofPartition, partitionColumns, toBool } from "../engine/columns.ts";
import { directionOf } from "../engine/direction.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";
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

    listAlerts: (store_id, query) => engine.read(() => listAlerts(engine, store_id, query)),
  };
}

function* listAlerts(
  { db }: SqlEngine,
  store_id: string,
  query: AlertQuery,
): QueryGenerator<readonly StoredAlert[]> {
  const { livemode, acknowledged: wanted, before, limit } = query;
  const { way, sign } = directionOf(query.oldest_first);
  let page = db.selectFrom("alerts").selectAll().where("store_id", "=", store_id);
  if (livemode !== undefined) page = page.where("livemode", "=", toBool(livemode));
  if (wanted !== undefined) page = page.where("acknowledged_at", wanted ? "is not" : "is", null);
  if (before !== null) page = page.where("id", sign, before);

  const rows = yield* many(page.orderBy("id", way).limit(limit));
  return rows.map(readAlert);
}

export const readAlert = (row: Selectable<Tables["alerts"]>): StoredAlert => ({
  ...row,
  livemode: row.livemode === 1,
  data: fromJson(row.data),
});

/**
 * Stores an alert. It gives false when another one of the same store, mode, type
 * and subject was stored at or after `unless_since`. A repeated call gives the
 * first answer.
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
      .where(ofPartition(alert))
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
