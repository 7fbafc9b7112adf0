import {
  type AuditStore,
  type BackOfficeStore,
  by,
  customerErased,
  customersOf,
  type DashboardStore,
  eraseRows,
  type GaugesStore,
  isHitInWindow,
  isIn,
  isPersonId,
  keptSessionDayMs,
  keptSessionMs,
  keyLifetimeMs,
  type LimitStore,
  type ListingStore,
  linkCreated,
  linkEnded,
  linkSpent,
  maxNotes,
  mostCounted,
  notesOf,
  oldestKept,
  type Partition,
  type PrivacyStore,
  pageOf,
  personChanged,
  personOf,
  type RequestLogStore,
  readOrder,
  rowOfPerson,
  type StatsStore,
  searchOrders,
  selectAttempts,
  selectAudit,
  selectCouponUses,
  selectCustomers,
  selectDisputes,
  selectDue,
  selectEvents,
  selectLinks,
  selectSessions,
  selectSignIns,
  sessionEnded,
  startOfHour,
  statOfSessions,
  sumSales,
  sumSubscriptions,
  testDataWiped,
  unlessPast,
  withoutClock,
  workDueSince,
} from "vitrine/storage";
import { findRevocation, orderOfSession, putRevocation, stepRows } from "./orders.ts";
import { addStat, bumpCatalogVersion, inMode, modes, type Tables, written } from "./tables.ts";
import { workRows } from "./work.ts";

export const listingStore = (t: Tables): ListingStore => ({
  listAttempts: async (query) => selectAttempts(t.attempts.where(), t.payments.where(), query),
  listSessions: async (query) =>
    selectSessions(t.sessions.where(), (session) => orderOfSession(t, session, session.id), query),
  listDisputes: async (query) =>
    selectDisputes(
      t.disputes.where(),
      ({ store_id, livemode, order_id }) => t.orders.get(store_id, livemode, order_id),
      query,
    ),
  listDue: async (query) => selectDue(t.subscriptions.where(), query),
  listEvents: async (query) => selectEvents(t.events.where(), query),
  findEvent: async ({ store_id, livemode }, id) => t.events.get(store_id, livemode, id),
  listCouponUses: async (query) => selectCouponUses(t.orders.where(), query),
  countCouponUses: async (store_id, coupon_ids) =>
    t.uses
      .where({ store_id, customer_key: "" })
      .filter(({ coupon_id }) => coupon_ids.includes(coupon_id))
      .map(({ coupon_id, livemode, used }) => ({ coupon_id, livemode, used })),
  countStock: async (partition, product_ids) =>
    t.stock
      .where(inMode(partition))
      .filter(({ id }) => product_ids.includes(id))
      .map(({ id, stock, held, counted }) => ({ product_id: id, stock, held, counted })),
  async countAttempts({ store_id, endpoint_id, since, limit }) {
    const all = t.deliveryAttempts.where({ store_id, endpoint_id }).sort(by("-started_at"));
    const counted = all.filter(({ started_at }) => started_at >= since).slice(0, limit);
    return {
      attempts: counted.length,
      accepted: counted.filter(({ error }) => error === null).length,
      last_accepted_at: all.find(({ error }) => error === null)?.started_at ?? null,
    };
  },
});

export const backOfficeStore = (t: Tables): BackOfficeStore => ({
  searchOrders: async (search) =>
    searchOrders(t.orders.where(), search, ({ id }) => readOrder(stepRows(t, search), id)),
  async findHistory(partition, order_id) {
    const found = readOrder(stepRows(t, partition), order_id);
    const { order, attempts, payments, refunds, disputes } = found;
    const notes = notesOf(t.notes.where(), partition, order_id).slice(0, maxNotes);
    return order && { order, attempts, payments, refunds, disputes, notes };
  },
  listNotes: async (partition, order_id, { after, limit }) =>
    notesOf(t.notes.where(), partition, order_id)
      .filter(({ id }) => after === null || id < after)
      .slice(0, limit),
  async listCustomers(partition, query) {
    const kept = t.keptTotals.where(inMode(partition)).map(({ total }) => total);
    const all = customersOf(t.orders.where(inMode(partition)), kept);
    return selectCustomers(all, query);
  },
  indexOrders: async () => 0,
  indexProducts: async () => 0,
});

export const statsStore = (t: Tables): StatsStore => ({
  async listHours({ from, to, sales, ...query }) {
    const complete_from = { orders: null, sessions: null, deliveries: null };
    if (sales) {
      const asked = { ...query, ...sales, from, to };
      const rows = sumSales(t.orders.where(), asked, t.keptSales.where());
      return { rows: [], complete_from, sales: { rows, complete_from: null, kept: null } };
    }

    const sessions = t.sessions
      .where(inMode(query))
      .map(({ created_at }) => statOfSessions(startOfHour(created_at), 1));
    const counted = t.stats.where(inMode(query)).map(({ store_id, livemode, ...row }) => row);
    const rows = [...counted, ...sessions];
    return {
      rows: rows.filter(({ hour }) => hour >= from && hour < to),
      complete_from,
    };
  },
  sumSubscriptions: async (partition) => sumSubscriptions(t.subscriptions.where(), partition),
  count: async () => 0,
});

export const gaugesStore = (t: Tables): GaugesStore => ({
  async read(now) {
    const due = t.deliveries.where({ state: "pending" }).filter(({ due_at }) => due_at <= now);
    const attempts = t.deliveryAttempts.where();
    const unknown = t.attempts.where({ state: "unknown" }).filter((row) => row.check_at !== null);
    const refunds = t.refunds.where().filter(({ check_at }) => check_at !== null);
    return {
      webhooks_due: Math.min(due.length, mostCounted),
      webhooks_due_since: due.sort(by("+due_at"))[0]?.due_at ?? null,
      webhooks_last_attempt_at: attempts.sort(by("-started_at"))[0]?.started_at ?? null,
      endpoints_disabled: Math.min(t.endpoints.where({ state: "disabled" }).length, mostCounted),
      payments_in_doubt: Math.min(unknown.length, mostCounted),
      payments_in_doubt_since: unknown.sort(by("+created_at"))[0]?.created_at ?? null,
      refunds_pending: Math.min(refunds.length, mostCounted),
      maintenance_due_since: workDueSince(workRows(t), now),
      oldest_transaction_at: null,
      rows_to_backfill: 0,
    };
  },
  readiness: async () => ({ schema: null, clock: null, write_refusal: null }),
});

export function limitStore(): LimitStore {
  const buckets = new Map<string, readonly number[]>();

  return {
    async hit({ bucket, limit, window_ms }, now) {
      const time = now ?? Date.now();
      const known = buckets.get(bucket) ?? [];
      const hits = known.filter((hit) => isHitInWindow(hit, time, window_ms));
      const allowed = hits.length < limit;
      const counted = allowed ? [...hits, time] : hits;
      buckets.set(bucket, counted);
      const reset_ms = (counted[0] ?? time) + window_ms - time;
      return { allowed, remaining: limit - counted.length, reset_ms };
    },
  };
}

export function dashboardStore(t: Tables): DashboardStore {
  return {
    async createLink(link, author) {
      const { store_id, made_in, created_at } = link;
      if (!t.stores.get(store_id)) return { outcome: "unknown_store" };
      if (made_in !== null && !unlessPast(t.dashboardSessions.get(store_id, made_in), created_at))
        return { outcome: "unknown_session" };

      t.links.put(link);
      const result = { outcome: "created" } as const;
      return written(t, { result, change: linkCreated(link) }, author);
    },
    findLink: async ({ store_id, hash }, now) => unlessPast(t.links.get(store_id, hash), now),
    listLinks: async (page, now) => selectLinks(t.links.where(), page, now),
    async endLink({ store_id, hash }, now, author) {
      const link = unlessPast(t.links.get(store_id, hash), now);
      if (!link) return false;
      t.links.delete(link);
      return written(t, { result: true, change: linkEnded(link) }, author);
    },
    async spendLink({ store_id, hash }, { session_hash, expires_at }, now, author) {
      const link = unlessPast(t.links.get(store_id, hash), now);
      if (!link) return { outcome: "unknown" };

      const { link_hash, ...pass } = link;
      const session = { ...pass, session_hash, created_at: now, expires_at };
      t.links.delete(link);
      t.dashboardSessions.put(session);
      const result = { outcome: "opened", session } as const;
      return written(t, { result, change: linkSpent(session) }, author);
    },
    findSession: async ({ store_id, hash }, now) =>
      unlessPast(t.dashboardSessions.get(store_id, hash), now),
    listSessions: async (store_id, now, of) =>
      selectSignIns(t.dashboardSessions.where(), { store_id, of }, now),
    async endSession({ store_id, hash, decide }, author) {
      const session = t.dashboardSessions.get(store_id, hash);
      if (!session) return false;

      if (decide) {
        const rows = t.dashboardSessions.where({ store_id });
        const people = rows.flatMap((each) => personOf(each) ?? []);
        const end = personOf(session) && decide(people);
        if (!end) return false;
        for (const { person, author: keeper } of end.kept) {
          t.dashboardSessions.put(rowOfPerson(person));
          written(t, { result: true, change: personChanged(people, person) }, keeper);
        }
        for (const link of t.links.where({ store_id }))
          if (isPersonId(link.made_in) && end.endsLink(link)) t.links.delete(link);
      }

      const ended = [session];
      // The list grows while the loop runs over it.
      for (const { session_hash } of ended) {
        const made = { store_id, made_in: session_hash };
        t.dashboardSessions.deleteIf((row) => row.session_hash === session_hash);
        for (const link of t.links.where(made)) t.links.delete(link);
        ended.push(...t.dashboardSessions.where(made));
      }
      return written(t, { result: true, change: sessionEnded(session) }, author);
    },
    async takeForm(form) {
      if (t.forms.get(form.store_id, form.form_id)) return { outcome: "repeated" };
      t.forms.put(form);
      return { outcome: "taken" };
    },
  };
}

export const requestLogStore = (t: Tables): RequestLogStore => ({
  async append(block) {
    const { store_id, livemode } = block;
    if (t.blocks.get(store_id, livemode, block.last_id)) return;

    const [newest] = t.blocks.where({ store_id, livemode }).sort(by("-number"));
    const number = newest ? newest.number + newest.places : 0;
    t.blocks.put({ ...block, number });
    const oldest = oldestKept(number + block.places);
    for (const old of t.blocks.where({ store_id, livemode }))
      if (old.number < oldest) t.blocks.delete(old);
  },
  async listBlocks({ store_id, livemode, before, now, ...page }) {
    const blocks = t.blocks.where({ store_id, livemode }).filter((row) => row.expires_at > now);
    const place = before === null ? null : { number: before };
    return pageOf(blocks, by("-number"), { ...page, after: place });
  },
  findBlocks: async ({ store_id, id, now }) =>
    t.blocks
      .where({ store_id })
      .filter((row) => row.first_id <= id && id <= row.last_id && row.expires_at > now)
      .slice(0, 100),
});

export const auditStore = (t: Tables): AuditStore => ({
  list: async (query) => selectAudit(t.audit.where(), query),
  note: async (change, author) => written(t, { result: undefined, change }, author),
  prune: async (before, limit) => t.audit.deleteIf((row) => row.created_at < before, limit),
});

/** The tables whose rows of the test mode are wiped. */
const wipedTables = (t: Tables) => [
  t.poolKeys,
  t.uses,
  t.idempotency,
  t.sessions,
  t.sessionDays,
  t.openHolds,
  t.orders,
  t.attempts,
  t.payments,
  t.references,
  t.refunds,
  t.disputes,
  t.subscriptions,
  t.notes,
  t.keptTotals,
  t.keptSales,
  t.messages,
  t.revocations,
  t.events,
  t.deliveries,
  t.cursors,
  t.stats,
  t.blocks,
];

export const privacyStore = (t: Tables): PrivacyStore => ({
  async eraseChunk(erasure) {
    const { store_id, customer_keys, now, author } = erasure;
    for (const livemode of modes)
      putRevocation(t, { store_id, livemode }, customer_keys, { not_before: now, erased: true });

    const rows = {
      orders: t.orders.where({ store_id }),
      attempts: t.attempts.where({ store_id }),
      refunds: t.refunds.where({ store_id }),
      disputes: t.disputes.where({ store_id }),
      notes: t.notes.where({ store_id }),
      sessions: t.sessions.where({ store_id }),
      subscriptions: t.subscriptions.where({ store_id }),
      keys: t.idempotency.where({ store_id }),
      events: t.events.where({ store_id }),
      logs: t.deliveryAttempts.where({ store_id }),
    };
    const erased = eraseRows(rows, erasure);
    erased.orders.forEach(t.orders.put);
    erased.attempts.forEach(t.attempts.put);
    erased.refunds.forEach(t.refunds.put);
    erased.disputes.forEach(t.disputes.put);
    erased.sessions.forEach(t.sessions.put);
    erased.subscriptions.forEach(t.subscriptions.put);
    erased.keys.forEach(t.idempotency.put);
    erased.events.forEach(t.events.put);
    erased.logs.forEach(t.deliveryAttempts.put);
    erased.notes.forEach(t.notes.delete);
    for (const use of erased.uses) t.uses.delete({ ...use, used: 0 });
    const { customer_id } = erasure;
    t.keptTotals.deleteIf(
      (row) => row.store_id === store_id && row.total.customer_id === customer_id,
    );
    const result = { found: erased.found, next: null };
    return written(t, { result, change: customerErased(erasure) }, author);
  },
  finishErasures: async () => ({ is_removed: true, left: null }),
  isErased: async (partition, customer_keys) =>
    findRevocation(t, partition, customer_keys)?.erased ?? false,

  async wipeTestChunk(store_id, _position, author) {
    const test: Partition = { store_id, livemode: false };
    for (const { endpoint_id, event_id } of t.deliveries.where(test))
      t.deliveryAttempts
        .where({ store_id, endpoint_id, event_id })
        .forEach(t.deliveryAttempts.delete);
    for (const table of wipedTables(t)) table.deleteIf((row: Partition) => isIn(test, row));

    const row = t.stores.get(store_id);
    if (row) t.stores.put({ ...row, store: withoutClock(row.store) });
    for (const live of t.stock.where({ store_id, livemode: true }))
      t.stock.put({ ...live, livemode: false, held: 0 });
    bumpCatalogVersion(t, store_id);
    return written(t, { result: null, change: testDataWiped(store_id) }, author);
  },
});

/** Deletes what has expired, and counts the sessions among it. */
export function purge(t: Tables, now: number, limit: number): number {
  const isPast = ({ expires_at }: { readonly expires_at: number }): boolean => expires_at <= now;
  const sessions = t.sessions
    .where({ status: "open" })
    .filter(({ expires_at }) => expires_at <= now - keptSessionMs)
    .filter(({ id }) => t.orders.where({ session_id: id }).length === 0)
    .slice(0, limit);
  for (const session of sessions) {
    t.sessions.delete(session);
    addStat(t, session, statOfSessions(startOfHour(session.created_at), 1));
  }
  return (
    sessions.length +
    t.idempotency.deleteIf(({ key }) => key.created_at <= now - keyLifetimeMs, limit) +
    t.sessionDays.deleteIf(({ day }) => day <= now - keptSessionDayMs, limit) +
    t.links.deleteIf(isPast, limit) +
    t.dashboardSessions.deleteIf(isPast, limit) +
    t.forms.deleteIf(isPast, limit) +
    t.blocks.deleteIf(isPast, limit)
  );
}
