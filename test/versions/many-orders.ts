import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { copyRow } from "../support/copy-row.ts";
import type { Fleet } from "./fleet.ts";
import { buy, openStore, type Store } from "./traffic.ts";

/** A PostgreSQL database or a cluster of Citus, and the schema of the storage in it. */
export interface Place {
  readonly url: string;
  readonly schema: string;
}

/** A store of many orders, and how many there are. */
export interface FullStore {
  readonly store: Store;
  readonly count: number;
}

/**
 * Fills a database of the old version with so many orders of another store, as copies of one that
 * was bought there.
 */
export async function fillOrders(
  fleet: Fleet,
  { url, schema }: Place,
  rows: number,
): Promise<FullStore> {
  const store = await openStore(fleet, null);
  const { id } = await buy(store, "plain", "old", "old");
  const client = new pg.Client(url);
  await client.connect();
  try {
    // The ids of the copies tell the time of the first, as ids do.
    const name = `'${id.slice(0, 14)}' || lpad(n::text, 16, '0')`;
    const own = `'id', ${name}, 'number', 1000000 + n`;
    const record = `'record', (cast($1::jsonb->>'record' as jsonb) || jsonb_build_object(${own}))::text`;
    await copyRow(client, {
      table: `${schema}.orders`,
      where: `store_id = '${store.where.store_id}' and id = '${id}'`,
      fields: `${own}, ${record}, 'session_id', 'cs_' || n`,
      count: rows,
    });
    await copyRow(client, {
      table: `${schema}.payment_attempts`,
      where: `store_id = '${store.where.store_id}' and order_id = '${id}'`,
      fields: `'id', 'pa_' || n, 'order_id', ${name}, 'reference', 'ref_' || n`,
      count: rows,
    });
    await client.query(`analyze ${schema}.orders`);
  } finally {
    await client.end();
  }
  return { store, count: rows + 1 };
}

/** Reads all orders of the full store through the new version. */
export async function countOrders({ store: { fleet, where } }: FullStore): Promise<number> {
  let count = 0;
  let starting_after: string | null = null;
  do {
    const page: { data: readonly { readonly id: string }[]; next_cursor: string | null } =
      await fleet.call("new", "owner.orders.list", { ...where, limit: 100, starting_after });
    count += page.data.length;
    starting_after = page.next_cursor;
    await pause(0);
  } while (starting_after !== null);
  return count;
}
