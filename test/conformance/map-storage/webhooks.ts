import {
  type ClaimedDelivery,
  type ConsumerCursor,
  type ConsumerStore,
  compareTurns,
  type DeliveryPlace,
  deliveriesRecovered,
  healthy,
  judgeEndpoint,
  leased,
  recordOf,
  restarted,
  type Settlement,
  type SettleOutcome,
  type StoredDelivery,
  settledDelivery,
  settlementsOfHealth,
  settleOutcomeOf,
  skipLimit,
  skipped,
  statOfDelivery,
  type WebhookStore,
} from "vitrine/storage";
import {
  addAlert,
  addStat,
  by,
  type CursorRow,
  inMode,
  pageOf,
  type Tables,
  written,
} from "./tables.ts";

const byDue = by("+due_at");
const newestFirst = by("-created_at", "-event_id", "-endpoint_id");

const pendingOf = (t: Tables, endpoint_id: string): StoredDelivery[] =>
  t.deliveries.where({ endpoint_id, state: "pending" }).sort(byDue);

/** Gives the number of deliveries that were skipped. */
function skip(t: Tables, endpoint_id: string, limit: number, now: number): number {
  const chosen = pendingOf(t, endpoint_id).slice(0, limit);
  for (const delivery of chosen) t.deliveries.put({ ...delivery, ...skipped(now) });
  return chosen.length;
}

export const webhookStore = (t: Tables): WebhookStore => ({
  async listEvents({ after, limit, ...partition }) {
    const { store_id, livemode } = partition;
    const cursor = after === undefined ? null : t.events.get(store_id, livemode, after);
    if (after !== undefined && !cursor) return { outcome: "unknown_cursor" };

    const stored = t.events.where({ store_id, livemode });
    const later = pageOf(stored, by("+sequence"), { after: cursor, limit: stored.length });
    if (cursor && later.some(({ body }) => body === null)) return { outcome: "cursor_expired" };
    const events = later.filter(({ body }) => body !== null).slice(0, limit + 1);
    return { outcome: "listed", events };
  },
  listEndpoints: async (partition) => t.endpoints.where(inMode(partition)).sort(by("+id")),
  async skipDeliveries(_store_id, endpoint_id, limit, now) {
    const isEnabled = t.endpoints.get(endpoint_id)?.state === "enabled";
    return isEnabled ? 0 : skip(t, endpoint_id, limit, now);
  },

  async claimDeliveries(claim) {
    const { now, limit, after_endpoint } = claim;
    const ids = new Set(t.deliveries.where({ state: "pending" }).map((row) => row.endpoint_id));
    const turns = [...ids].sort((one, other) => compareTurns(after_endpoint, one, other));
    const claimed: ClaimedDelivery[] = [];
    let skippedAll = true;

    for (const id of turns) {
      const endpoint = t.endpoints.get(id);
      if (endpoint?.state === "enabled") {
        const quota = claim.quota_by_endpoint[id] ?? claim.per_endpoint;
        const due = pendingOf(t, id).filter(({ due_at }) => due_at <= now);
        for (const delivery of due.slice(0, Math.min(quota, limit - claimed.length))) {
          const held = leased(delivery, claim.lease_until, claim.lease_token);
          t.deliveries.put(held);
          const { store_id, livemode, event_id, failures, lost_leases } = held;
          const body = t.events.get(store_id, livemode, event_id)?.body ?? "";
          const { url, secrets } = endpoint;
          claimed.push({ ...recordOf(held), failures, lost_leases, url, secrets, body });
        }
      } else if (skip(t, id, skipLimit, now) === skipLimit) skippedAll = false;
      if (claimed.length >= limit) break;
    }
    return {
      deliveries: claimed,
      after_endpoint: claimed.at(-1)?.endpoint_id ?? after_endpoint,
      left_behind: skippedAll && claimed.length < limit ? "nothing" : "deliveries",
    };
  },
  findDestinations: async (endpoint_ids) =>
    t.endpoints
      .where({ state: "enabled" })
      .filter(({ id }) => endpoint_ids.includes(id))
      .map(({ id, url, secrets }) => ({ id, url, secrets })),
  async settleDeliveries(settlements, now) {
    const outcomes = settlements.map((settlement) => settle(t, settlement, now));
    const counted = settlementsOfHealth(settlements, outcomes);
    const ids = [...new Set(counted.map(({ endpoint_id }) => endpoint_id))];
    const disabled = ids.filter((id) => {
      const ofEndpoint = counted.filter(({ endpoint_id }) => endpoint_id === id);
      return disablesEndpoint(t, id, ofEndpoint, now);
    });
    return { outcomes, disabled };
  },
  async releaseDeliveries(keys, lease_token, now) {
    for (const { store_id, endpoint_id, event_id } of keys) {
      const delivery = t.deliveries.get(store_id, endpoint_id, event_id);
      if (delivery?.state === "pending" && delivery.lease_token === lease_token)
        t.deliveries.put({ ...delivery, due_at: now, lease_token: null });
    }
  },
  async findNextWork(now) {
    const times = t.endpoints
      .where({ state: "enabled" })
      .flatMap(({ id }) => pendingOf(t, id).map(({ due_at }) => due_at));
    return {
      next_due: times.length === 0 ? null : Math.min(...times),
      notices: t.notices.where().some(({ due_at }) => due_at <= now),
    };
  },

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

  async listDeliveries({ before, limit, ...wanted }) {
    const rows = pageOf(t.deliveries.where(wanted), newestFirst, { after: before, limit });
    return rows.map(recordOf);
  },
  listAttempts: async ({ store_id, endpoint_id, event_id }) =>
    t.deliveryAttempts.where({ store_id, endpoint_id, event_id }),
  async recoverDeliveries(recovery) {
    const { store_id, livemode, endpoint_id, since, until, states, limit, now } = recovery;
    const found = t.deliveries
      .where({ store_id, livemode, endpoint_id })
      .filter(
        ({ created_at, state, event_id }) =>
          created_at >= since &&
          created_at <= until &&
          states.some((wanted) => wanted === state) &&
          t.events.get(store_id, livemode, event_id)?.body,
      );
    const chosen = pageOf<DeliveryPlace, StoredDelivery>(found, newestFirst, {
      after: recovery.before,
      limit,
    });
    for (const delivery of chosen) t.deliveries.put({ ...delivery, ...restarted(now) });

    const last = chosen.length < limit ? undefined : chosen.at(-1);
    const before = last
      ? { created_at: last.created_at, event_id: last.event_id, endpoint_id }
      : null;
    const change = chosen.length > 0 ? deliveriesRecovered(recovery) : null;
    return written(t, { result: { recovered: chosen.length, before }, change }, recovery.author);
  },

  async prune({ before, forget_before, limit }) {
    const isPending = (event_id: string): boolean =>
      t.deliveries.where({ event_id, state: "pending" }).length > 0;
    const events = t.events.where().sort(by("+sequence"));
    const isNewest = (event: (typeof events)[number]): boolean =>
      events.findLast((other) => partitionName(other) === partitionName(event)) === event;

    const old = events
      .filter((event) => event.created_at < before && event.body !== null)
      .filter((event) => !isPending(event.id) && !isNewest(event))
      .slice(0, limit);
    for (const event of old) t.events.put({ ...event, body: null });

    const forgotten = t.events
      .where({ body: null })
      .filter(({ created_at }) => created_at < forget_before)
      .slice(0, limit);
    for (const event of forgotten) {
      t.events.delete(event);
      t.deliveries.deleteIf(
        ({ store_id, event_id }) => store_id === event.store_id && event_id === event.id,
      );
    }
    const attempts = t.deliveryAttempts.deleteIf(({ started_at }) => started_at < before, limit);
    return { events: old.length, attempts, forgotten: forgotten.length };
  },
});

const partitionName = (row: { store_id: string; livemode: boolean }): string =>
  `${row.store_id} ${row.livemode}`;

function settle(t: Tables, settlement: Settlement, now: number): SettleOutcome {
  const { store_id, endpoint_id, event_id, log } = settlement;
  const delivery = t.deliveries.get(store_id, endpoint_id, event_id);
  const settled = delivery && settledDelivery(delivery, settlement, now);
  if (!settled) return settleOutcomeOf(settlement, undefined);

  t.deliveries.put(settled);
  t.deliveryAttempts.put({ ...log, store_id, endpoint_id, event_id, attempt: settled.attempts });
  addStat(t, settled, statOfDelivery(log));
  return settleOutcomeOf(settlement, settled.state);
}

/** Notes what these outcomes say about the endpoint. Gives true when they disable it. */
function disablesEndpoint(
  t: Tables,
  id: string,
  settlements: readonly Settlement[],
  now: number,
): boolean {
  const before = t.endpoints.get(id);
  if (before?.state !== "enabled") return false;

  const known = t.health.get(id)?.health ?? healthy;
  const { health, endpoint, alert, isDisabled } = judgeEndpoint(before, known, settlements, now);
  t.health.put({ id, health });
  if (alert) {
    addAlert(t, alert, now + 1);
    t.notices.put({ alert, due_at: now });
  }
  if (isDisabled) t.endpoints.put(endpoint);
  return isDisabled;
}

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
    t.events
      .where(inMode(row))
      .filter(({ sequence }) => sequence > row.sequence)
      .sort(by("+sequence"));

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
        const newest = t.events.where(inMode(row)).sort(by("-sequence"))[0];
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
