import { type RawBuilder, sql } from "kysely";

/**
 * Selects the event of a delivery. The condition is a range that holds one key, because
 * PostgreSQL without statistics answers an equality badly: it finds only the store by the
 * primary key, and reads all events of the store for each delivery. `isOfStores` is a
 * further condition on the `store_id` of the event.
 */
export function eventOf(
  delivery: RawBuilder<unknown>,
  isOfStores?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const key = sql`(e.store_id, e.livemode, e.id)`;
  const wanted = sql`(${delivery}.store_id, ${delivery}.livemode, ${delivery}.event_id)`;

  return sql`
    select e.body from ${sql.table("events")} as e
    where ${key} >= ${wanted} and ${key} <= ${wanted}
      ${isOfStores ? sql`and e.store_id ${isOfStores}` : sql``}
    order by e.store_id, e.livemode, e.id limit 1`;
}
