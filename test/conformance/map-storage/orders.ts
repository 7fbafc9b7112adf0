import {
  by,
  type Cart,
  type CheckoutStore,
  claimRows,
  currentAttempt,
  type IdempotencyKey,
  isIn,
  isTokenRevoked,
  type KeyScope,
  keepSales,
  keyState,
  mergeRevocations,
  type NamedRecords,
  notesOf,
  type OrderRecord,
  type OrderStore,
  onHandOf,
  type Partition,
  type Revocation,
  readSession,
  type SessionRecord,
  type StepRecords,
  type StepRows,
  selectOrders,
  selectRefunds,
  selectSubscriptions,
  startOfDay,
  sumTotals,
  takeStep,
  tokensOfCustomer,
  withReservationSettled,
} from "vitrine/storage";
import {
  addStat,
  bumpCatalogVersion,
  inMode,
  keyOfScope,
  offsetIn,
  raiseAlert,
  type Table,
  type Tables,
  written,
} from "./tables.ts";
import { workRows } from "./work.ts";

const findKey = (t: Tables, scope: KeyScope): IdempotencyKey | null =>
  t.idempotency.get(...keyOfScope(scope))?.key ?? null;

export const orderOfSession = (
  t: Tables,
  { store_id, livemode }: Partition,
  session_id: string,
): OrderRecord | null => t.orders.where({ store_id, livemode, session_id })[0] ?? null;

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

type OrderTables = { readonly [Kind in keyof StepRecords]: Table<StepRecords[Kind]> };

const tablesOf = (t: Tables): OrderTables => ({
  session: t.sessions,
  order: t.orders,
  attempt: t.attempts,
  payment: t.payments,
  refund: t.refunds,
  dispute: t.disputes,
  subscription: t.subscriptions,
});

/** Gives what steps read and write of a store in one mode. */
export function stepRows(t: Tables, partition: Partition): StepRows {
  const { store_id, livemode } = partition;
  const named: {
    readonly [Kind in keyof NamedRecords]: (id: string) => NamedRecords[Kind] | null;
  } = {
    session: (id) => t.sessions.get(store_id, livemode, id),
    order: (id) => t.orders.get(store_id, livemode, id),
    subscription: (id) => t.subscriptions.get(store_id, livemode, id),
    product: (id) => t.products.get(store_id, id),
    coupon: (id) => t.coupons.get(store_id, id),
  };
  const tables = tablesOf(t);
  const numbers = t.counters.get(store_id, livemode) ?? { order_number: 0, sequence: 0 };

  return {
    partition,
    offset: offsetIn(t, partition),
    find: (kind, id) => named[kind](id),
    orderOfSession: (session_id) => orderOfSession(t, partition, session_id),
    orderOfPeriod: (subscription_id, period_start) =>
      t.orders.where({ store_id, livemode, subscription_id, period_start })[0] ?? null,
    ofOrder: (kind, order_id) =>
      tables[kind].where().filter((row) => isIn(partition, row) && row.order_id === order_id),
    carriersOf: (reference) =>
      t.references
        .where({ store_id, livemode, id: reference })
        .flatMap(({ attempt_id }) => t.attempts.get(store_id, livemode, attempt_id) ?? []),
    stockOf: (id) => t.stock.get(store_id, livemode, id),
    usesOf: (coupon_id, customer_key) => usesOf(t, partition, coupon_id, customer_key),
    openHolds: (address) => t.openHolds.get(store_id, livemode, address)?.open ?? 0,
    freeKeys: (product_id, count) =>
      t.poolKeys.where({ store_id, livemode, product_id, entitlement_id: null }).slice(0, count),
    findKey: (scope) => findKey(t, scope),
    notesOf: (order_id) => notesOf(t.notes.where(), partition, order_id),
    isSeen: (message) => t.messages.get(store_id, livemode, messageId(message)) !== null,

    put: (kind, row) => tables[kind].put(row),
    putReference: (id, attempt_id) => t.references.put({ store_id, livemode, id, attempt_id }),
    putStock: (id, count) => t.stock.put({ store_id, livemode, id, ...count }),
    showAnew: () => bumpCatalogVersion(t, store_id),
    putUses(coupon_id, customer_key, used) {
      const row = { store_id, livemode, coupon_id, customer_key, used };
      if (used > 0) t.uses.put(row);
      else t.uses.delete(row);
    },
    putOpenHolds(id, open) {
      const row = { store_id, livemode, id, open };
      if (open > 0) t.openHolds.put(row);
      else t.openHolds.delete(row);
    },
    takeKey({ product_id, key_hash, entitlement_id }) {
      const key = t.poolKeys.get(store_id, livemode, product_id, key_hash);
      if (key?.entitlement_id !== null) throw new Error("A key guard failed after its check.");
      t.poolKeys.put({ ...key, sealed_key: "", entitlement_id });
    },
    putKey: ({ scope, key }) => t.idempotency.put({ ...scope, key }),
    noteSeen: (message) => t.messages.put({ store_id, livemode, id: messageId(message) }),
    lastNumbers: () => numbers,
    putNumbers: (given) => t.counters.put({ store_id, livemode, ...given }),
    withdrawAlert({ type, subject }) {
      for (const alert of t.alerts.where({ store_id, livemode, type, subject })) {
        t.alerts.delete(alert);
        t.notices.delete({ alert, due_at: 0 });
      }
    },
    raiseAlert: (alert, due_at) => raiseAlert(t, alert, due_at),
    endpoints: () => t.endpoints.where({ store_id, livemode }),
    putEvent: (event) => t.events.put(event),
    putDelivery: (delivery) => t.deliveries.put(delivery),
    addStat: (change) => addStat(t, partition, change),
    remove({ order, session, attempts, payments, refunds, disputes, notes }) {
      const keptOf = (hour: number) => t.keptSales.get(store_id, livemode, hour);
      const kept = keepSales(order, t.orders.where(), keptOf);
      if (kept) t.keptSales.put(kept);
      t.orders.delete(order);
      if (session) t.sessions.delete(session);
      for (const { id } of attempts) t.references.deleteIf(({ attempt_id }) => attempt_id === id);
      attempts.forEach(t.attempts.delete);
      payments.forEach(t.payments.delete);
      refunds.forEach(t.refunds.delete);
      disputes.forEach(t.disputes.delete);
      notes.forEach(t.notes.delete);
    },
    keepTotal(total) {
      const id = `${total.customer_id}\n${total.currency}`;
      const known = t.keptTotals.get(store_id, livemode, id)?.total;
      for (const sum of sumTotals(known ? [known, total] : [total]))
        t.keptTotals.put({ store_id, livemode, id, total: sum });
    },
  };
}

const messageId = (message: { readonly gateway: string; readonly notification_id: string }) =>
  `${message.gateway}\n${message.notification_id}`;

export const orderStore = (t: Tables): OrderStore => ({
  step: async (subject, decide) =>
    written(t, takeStep(stepRows(t, inMode(subject)), subject, decide), subject.author),

  find: async (kind, { store_id, livemode }, id) => tablesOf(t)[kind].get(store_id, livemode, id),
  listOrders: async (query) => selectOrders(t.orders.where(), query),
  async listCustomerOrders(query) {
    const revocation = findRevocation(t, query, query.customer_keys);
    return isTokenRevoked(query.token_issued_at, revocation?.not_before ?? null)
      ? { outcome: "token_revoked" }
      : selectOrders(t.orders.where(), query);
  },
  async findCheckout(partition, session_id) {
    const { session, order, attempts } = readSession(stepRows(t, partition), { session_id });
    return session && { session, order, attempt: currentAttempt(attempts) };
  },
  async revokeCustomerTokens(revocation) {
    const { customer_keys, not_before, customer_id, author } = revocation;
    putRevocation(t, revocation, customer_keys, { not_before, erased: false });
    const change = tokensOfCustomer(revocation, customer_id);
    written(t, { result: undefined, change }, author);
  },
  listRefunds: async (query) => selectRefunds(t.refunds.where(), query),
  listPayments: async (partition, order_id) => t.payments.where({ ...inMode(partition), order_id }),
  listSubscriptions: async (query) => selectSubscriptions(t.subscriptions.where(), query),

  async findAttempts({ gateway, livemode, account, references, payment_id }) {
    const carriers = t.references
      .where({ livemode })
      .filter(({ id }) => references.includes(id))
      .map((row) => t.attempts.get(row.store_id, row.livemode, row.attempt_id))
      .filter((attempt) => attempt?.gateway === gateway && attempt.account === account);
    const all = [...carriers, ...t.attempts.where({ id: payment_id ?? "" })];
    const found = new Set(all.filter((attempt) => attempt !== null));
    return [...found].sort(by("-created_at", "-id"));
  },
  claimWork: async (kind, claim) => claimRows(workRows(t), kind, claim),
  async settleReservation({ store_id, livemode }, order_id) {
    const order = t.orders.get(store_id, livemode, order_id);
    const settled = order && withReservationSettled(order);
    if (settled) t.orders.put(settled);
  },
  raiseOrderAlert: async (alert) => raiseAlert(t, alert, alert.created_at),
});
