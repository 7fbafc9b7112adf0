import {
  by,
  type ConsumerCursor,
  type ConsumerStore,
  claimInTurns,
  type EventRecord,
  eventsAfter,
  isIn,
  nextDue,
  type Partition,
  type PendingRows,
  recoverable,
  type SettlementRows,
  type StoredDelivery,
  selectDeliveries,
  settleBatch,
  skipPending,
  type WebhookStore,
} from "vitrine/storage";
import { addAlert, addStat, type CursorRow, inMode, type Tables, written } from "./tables.ts";

const bodyOf = (t: Tables, { store_id, livemode, event_id }: StoredDelivery): string | null =>
  t.events.get(store_id, livemode, event_id)?.body ?? null;

const eventsOf = (t: Tables, partition: Partition): EventRecord[] =>
  t.events.where(inMode(partition)).sort(by("+sequence"));

const pendingRows = (t: Tables): PendingRows => ({
  endpointOf: (id) => t.endpoints.get(id),
  firstDue: (endpoint_id) =>
    t.deliveries.where({ endpoint_id, state: "pending" }).sort(by("+due_at"))[0] ?? null,
  bodyOf: (delivery) => bodyOf(t, delivery),
  put: t.deliveries.put,
});

const settlementRows = (t: Tables): SettlementRows => ({
  deliveryOf: ({ store_id, endpoint_id, event_id }) =>
    t.deliveries.get(store_id, endpoint_id, event_id),
  put: t.deliveries.put,
  addLog: t.deliveryAttempts.put,
  addStat: (partition, change) => addStat(t, partition, change),
  endpointOf: (id) => t.endpoints.get(id),
  putEndpoint: t.endpoints.put,
  healthOf: (id) => t.health.get(id)?.health ?? null,
  putHealth: (id, health) => t.health.put({ id, health }),
  tell(alert, now) {
    addAlert(t, alert, now + 1);
    t.notices.put({ alert, due_at: now });
  },
});

/** Gives the endpoints to which deliveries wait. */
const waitingEndpoints = (t: Tables): ReadonlySet<string> =>
  new Set(t.deliveries.where({ state: "pending" }).map(({ endpoint_id }) => endpoint_id));

export const webhookStore = (t: Tables): WebhookStore => ({
  listEvents: async (query) => eventsAfter(eventsOf(t, query), query),
  listEndpoints: async (partition) => t.endpoints.where(inMode(partition)).sort(by("+id")),
  async skipDeliveries(_store_id, endpoint_id, limit, now) {
    const isEnabled = t.endpoints.get(endpoint_id)?.state === "enabled";
    return isEnabled ? 0 : skipPending(pendingRows(t), endpoint_id, limit, now);
  },

  claimDeliveries: async (claim) => claimInTurns(pendingRows(t), waitingEndpoints(t), claim),
  findDestinations: async (endpoint_ids) =>
    t.endpoints
      .where({ state: "enabled" })
      .filter(({ id }) => endpoint_ids.includes(id))
      .map(({ id, url, secrets, agent }) => ({ id, url, secrets, agent })),
  settleDeliveries: async (settlements, now) => settleBatch(settlementRows(t), settlements, now),
  async releaseDeliveries(keys, lease_token, now) {
    for (const { store_id, endpoint_id, event_id } of keys) {
      const delivery = t.deliveries.get(store_id, endpoint_id, event_id);
      if (delivery?.state === "pending" && delivery.lease_token === lease_token)
        t.deliveries.put({ ...delivery, due_at: now, lease_token: null });
    }
  },
  findNextWork: async (now) => ({
    next_due: nextDue(pendingRows(t), waitingEndpoints(t)),
    notices: t.notices.where().some(({ due_at }) => due_at <= now),
  }),

  async claimNotices({ now, lease_until, limit }) {
    const due = t.notices.where().filter(({ due_at }) => due_at <= now);
    const claimed = due.slice(0, limit).map(({ alert }) => alert);
    for (const alert of claimed) t.notices.put({ alert, due_at: lease_until });
    return claimed;
  },
  async settleNotice(alert, taken, now) {
    const { store_id, livemode, id } = alert;
    if (taken) t.notices.delete({ alert, due_at: now });
    else if (t.notices.get(store_id, livemode, id)) t.notices.put({ alert, due_at: now });
  },

  listDeliveries: async (query) => selectDeliveries(t.deliveries.where(), query),
  listAttempts: async ({ store_id, endpoint_id, event_id }) =>
    t.deliveryAttempts.where({ store_id, endpoint_id, event_id }),
  async recoverDeliveries(recovery) {
    const { restarted, result, change } = recoverable(
      t.deliveries.where(),
      (delivery) => bodyOf(t, delivery),
      recovery,
    );
    for (const delivery of restarted) t.deliveries.put(delivery);
    return written(t, { result, change }, recovery.author);
  },

  async prune({ before, forget_before, limit }) {
    const isPending = (event_id: string): boolean =>
      t.deliveries.where({ event_id, state: "pending" }).length > 0;
    const newest = t.counters.where().map((counter) => eventsOf(t, counter).at(-1)?.id);

    const old = t.events
      .where()
      .filter(({ created_at, body }) => created_at < before && body !== null)
      .filter(({ id }) => !isPending(id) && !newest.includes(id))
      .slice(0, limit);
    for (const event of old) t.events.put({ ...event, body: null });

    const forgotten = t.events
      .where({ body: null })
      .filter(({ created_at }) => created_at < forget_before)
      .slice(0, limit);
    for (const event of forgotten) {
      t.events.delete(event);
      t.deliveries.deleteIf((row) => row.event_id === event.id && isIn(event, row));
    }
    const attempts = t.deliveryAttempts.deleteIf(({ started_at }) => started_at < before, limit);
    return { events: old.length, attempts, forgotten: forgotten.length };
  },
});

export function consumerStore(t: Tables): ConsumerStore {
  const partitionsOf = (consumer: string, store_id: string | null): CursorRow[] =>
    t.counters
      .where(store_id === null ? {} : { store_id })
      .map(
        (counter) =>
          t.cursors.get(counter.store_id, counter.livemode, consumer) ?? {
            ...inMode(counter),
            consumer,
            sequence: 0,
            lease_token: null,
            leased_until: 0,
            failures: 0,
          },
      )
      .sort(by("+leased_until"));
  const unseenOf = (row: CursorRow) =>
    eventsOf(t, row).filter(({ sequence }) => sequence > row.sequence);

  /** Changes the cursor if its lease is still held. */
  function update(cursor: ConsumerCursor, change: (row: CursorRow) => Partial<CursorRow>): boolean {
    const row = t.cursors.get(cursor.store_id, cursor.livemode, cursor.consumer);
    if (row?.lease_token !== cursor.lease_token) return false;
    t.cursors.put({ ...row, ...change(row) });
    return true;
  }

  return {
    async claimEvents({ consumer, store_id, now, lease_until, lease_token, limit }) {
      for (const row of partitionsOf(consumer, store_id)) {
        const unseen = unseenOf(row).slice(0, limit);
        const last = unseen.at(-1);
        if (row.leased_until > now || !last) continue;

        t.cursors.put({ ...row, lease_token, leased_until: lease_until });
        return {
          ...inMode(row),
          events: unseen.filter(({ body }) => body !== null),
          last_sequence: last.sequence,
          failures: row.failures,
        };
      }
      return null;
    },
    advance: async (cursor, sequence, leased_until) =>
      update(cursor, (row) => ({
        sequence: Math.max(row.sequence, sequence),
        leased_until,
        failures: 0,
      })),
    release: async (cursor, { failures, retry_at }) =>
      void update(cursor, () => ({ lease_token: null, leased_until: retry_at, failures })),
    async lag(consumer, store_id) {
      const waiting = partitionsOf(consumer, store_id).flatMap((row) => {
        const newest = eventsOf(t, row).at(-1);
        return newest && newest.sequence > row.sequence ? [{ row, newest }] : [];
      });
      const kept = waiting
        .flatMap(({ row }) => unseenOf(row))
        .filter(({ body }) => body !== null)
        .map(({ created_at }) => created_at);
      return {
        partitions: waiting.length,
        events: waiting.reduce((sum, { row, newest }) => sum + newest.sequence - row.sequence, 0),
        oldest_created_at: kept.length === 0 ? null : Math.min(...kept),
      };
    },
  };
}
