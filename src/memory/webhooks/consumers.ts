import type { EventRecord, Partition } from "../../rules/records.ts";
import type { ConsumerCursor, ConsumerLag, ConsumerStore } from "../../storage/consumer-store.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";
import type { CursorRow } from "./webhook-state.ts";

const newCursor: CursorRow = { sequence: 0, lease_token: null, leased_until: 0, failures: 0 };

export function memoryConsumers(state: MemoryState): ConsumerStore {
  const cursors = state.consumers;

  const cursorOf = (partition: Partition, consumer: string): CursorRow =>
    cursors.get(rowKey(partition, consumer)) ?? newCursor;

  /** Changes the cursor if its lease is still held. */
  function update(cursor: ConsumerCursor, change: (row: CursorRow) => CursorRow): boolean {
    const row = cursorOf(cursor, cursor.consumer);
    if (row.lease_token !== cursor.lease_token) return false;

    cursors.set(rowKey(cursor, cursor.consumer), change(row));
    return true;
  }

  /** Gives the event lists of all stores. Those that have waited longest come first. */
  function longestWaitingFirst(consumer: string): (readonly EventRecord[])[] {
    const leasedUntil = ([first]: readonly EventRecord[]): number =>
      first ? cursorOf(first, consumer).leased_until : 0;

    return [...state.webhooks.events.values()].sort((a, b) => leasedUntil(a) - leasedUntil(b));
  }

  return {
    async claimEvents({ consumer, store_id, now, lease_until, lease_token, limit }) {
      for (const stored of longestWaitingFirst(consumer)) {
        const newest = stored.at(-1);
        if (!newest || (store_id !== null && newest.store_id !== store_id)) continue;

        const partition = { store_id: newest.store_id, livemode: newest.livemode };
        const row = cursorOf(partition, consumer);
        if (row.leased_until > now) continue;

        const unseen = stored.filter(({ sequence }) => sequence > row.sequence).slice(0, limit);
        const last = unseen.at(-1);
        if (!last) continue;

        const leased = { ...row, lease_token, leased_until: lease_until };
        cursors.set(rowKey(partition, consumer), leased);
        return {
          ...partition,
          events: unseen.filter(({ body }) => body !== null),
          last_sequence: last.sequence,
          failures: row.failures,
        };
      }
      return null;
    },
    lag: async (consumer, store_id) => {
      const all = [...state.webhooks.events.values()];
      const stored = all.filter(
        ([first]) => first && (store_id === null || first.store_id === store_id),
      );
      return lagOf(stored, (event) => cursorOf(event, consumer).sequence);
    },
    advance: async (cursor, sequence, leased_until) =>
      update(cursor, (row) => ({
        ...row,
        sequence: Math.max(row.sequence, sequence),
        leased_until,
        failures: 0,
      })),
    async release(cursor, { failures, retry_at }) {
      const released = { lease_token: null, leased_until: retry_at, failures };
      update(cursor, (row) => ({ ...row, ...released }));
    },
  };
}

/** Counts what lies after the cursors; each list holds the events of a store and mode. */
function lagOf(
  lists: readonly (readonly EventRecord[])[],
  handledOf: (event: EventRecord) => number,
): ConsumerLag {
  let partitions = 0;
  let events = 0;
  let oldest_created_at: number | null = null;

  for (const stored of lists) {
    const newest = stored.at(-1);
    const handled = newest ? handledOf(newest) : 0;
    if (!newest || newest.sequence <= handled) continue;

    partitions += 1;
    events += newest.sequence - handled;
    const kept = stored.find(({ sequence, body }) => sequence > handled && body !== null);
    if (kept) oldest_created_at = Math.min(oldest_created_at ?? kept.created_at, kept.created_at);
  }
  return { partitions, events, oldest_created_at };
}
