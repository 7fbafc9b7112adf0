import type { Partition } from "../../../../src/rules/records.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { one, type QueryGenerator } from "../engine/queries.ts";

/** A notification may have brought this news. Other news has no id. */
interface News extends Partition {
  readonly notification_id?: string;
  readonly now: number;
}

/**
 * Notes a notification. It gives false when the gateway sent this notification
 * before. News without an id is always new.
 */
export function* noteNotification(
  { db }: SqlEngine,
  gateway: string,
  { notification_id, now, ...partition }: News,
): QueryGenerator<boolean> {
  if (notification_id === undefined) return true;

  const inserted = yield* one(
    db
      .insertInto("gateway_notifications")
      .values({ ...partitionColumns(partition), gateway, notification_id, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning("notification_id"),
  );
  return inserted !== undefined;
}
