import { sql } from "kysely";
import type { AlertRecord } from "#core/rules/records.ts";
import type { WebhookStore } from "#core/storage/webhook-store.ts";
import { fromJson, ofPartition, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../engine/queries.ts";

type NoticeSteps = Pick<WebhookStore, "claimNotices" | "settleNotice">;

export function sqlNotices(engine: SqlEngine): NoticeSteps {
  const { db } = engine;
  const claim = claimStep(engine);

  return {
    claimNotices: (range) => engine.write(() => claim(range)),
    settleNotice: (alert, taken, now) =>
      engine.write(function* (): QueryGenerator<void> {
        const key = { ...partitionColumns(alert), alert_id: alert.id };
        const remove = db.deleteFrom("alert_notices").where((eb) => eb.and(key));
        const retry = db
          .updateTable("alert_notices")
          .set({ due_at: now })
          .where((eb) => eb.and(key));

        if (taken) yield* many(remove);
        else yield* many(retry);
      }),
  };
}

function claimStep({ db, dialect }: SqlEngine) {
  const notices = sql.table("alert_notices");
  const lease = prepareRaw<{ store_id: string; livemode: 0 | 1; alert_id: string }>(
    db,
    (param) => sql`
    with picked(store, mode, alert) as materialized (
      select store_id, livemode, alert_id from ${notices}
      where due_at <= ${param("now")}
      order by due_at limit ${param("limit")} ${dialect.skipLockedText}
    )
    update ${notices} as n set due_at = ${param("lease_until")}
    from picked as p
    where n.store_id = p.store and n.livemode = p.mode and n.alert_id = p.alert
    returning store_id, livemode, alert_id`,
  );

  return function* claim(
    range: Parameters<WebhookStore["claimNotices"]>[0],
  ): QueryGenerator<readonly AlertRecord[]> {
    const alerts: AlertRecord[] = [];
    for (const { store_id, livemode, alert_id } of yield* many(lease({ ...range }))) {
      const rows = yield* many(
        db
          .selectFrom("alerts")
          .selectAll()
          .where(ofPartition({ store_id, livemode }))
          .where("id", "=", alert_id),
      );
      for (const row of rows)
        alerts.push({
          ...row,
          livemode: row.livemode === 1,
          data: fromJson<AlertRecord["data"]>(row.data),
        });
    }
    return alerts;
  };
}
