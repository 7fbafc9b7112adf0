import {
  type AuditStore,
  type BackOfficeStore,
  blankEvent,
  blankOrder,
  blankReply,
  blankSession,
  blankSubscription,
  customerErased,
  customersOf,
  type DashboardStore,
  disputeStatus,
  findsOrder,
  type GaugesStore,
  heldCoupon,
  isEnding,
  isHitInWindow,
  isListedByTime,
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
  movedRows,
  type OrderRecord,
  oldestKept,
  orderOfEvent,
  type Partition,
  type PrivacyStore,
  placeOfLoss,
  placeOfSale,
  type RequestLogStore,
  type StatsStore,
  sessionEnded,
  startOfHour,
  statOfSessions,
  storedSessions,
  sumSubscriptions,
  testDataWiped,
  usesCoupon,
  withoutClock,
  withoutReason,
} from "vitrine/storage";
import { findRevocation, loadByOrder, putRevocation } from "./orders.ts";
import {
  addStat,
  bumpCatalogVersion,
  by,
  inMode,
  isCreatedIn,
  modes,
  pageOf,
  type Tables,
  written,
} from "./tables.ts";
import { workDueSince } from "./work.ts";

const newestFirst = by("-created_at", "-id");

export const listingStore = (t: Tables): ListingStore => ({
  async listAttempts({ state, order_id, after, limit, ...query }) {
    const found = t.attempts
      .where({ ...inMode(query), state, order_id })
      .filter(({ created_at }) => isCreatedIn(query, created_at));
    return pageOf(found, newestFirst, { after, limit }).map((attempt) => ({
      attempt,
      money: t.payments
        .where({ ...inMode(attempt), attempt_id: attempt.id })
        .sort(by("+created_at", "+id")),
    }));
  },
  async listSessions({ after, limit, store_id, livemode, ...filter }) {
    const { stored, expires_after, expired_by, ...range } = storedSessions(filter);
    const found = t.sessions
      .where({ store_id, livemode })
      .filter(
        ({ status, expires_at, created_at }) =>
          stored.includes(status) &&
          (expires_after === null || expires_at > expires_after) &&
          (expired_by === null || expires_at <= expired_by) &&
          isCreatedIn(range, created_at),
      );
    const place = after === undefined ? null : { id: after };
    return pageOf(found, by("-id"), { after: place, limit }).map((session) => ({
      session,
      order: t.orders.where({ store_id, livemode, session_id: session.id })[0] ?? null,
    }));
  },
  async listDisputes({ status, order_id, after, limit, lost, store_id, livemode }) {
    if (lost) {
      const last = lost.after;
      const place = { ...lost, after: last && ([last.at, last.order_id, last.id] as const) };
      const rows = movedRows(t.disputes.where({ store_id, livemode }), place, placeOfLoss);
      return rows.slice(0, limit).flatMap((dispute) => {
        const order = t.orders.get(store_id, livemode, dispute.order_id);
        return order ? [{ dispute, order }] : [];
      });
    }

    const found = t.disputes
      .where({ store_id, livemode, order_id })
      .filter((dispute) => status === undefined || disputeStatus(dispute) === status);
    return pageOf(found, by("-created_at", "-order_id", "-id"), { after, limit }).flatMap(
      (dispute) => {
        const order = t.orders.get(store_id, livemode, dispute.order_id);
        return order ? [{ dispute, order }] : [];
      },
    );
  },
  async listDue({ before, after, limit, ...partition }) {
    const due = t.subscriptions
      .where(partition)
      .filter((row) => !isEnding(row) && row.current_period_end < before);
    return pageOf(due, by("+current_period_end", "+id"), { after, limit });
  },
  async listEvents({ type, order_id, after, limit, ...query }) {
    const found = t.events
      .where({ ...inMode(query), type })
      .filter(
        ({ body, created_at }) =>
          isCreatedIn(query, created_at) &&
          (order_id === undefined || (body !== null && orderOfEvent(body) === order_id)),
      );
    return pageOf(found, by("-created_at", "-sequence"), { after, limit });
  },
  findEvent: async ({ store_id, livemode }, id) => t.events.get(store_id, livemode, id),
  async listCouponUses({ coupon_id, after, limit, ...partition }) {
    const orders = t.orders.where(partition).filter((order) => usesCoupon(order, coupon_id));
    const place = after === undefined ? null : { number: after };
    return pageOf(orders, by("-number"), { after: place, limit });
  },
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
  async searchOrders(query) {
    const { after, limit, status } = query;
    const { store_id, livemode, paid } = query;
    if (paid) {
      const last = paid.after;
      const place = { ...paid, after: last && ([last.at, last.number] as const) };
      const rows = movedRows(t.orders.where({ store_id, livemode }), place, placeOfSale);
      return { outcome: "listed", orders: rows.slice(0, limit + 1) };
    }

    const cursor = after === undefined ? null : t.orders.get(store_id, livemode, after);
    if (after !== undefined && !cursor) return { outcome: "unknown_cursor" };

    const found = t.orders
      .where({ store_id, livemode, status })
      .filter(
        ({ customer, created_at }) =>
          (query.customer_id === undefined || customer.id === query.customer_id) &&
          isCreatedIn(query, created_at),
      )
      .filter((order) => findsOrder(order, query, () => loadByOrder(t, order, order.id)));
    const order = isListedByTime(query) ? by("-created_at", "-number") : by("-number");
    const page = pageOf<Pick<OrderRecord, "created_at" | "number">, OrderRecord>(found, order, {
      after: cursor,
      limit: limit + 1,
    });
    return { outcome: "listed", orders: page };
  },
  async findHistory(partition, order_id) {
    const { order, attempts, payments, refunds, disputes } = loadByOrder(t, partition, order_id);
    const notes = notesOf(t, partition, order_id).slice(0, maxNotes);
    return order && { order, attempts, payments, refunds, disputes, notes };
  },
  listNotes: async (partition, order_id, { after, limit }) =>
    notesOf(t, partition, order_id)
      .filter(({ id }) => after === null || id < after)
      .slice(0, limit),
  async listCustomers(partition, query) {
    const all = customersOf(t.orders.where(inMode(partition)));
    if ("ids" in query) return all.filter(({ id }) => query.ids.includes(id));
    const place = query.after === null ? null : { id: query.after };
    return pageOf(all, by("+id"), { after: place, limit: query.limit });
  },
  indexOrders: async () => 0,
  indexProducts: async () => 0,
});

const notesOf = (t: Tables, partition: Partition, order_id: string) =>
  t.notes.where({ ...inMode(partition), order_id }).sort(by("-id"));

export const statsStore = (t: Tables): StatsStore => ({
  async listHours({ from, to, ...query }) {
    const sessions = t.sessions
      .where(inMode(query))
      .map(({ created_at }) => statOfSessions(startOfHour(created_at), 1));
    const counted = t.stats.where(inMode(query)).map(({ store_id, livemode, ...row }) => row);
    const rows = [...counted, ...sessions];
    return {
      rows: rows.filter(({ hour }) => hour >= from && hour < to),
      complete_from: { orders: null, sessions: null, deliveries: null },
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
      maintenance_due_since: workDueSince(t, now),
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
  const alive = <Row extends { readonly expires_at: number }>(row: Row | null, now: number) =>
    row && row.expires_at > now ? row : null;

  return {
    async createLink(link, author) {
      const { store_id, made_in, created_at } = link;
      if (!t.stores.get(store_id)) return { outcome: "unknown_store" };
      if (made_in !== null && !alive(t.dashboardSessions.get(store_id, made_in), created_at))
        return { outcome: "unknown_session" };

      t.links.put(link);
      const result = { outcome: "created" } as const;
      return written(t, { result, change: linkCreated(link) }, author);
    },
    findLink: async ({ store_id, hash }, now) => alive(t.links.get(store_id, hash), now),
    async listLinks({ store_id, after, limit }, now) {
      const links = t.links.where({ store_id }).filter((link) => alive(link, now));
      return pageOf(links, by("-created_at", "+link_hash"), { after, limit });
    },
    async endLink({ store_id, hash }, now, author) {
      const link = alive(t.links.get(store_id, hash), now);
      if (!link) return false;
      t.links.delete(link);
      return written(t, { result: true, change: linkEnded(link) }, author);
    },
    async spendLink({ store_id, hash }, { session_hash, expires_at }, now, author) {
      const link = alive(t.links.get(store_id, hash), now);
      if (!link) return { outcome: "unknown" };

      const { link_hash, ...pass } = link;
      const session = { ...pass, session_hash, created_at: now, expires_at };
      t.links.delete(link);
      t.dashboardSessions.put(session);
      const result = { outcome: "opened", session } as const;
      return written(t, { result, change: linkSpent(session) }, author);
    },
    findSession: async ({ store_id, hash }, now) =>
      alive(t.dashboardSessions.get(store_id, hash), now),
    async listSessions(store_id, now) {
      const sessions = t.dashboardSessions.where({ store_id }).filter((row) => alive(row, now));
      return pageOf(sessions, by("-created_at", "+session_hash"), { limit: 100 });
    },
    async endSession({ store_id, hash }, author) {
      const session = t.dashboardSessions.get(store_id, hash);
      if (!session) return false;

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
  async listBlocks({ store_id, livemode, before, limit, now }) {
    const blocks = t.blocks.where({ store_id, livemode }).filter((row) => row.expires_at > now);
    const place = before === null ? null : { number: before };
    return pageOf(blocks, by("-number"), { after: place, limit });
  },
  findBlocks: async ({ store_id, id, now }) =>
    t.blocks
      .where({ store_id })
      .filter((row) => row.first_id <= id && id <= row.last_id && row.expires_at > now)
      .slice(0, 100),
});

export const auditStore = (t: Tables): AuditStore => ({
  async list({ store_id, actor, action, subject, after, limit, ...range }) {
    const entries = t.audit
      .where({ store_id, actor, action } as Parameters<typeof t.audit.where>[0])
      .filter(
        (entry) =>
          isCreatedIn(range, entry.created_at) &&
          (subject === undefined ||
            (entry.subject.type === subject.type && entry.subject.id === subject.id)),
      );
    return pageOf(entries, newestFirst, { after, limit });
  },
  note: async (change, author) => written(t, { result: undefined, change }, author),
  prune: async (before, limit) => t.audit.deleteIf((row) => row.created_at < before, limit),
});

/** The tables whose rows belong to a mode, so that the test data can be wiped. */
const tablesOfModes = (t: Tables) => [
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
    const { store_id, customer_id, customer_keys, now, author } = erasure;
    for (const livemode of modes)
      putRevocation(t, { store_id, livemode }, customer_keys, { not_before: now, erased: true });

    const orders = t.orders
      .where({ store_id })
      .filter(({ customer }) => customer.id === customer_id);
    for (const order of orders) eraseOrder(t, order);
    const ordered = new Set(orders.flatMap(({ session_id }) => session_id ?? []));

    const sessions = t.sessions
      .where({ store_id })
      .filter((session) => session.customer_id === customer_id || ordered.has(session.id));
    for (const session of sessions) {
      deleteUse(t, session, heldCoupon(session));
      t.sessions.put(blankSession(session));
    }
    const session_ids = new Set([...ordered, ...sessions.map(({ id }) => id)]);

    const subscriptions = t.subscriptions
      .where({ store_id })
      .filter(({ customer }) => customer.id === customer_id);
    for (const row of subscriptions) t.subscriptions.put(blankSubscription(row, now));
    for (const row of t.idempotency.where({ store_id })) {
      const { key } = row;
      const reply = key.reply && { ...key.reply, body: blankReply(key.reply.body) };
      if (session_ids.has(key.session_id)) t.idempotency.put({ ...row, key: { ...key, reply } });
    }
    const events = eraseEvents(t, store_id, customer_id, session_ids);
    const found = session_ids.size + orders.length + subscriptions.length + events > 0;
    return written(t, { result: { found, next: null }, change: customerErased(erasure) }, author);
  },
  finishErasures: async () => ({ is_removed: true, left: null }),
  isErased: async (partition, customer_keys) =>
    findRevocation(t, partition, customer_keys)?.erased ?? false,

  async wipeTestChunk(store_id, _position, author) {
    for (const { endpoint_id, event_id } of t.deliveries.where({ store_id, livemode: false }))
      for (const log of t.deliveryAttempts.where({ store_id, endpoint_id, event_id }))
        t.deliveryAttempts.delete(log);
    for (const table of tablesOfModes(t))
      table.deleteIf((row: Partition) => row.store_id === store_id && !row.livemode);

    const row = t.stores.get(store_id);
    if (row) t.stores.put({ ...row, store: withoutClock(row.store) });
    for (const live of t.stock.where({ store_id, livemode: true }))
      t.stock.put({ ...live, livemode: false, held: 0 });
    bumpCatalogVersion(t, store_id);
    return written(t, { result: null, change: testDataWiped(store_id) }, author);
  },
});

function eraseOrder(t: Tables, order: OrderRecord): void {
  const ofOrder = { ...inMode(order), order_id: order.id };
  deleteUse(t, order, order);
  t.orders.put(blankOrder(order));
  for (const refund of t.refunds.where(ofOrder)) t.refunds.put(withoutReason(refund));
  for (const dispute of t.disputes.where(ofOrder)) t.disputes.put(withoutReason(dispute));
  for (const note of t.notes.where(ofOrder)) t.notes.delete(note);
}

function deleteUse(
  t: Tables,
  partition: Partition,
  { coupon_id, coupon_key }: { coupon_id: string | null; coupon_key: string | null },
): void {
  if (coupon_id !== null && coupon_key !== null)
    t.uses.delete({ ...inMode(partition), coupon_id, customer_key: coupon_key, used: 0 });
}

/** Blanks the events that name the customer, and what endpoints answered to them. */
function eraseEvents(
  t: Tables,
  store_id: string,
  customer_id: string,
  session_ids: ReadonlySet<string>,
): number {
  let erased = 0;
  for (const event of t.events.where({ store_id })) {
    const body = event.body === null ? null : blankEvent(event.body, customer_id, session_ids);
    if (body === null) continue;

    t.events.put({ ...event, body });
    for (const log of t.deliveryAttempts.where({ store_id, event_id: event.id }))
      t.deliveryAttempts.put({ ...log, snippet: null });
    erased += 1;
  }
  return erased;
}

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
