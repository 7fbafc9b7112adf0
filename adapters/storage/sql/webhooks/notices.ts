import { sql } from "kysely";
import type { AlertRecord } from "../../../../src/rules/records.ts";
import type { WebhookStore } from "../../../../src/storage/webhook-store.ts";
import { fromJson, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../engine/queries.ts";

type Steps = Pick<WebhookStore, "claimNotices" | "settleNotice">;

export function sqlNotices(engine: SqlEngine): Steps {
  const { db, dialect } = engine;
  const notices = sql.table("alert_notices");
  const lease = prepareRaw<{ store_id: string; livemode: 0 | 1; alert_id: string }>(
    db,
    (param) => sql`
    with picked(store, mode, alert) as materialized (
      select store_id, livemode, alert_id from ${notices} where due_at <= ${param("now")} order by due_at limit ${param("limit")} ${dialect.skipLockedText}
    )
    update ${notices} as n set due_at = ${param("lease_until")}
    from picked as p where n.store_id = p.store and n.livemode = p.mode and n.alert_id = p.alert
    returning store_id, livemode, alert_id`,
  );
  return {
    claimNotices: ({ now, lease_until, limit }) =>
      engine.write(function* (): QueryGenerator<readonly AlertRecord[]> {
        const alerts: AlertRecord[] = [];
        for (const { store_id, livemode, alert_id } of yield* many(
          lease({ now, lease_until, limit }),
        )) {
          const rows = yield* many(
            db
              .selectFrom("alerts")
              .selectAll()
              .where("store_id", "=", store_id)
              .where("livemode", "=", livemode)
              .where("id", "=", alert_id),
          );
          alerts.push(
            ...rows.map((row) => ({
              ...row,
              livemode: row.livemode === 1,
              data: fromJson<AlertRecord["data"]>(row.data),
            })),
          );
        }
        return alerts;
      }),
    settleNotice: (alert, taken, now) =>
      engine.write(function* (): QueryGenerator<void> {
        const { store_id, livemode } = partitionColumns(alert);
        const is = { store_id, livemode, alert_id: alert.id };
        if (taken) yield* many(db.deleteFrom("alert_notices").where((eb) => eb.and(is)));
        else
          yield* many(
            db
              .updateTable("alert_notices")
              .set({ due_at: now })
              .where((eb) => eb.and(is)),
          );
      }),
  };
}
