import {
  type AlertRecord,
  type Cart,
  type CheckoutStore,
  type CouponRecord,
  changesAvailability,
  couponCustomerKey,
  currentAttempt,
  type Decision,
  emptySnapshot,
  firstDelivery,
  hasPieces,
  isOffered,
  isTokenRevoked,
  type KeyScope,
  keyState,
  keysWanted,
  mergeRevocations,
  movedRows,
  type OrderChanges,
  type OrderList,
  type OrderQuery,
  type OrderRecord,
  type OrderRecords,
  type OrderSnapshot,
  type OrderStore,
  onHandOf,
  orderAfterEnd,
  type Partition,
  placeOfRefund,
  type Revocation,
  referencesOf,
  renderEvent,
  type SessionRecord,
  type SessionSubject,
  type StepSubject,
  type StockChange,
  startOfDay,
  statsOf,
  tokensOfCustomer,
  trialCoupon,
  wantsEvent,
  withReservationSettled,
} from "vitrine/storage";
import {
  addAlert,
  addStat,
  bumpCatalogVersion,
  by,
  inMode,
  keyOfScope,
  offsetIn,
  pageOf,
  type Table,
  type Tables,
  written,
} from "./tables.ts";
import { claimWork } from "./work.ts";

const findKey = (t: Tables, scope: KeyScope) =>
  t.idempotency.get(...keyOfScope(scope))?.key ?? null;

const orderOfSession = (t: Tables, partition: Partition, session_id: string): OrderRecord | null =>
  t.orders.where({ ...inMode(partition), session_id })[0] ?? null;

const usesOf = (t: Tables, partition: Partition, coupon_id: string, customer_key = ""): number =>
  t.uses.get(partition.store_id, partition.livemode, coupon_id, customer_key)?.used ?? 0;

export function findRevocation(
  t: Tables,
  { store_id, livemode }: Partition,
  customer_keys: readonly string[],
): Revocation | null {
  return mergeRevocations(
    customer_keys.flatMap((key) => t.revocations.get(store_id, livemode, key) ?? []),
  );
}

/** Stores the revocation under the first key, with what stood under the others. */
export function putRevocation(
  t: Tables,
  partition: Partition,
  customer_keys: readonly string[],
  revocation: Revocation,
): void {
  const known = findRevocation(t, partition, customer_keys);
  const rows = t.revocations.where(inMode(partition));
  for (const row of rows) if (customer_keys.includes(row.id)) t.revocations.delete(row);

  const merged = mergeRevocations(known ? [known, revocation] : [revocation]) ?? revocation;
  t.revocations.put({ ...inMode(partition), ...merged, id: customer_keys[0] ?? "" });
}

export function checkoutStore(t: Tables): CheckoutStore {
  const sessionOf = (scope: KeyScope, session_id: string | undefined): SessionRecord | null =>
    session_id === undefined ? null : t.sessions.get(scope.store_id, scope.livemode, session_id);

  function cart(partition: Partition, product_ids: readonly string[], code: string | null): Cart {
    const { store_id, livemode } = partition;
    const coupon = code === null ? undefined : t.coupons.where({ store_id, code })[0];
    return {
      products: product_ids.flatMap((id) => {
        const product = t.products.get(store_id, id);
        const on_hand = onHandOf(t.stock.get(store_id, livemode, id) ?? undefined);
        return product ? [{ ...product, on_hand }] : [];
      }),
      coupon: coupon ? { ...coupon, used: usesOf(t, partition, coupon.id) } : null,
    };
  }

  /** Counts one more session on its day, unless the store has as many as it may. */
  function countSession(session: SessionRecord, max_per_day: number | null | undefined): boolean {
    if (max_per_day == null) return true;

    const day = startOfDay(session.created_at);
    const { store_id, livemode } = session;
    const sessions = t.sessionDays.get(store_id, livemode, String(day))?.sessions ?? 0;
    if (sessions >= max_per_day) return false;

    t.sessionDays.put({ store_id, livemode, id: String(day), day, sessions: sessions + 1 });
    return true;
  }

  return {
    async openCheckout(lookup) {
      const { product_ids, coupon_code, customer_keys, fingerprint, now } = lookup;
      const known = findKey(t, lookup);
      const revocation = findRevocation(t, lookup, customer_keys);
      return {
        key: keyState(known, sessionOf(lookup, known?.session_id), fingerprint, now),
        cart: cart(lookup, product_ids, coupon_code),
        not_before: revocation?.not_before ?? null,
        customer_erased: revocation?.erased ?? false,
      };
    },
    loadCart: async (partition, product_ids, code) => cart(partition, product_ids, code),
    async step({ scope, max_per_day }, decide) {
      const known = findKey(t, scope);
      const found = { key: known, session: sessionOf(scope, known?.session_id) };
      const { result, key, session, is_new_session } = decide(found);
      if (is_new_session && session && !countSession(session, max_per_day))
        return { outcome: "too_many_sessions" };

      if (key) t.idempotency.put({ ...scope, key });
      if (session) t.sessions.put(session);
      return result;
    },
    async findSession(partition, id) {
      const session = t.sessions.get(partition.store_id, partition.livemode, id);
      return session && { session, order: orderOfSession(t, partition, id) };
    },
  };
}

type Reads = Pick<
  SessionSubject,
  "buyer" | "new_customer_id" | "reference" | "address" | "goods_of"
>;

/** Loads a session and its order, with all that a step may ask about them. */
function load(
  t: Tables,
  partition: Partition,
  session: SessionRecord | null,
  order: OrderRecord | null,
  reads: Reads = {},
): OrderSnapshot {
  const { store_id, livemode } = partition;
  const ofOrder = { store_id, livemode, order_id: order?.id ?? "" };
  const { buyer = null, new_customer_id = "", address } = reads;
  const goods = session && (reads.goods_of ?? session);
  const ids = [...(session?.lines ?? []), ...(goods?.lines ?? [])].map((line) => line.product_id);
  const counts = ids.flatMap((id) => t.stock.get(store_id, livemode, id) ?? []);
  const trial = goods && trialCoupon(goods);
  const coupon = trial ?? (goods?.coupon_id ? t.coupons.get(store_id, goods.coupon_id) : null);
  const customer_key = goods && couponCustomerKey(goods, order, buyer, new_customer_id);
  const offered = session?.lines.map((line) => t.products.get(store_id, line.product_id)) ?? [];
  return {
    ...emptySnapshot,
    session,
    order,
    attempts: t.attempts.where(ofOrder),
    payments: t.payments.where(ofOrder),
    elsewhere: attemptsElsewhere(t, partition, order, reads.reference ?? null),
    refunds: t.refunds.where(ofOrder),
    disputes: t.disputes.where(ofOrder),
    stock: new Map(counts.map(({ id, stock, held, counted }) => [id, { stock, held, counted }])),
    coupon: coupon && customer_key !== null ? couponFor(t, partition, coupon, customer_key) : null,
    offered: session && new Set(offered.flatMap((it) => (it && isOffered(it) ? it.id : []))),
    open_holds: t.openHolds.get(store_id, livemode, address ?? "")?.open ?? 0,
  };
}

const couponFor = (t: Tables, of: Partition, coupon: CouponRecord, customer_key: string) => ({
  ...coupon,
  used: usesOf(t, of, coupon.id),
  customer_key,
  used_by_customer: usesOf(t, of, coupon.id, customer_key),
});

function attemptsElsewhere(
  t: Tables,
  { store_id, livemode }: Partition,
  order: OrderRecord | null,
  reference: string | null,
) {
  if (reference === null) return [];
  return t.references
    .where({ store_id, livemode, id: reference })
    .flatMap(({ attempt_id }) => t.attempts.get(store_id, livemode, attempt_id) ?? [])
    .filter(({ order_id }) => order_id !== order?.id);
}

export function loadByOrder(t: Tables, partition: Partition, order_id: string): OrderSnapshot {
  const { store_id, livemode } = partition;
  const order = t.orders.get(store_id, livemode, order_id);
  return order
    ? load(t, partition, t.sessions.get(store_id, livemode, order.session_id), order)
    : emptySnapshot;
}

function loadBySession(t: Tables, subject: Partition & Reads & { session_id: string | null }) {
  const { store_id, livemode, session_id } = subject;
  const session = session_id === null ? null : t.sessions.get(store_id, livemode, session_id);
  const order = session && orderOfSession(t, subject, session.id);
  const renewed = session?.renews?.subscription_id ?? "";
  const subscription = t.subscriptions.get(store_id, livemode, renewed);
  return { ...load(t, subject, session, order, subject), subscription };
}

/** Gives the uploaded keys that a step may take, by product. */
const findPoolKeys = (
  t: Tables,
  { store_id, livemode }: Partition,
  wanted: ReadonlyMap<string, number>,
): OrderSnapshot["pools"] =>
  new Map(
    [...wanted].map(([product_id, count]) => [
      product_id,
      t.poolKeys.where({ store_id, livemode, product_id, entitlement_id: null }).slice(0, count),
    ]),
  );

function loadSubject(t: Tables, subject: StepSubject): OrderSnapshot {
  if (subject.on === "session") return loadBySession(t, subject);
  if (subject.on === "order") return loadByOrder(t, subject, subject.order_id);

  const { subscription_id, period_start, reference } = subject;
  const subscription = t.subscriptions.get(subject.store_id, subject.livemode, subscription_id);
  if (period_start === null) return { ...emptySnapshot, subscription };

  const [ofPeriod] = t.orders.where({ ...inMode(subject), subscription_id, period_start });
  const order_id = ofPeriod?.id ?? orderAfterEnd(subscription);
  const loaded = order_id === null ? emptySnapshot : loadByOrder(t, subject, order_id);
  const elsewhere = attemptsElsewhere(t, subject, loaded.order, reference);
  return { ...loaded, elsewhere, subscription };
}

/** Writes what a step of an order decided. A new order gets its number here. */
function carryOut<Result>(
  t: Tables,
  subject: StepSubject,
  before: OrderSnapshot,
  { result, changes }: Decision<Result>,
): Result {
  if (changes === null) return result;

  const partition = inMode(subject);
  const { store_id, livemode } = partition;
  takeGoods(t, partition, changes);

  const isNew = changes.order?.number === 0;
  const last = t.counters.get(store_id, livemode) ?? { order_number: 0, sequence: 0 };
  const order_number = last.order_number + (isNew ? 1 : 0);
  t.counters.put({ ...partition, order_number, sequence: last.sequence + changes.events.length });
  const order = changes.order && isNew ? { ...changes.order, number: order_number } : changes.order;

  putRows(t, { ...changes, order });
  for (const { type, subject: about } of changes.withdrawn)
    for (const alert of t.alerts.where({ ...partition, type, subject: about })) {
      t.alerts.delete(alert);
      t.notices.delete({ alert, due_at: 0 });
    }
  for (const alert of changes.alerts) raiseAlert(t, alert, before.offset);
  for (const [index, draft] of changes.events.entries()) {
    const sequence = last.sequence + 1 + index;
    const numbers = { order_number: order?.number ?? 0, offset: before.offset, sequence };
    const event = renderEvent(partition, draft, numbers);
    t.events.put(event);
    const { id: event_id, type: event_type, created_at } = event;
    for (const endpoint of t.endpoints.where(partition))
      if (wantsEvent(endpoint, event_type))
        t.deliveries.put(firstDelivery(endpoint, { event_id, event_type, created_at }));
  }

  for (const change of statsOf(before, changes)) addStat(t, partition, change);
  const change = { kind: "order_step", partition, before, changes, order } as const;
  return written(t, { result: order ? { ...result, order } : result, change }, subject.author);
}

function takeGoods(
  t: Tables,
  partition: Partition,
  { stock, coupons, taken_keys, open_hold }: OrderChanges,
) {
  const { store_id, livemode } = partition;
  for (const change of stock) adjustStock(t, partition, change);

  for (const { coupon_id, used_delta, customer_key, guarded } of coupons) {
    const most = t.coupons.get(store_id, coupon_id)?.max_uses ?? null;
    if (guarded && most !== null && usesOf(t, partition, coupon_id) >= most)
      throw new Error("A coupon guard failed after its check.");
    for (const key of ["", customer_key]) {
      const used = Math.max(0, usesOf(t, partition, coupon_id, key) + used_delta);
      const row = { ...partition, coupon_id, customer_key: key, used };
      if (used > 0) t.uses.put(row);
      // The key may be an e-mail address, so nothing is left of the last use.
      else t.uses.delete(row);
    }
  }

  for (const { product_id, key_hash, entitlement_id } of taken_keys) {
    const key = t.poolKeys.get(store_id, livemode, product_id, key_hash);
    if (key?.entitlement_id !== null) throw new Error("A key guard failed after its check.");
    t.poolKeys.put({ ...key, sealed_key: "", entitlement_id });
  }

  if (!open_hold) return;
  const { address: id, delta } = open_hold;
  const open = (t.openHolds.get(store_id, livemode, id)?.open ?? 0) + delta;
  if (open > 0) t.openHolds.put({ ...partition, id, open });
  else t.openHolds.delete({ ...partition, id, open });
}

/** Changes the stock of one product. The catalog moves when that makes it sold out or not. */
function adjustStock(t: Tables, { store_id, livemode }: Partition, change: StockChange): void {
  const before = t.stock.get(store_id, livemode, change.product_id);
  if (change.guarded && !hasPieces(before ?? undefined, change))
    throw new Error("A stock guard failed after its check.");
  if (!before) return;

  const held = Math.max(0, before.held + change.held_delta);
  const after = { ...before, stock: before.stock + change.stock_delta, held };
  t.stock.put(after);
  const isKnown = t.products.get(store_id, change.product_id) !== null;
  if (isKnown && changesAvailability(before, after)) bumpCatalogVersion(t, store_id);
}

function putRows(t: Tables, changes: OrderChanges): void {
  const { session, order, subscription } = changes;
  if (session) t.sessions.put(session);
  if (order) t.orders.put(order);
  if (subscription) t.subscriptions.put(subscription);
  for (const attempt of changes.attempts) {
    t.attempts.put(attempt);
    for (const id of referencesOf(attempt))
      t.references.put({ ...inMode(attempt), id, attempt_id: attempt.id });
  }
  for (const payment of changes.payments) {
    t.payments.put(payment);
    const { payment_reference: id, attempt_id } = payment;
    t.references.put({ ...inMode(payment), id, attempt_id });
  }
  for (const refund of changes.refunds) t.refunds.put(refund);
  for (const dispute of changes.disputes) t.disputes.put(dispute);
}

/** Stores an alert, with a notice that is due until the host's callback has taken it. */
function raiseAlert(t: Tables, alert: AlertRecord, offset: number): void {
  if (addAlert(t, alert, 0)) t.notices.put({ alert, due_at: alert.created_at - offset });
}

export function orderStore(t: Tables): OrderStore {
  const records: { readonly [Kind in keyof OrderRecords]: Table<OrderRecords[Kind]> } = {
    order: t.orders,
    attempt: t.attempts,
    payment: t.payments,
    refund: t.refunds,
    subscription: t.subscriptions,
  };

  function listOrders(query: OrderQuery, customer_id?: string): OrderList {
    const { store_id, livemode, after, status, session_id, limit } = query;
    const isVisible = ({ customer }: OrderRecord): boolean =>
      customer_id === undefined || customer.id === customer_id;
    const cursor = after === undefined ? null : t.orders.get(store_id, livemode, after);
    if (after !== undefined && !(cursor && isVisible(cursor))) return { outcome: "unknown_cursor" };

    const orders = t.orders.where({ store_id, livemode, status, session_id }).filter(isVisible);
    const page = pageOf(orders, by("-number"), { after: cursor, limit: limit + 1 });
    return { outcome: "listed", orders: page };
  }

  return {
    async step(subject, decide) {
      const { message } = subject;
      const seen = { ...inMode(subject), id: `${message?.gateway}\n${message?.notification_id}` };
      const loaded = loadSubject(t, subject);
      const found = {
        ...loaded,
        pools: findPoolKeys(t, subject, keysWanted(subject, loaded)),
        message_seen: message ? t.messages.where(seen).length > 0 : false,
        offset: offsetIn(t, subject),
        key: subject.on === "session" && subject.key ? findKey(t, subject.key) : null,
      };
      const decision = decide(found);
      if (decision.key) t.idempotency.put({ ...decision.key.scope, key: decision.key.key });
      if (decision.message) t.messages.put(seen);
      return carryOut(t, subject, found, decision);
    },

    find: async (kind, { store_id, livemode }, id) => records[kind].get(store_id, livemode, id),
    listOrders: async (query) => listOrders(query),
    async listCustomerOrders(query) {
      const { customer_id, customer_keys, token_issued_at } = query;
      const revocation = findRevocation(t, query, customer_keys);
      if (isTokenRevoked(token_issued_at, revocation?.not_before ?? null))
        return { outcome: "token_revoked" };
      return listOrders(query, customer_id);
    },
    async findCheckout(partition, session_id) {
      const subject = { ...inMode(partition), session_id };
      const { session, order, attempts } = loadBySession(t, subject);
      return session && { session, order, attempt: currentAttempt(attempts) };
    },
    async revokeCustomerTokens(revocation) {
      const { customer_keys, not_before, customer_id, author } = revocation;
      putRevocation(t, revocation, customer_keys, { not_before, erased: false });
      const change = tokensOfCustomer(revocation, customer_id);
      written(t, { result: undefined, change }, author);
    },
    async listRefunds({ after, limit, succeeded, ...wanted }) {
      if (succeeded) {
        const last = succeeded.after;
        const place = { ...succeeded, after: last && ([last.at, last.id] as const) };
        return movedRows(t.refunds.where(wanted), place, placeOfRefund).slice(0, limit + 1);
      }
      const place = after === undefined ? null : { id: after };
      return pageOf(t.refunds.where(wanted), by("-id"), { after: place, limit: limit + 1 });
    },
    listPayments: async (partition, order_id) =>
      t.payments.where({ ...inMode(partition), order_id }),
    async listSubscriptions({ customer_id, after, limit, ...wanted }) {
      const found = t.subscriptions
        .where(wanted)
        .filter(({ customer }) => customer_id === undefined || customer.id === customer_id);
      const place = after === undefined ? null : { id: after };
      return pageOf(found, by("-id"), { after: place, limit: limit + 1 });
    },

    async findAttempts({ gateway, livemode, account, references, payment_id }) {
      const named = t.references
        .where({ livemode })
        .filter(({ id }) => references.includes(id))
        .map((row) => t.attempts.get(row.store_id, row.livemode, row.attempt_id))
        .filter((attempt) => attempt?.gateway === gateway && attempt.account === account);
      const all = [...named, ...t.attempts.where({ id: payment_id ?? "" })];
      const found = new Set(all.filter((attempt) => attempt !== null));
      return [...found].sort(by("-created_at", "-id"));
    },
    claimWork: async (kind, claim) => claimWork(t, kind, claim),
    async settleReservation({ store_id, livemode }, order_id) {
      const order = t.orders.get(store_id, livemode, order_id);
      const settled = order && withReservationSettled(order);
      if (settled) t.orders.put(settled);
    },
    raiseOrderAlert: async (alert) => raiseAlert(t, alert, 0),
  };
}
