import type { EventRecord, Partition } from "../rules/records.ts";
import type { ConsumerCursor, ConsumerStore } from "../storage/consumer-store.ts";
import { type MemoryState, rowKey } from "./state.ts";

export interface CursorRow {
  readonly sequence: number;
  readonly lease_token: string | null;
  readonly leased_until: number;
  readonly failures: number;
}

export function memoryConsumers(state: MemoryState): ConsumerStore {
  const cursors = state.consumers;
  const keyOf = (partition: Partition, consumer: string): string => rowKey(partition, consumer);
  const held = (cursor: ConsumerCursor): CursorRow | null => {
    const row = cursors.get(keyOf(cursor, cursor.consumer));
    return row?.lease_token === cursor.lease_token ? row : null;
  };

  return {
    async claimEvents({ consumer, store_id, now, lease_until, lease_token, limit }) {
      const leasedUntil = ([first]: readonly EventRecord[]): number =>
        (first && cursors.get(keyOf(first, consumer))?.leased_until) ?? 0;
      for (const stored of [...state.webhooks.events.values()].sort(
        (a, b) => leasedUntil(a) - leasedUntil(b),
      )) {
        const newest = stored.at(-1);
        if (!newest || (store_id !== null && newest.store_id !== store_id)) continue;
        const partition = { store_id: newest.store_id, livemode: newest.livemode };
        const row = cursors.get(keyOf(partition, consumer)) ?? {
          sequence: 0,
          lease_token: null,
          leased_until: 0,
          failures: 0,
        };
        const news =
          row.leased_until > now
            ? []
            : stored.filter((event) => event.sequence > row.sequence).slice(0, limit);
        const last = news.at(-1);
        if (!last) continue;
        cursors.set(keyOf(partition, consumer), { ...row, lease_token, leased_until: lease_until });
        return {
          ...partition,
          events: news.filter((event) => event.body !== null),
          last_sequence: last.sequence,
          failures: row.failures,
        };
      }
      return null;
    },
    async advance(cursor, sequence, leased_until) {
      const row = held(cursor);
      if (row)
        cursors.set(keyOf(cursor, cursor.consumer), {
          ...row,
          sequence: Math.max(row.sequence, sequence),
          leased_until,
          failures: 0,
        });
      return row !== null;
    },
    async release(cursor, { failures, retry_at }) {
      const row = held(cursor);
      if (row)
        cursors.set(keyOf(cursor, cursor.consumer), {
          ...row,
          lease_token: null,
          leased_until: retry_at,
          failures,
        });
    },
  };
}
