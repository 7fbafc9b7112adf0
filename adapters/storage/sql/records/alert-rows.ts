import { foundRecord } from "#core/rules/owner/record-kinds.ts";
import { readAlert } from "../access/alerts.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one } from "../engine/queries.ts";
import type { RecordRows } from "./record-rows.ts";

/** Keeps who has dealt with an alert. Steps of other kinds raise alerts. */
export const alertRows = ({ db, dialect }: SqlEngine): RecordRows<"alert"> => ({
  *load({ store_id, id }) {
    const alerts = db.selectFrom("alerts").selectAll();
    const ofId = alerts.where("store_id", "=", store_id).where("id", "=", id);
    const row = yield* one(dialect.forUpdate(ofId));
    return foundRecord<"alert">({ record: row ? readAlert(row) : null });
  },
  *put({ store_id, id, acknowledged_at, acknowledged_by }) {
    yield* many(
      db
        .updateTable("alerts")
        .set({ acknowledged_at, acknowledged_by })
        .where("store_id", "=", store_id)
        .where("id", "=", id),
    );
    return true;
  },
});
