import type { NotedMessage } from "#core/rules/orders/order-changes.ts";
import type { Partition } from "#core/rules/records.ts";
import { GuardFailed } from "../catalog/stock/guard-failed.ts";
import { ofPartitionParams, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { changed, one, prepare, type QueryGenerator } from "../engine/queries.ts";

/**
 * Notes a message. When a step of another order has noted it meanwhile, this step
 * begins again and sees it.
 */
export function messageWriter({ db }: SqlEngine) {
  const insert = prepare((param) =>
    db
      .insertInto("gateway_notifications")
      .values({
        store_id: param<string>("store_id"),
        livemode: param<0 | 1>("livemode"),
        gateway: param<string>("gateway"),
        notification_id: param<string>("notification_id"),
        created_at: param<number>("now"),
      })
      .onConflict((conflict) => conflict.doNothing()),
  );

  return function* noteMessage(partition: Partition, message: NotedMessage): QueryGenerator<void> {
    if (!(yield* changed(insert({ ...partitionColumns(partition), ...message }))))
      throw new GuardFailed("The same message was noted by another step.");
  };
}

/** Reads whether a message was noted, by a statement of its own: Citus has one a table. */
export function messageReader({ db }: SqlEngine) {
  const find = prepare((param) =>
    db
      .selectFrom("gateway_notifications")
      .select("notification_id")
      .where(ofPartitionParams(param))
      .where("gateway", "=", param<string>("gateway"))
      .where("notification_id", "=", param<string>("notification_id")),
  );

  return function* isNoted(
    partition: Partition,
    message: NotedMessage | null,
  ): QueryGenerator<boolean> {
    if (message === null) return false;

    return (yield* one(find({ ...partitionColumns(partition), ...message }))) !== undefined;
  };
}
