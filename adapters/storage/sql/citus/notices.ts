import type { AlertRecord } from "../../../../src/rules/records.ts";
import type { WebhookStore } from "../../../../src/storage/webhook-store.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import type { Tables } from "../schema/tables.ts";
import { atOnce } from "./at-once.ts";

type NoticeKey = Pick<Tables["alert_notices"], "store_id" | "livemode" | "alert_id">;

/** A read of all shards finds the notices, and a guarded update takes each on its own shard. */
export function claimNoticesOnCitus(engine: SqlEngine): WebhookStore["claimNotices"] {
  const { db } = engine;

  return async ({ now, lease_until, limit }) => {
    const due = await engine.read(() =>
      many(
        db
          .selectFrom("alert_notices")
          .select(["store_id", "livemode", "alert_id"])
          .where("due_at", "<=", now)
          .orderBy("due_at")
          .limit(limit),
      ),
    );
    const taken = await atOnce(due, (key) =>
      engine.write(() => take(engine, key, { now, lease_until })),
    );
    return taken.flatMap((alert) => alert ?? []);
  };
}

/** The alert of the notice; null when another process was faster. */
function* take(
  { db }: SqlEngine,
  key: NoticeKey,
  { now, lease_until }: { readonly now: number; readonly lease_until: number },
): QueryGenerator<AlertRecord | null> {
  const leased = yield* one(
    db
      .updateTable("alert_notices")
      .set({ due_at: lease_until })
      .where((eb) => eb.and(key))
      .where("due_at", "<=", now)
      .returning("alert_id"),
  );
  if (!leased) return null;

  const { store_id, livemode, alert_id } = key;
  const row = yield* one(
    db
      .selectFrom("alerts")
      .selectAll()
      .where((eb) => eb.and({ store_id, livemode, id: alert_id })),
  );
  return row ? { ...row, livemode: row.livemode === 1, data: fromJson(row.data) } : null;
}
