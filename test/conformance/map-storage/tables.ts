import {
  type AlertRecord,
  type AttemptLog,
  type AttemptRecord,
  type AuditAuthor,
  type AuditRecord,
  addUp,
  type CategoryRecord,
  type CouponRecord,
  type CustomerTotal,
  type DashboardFormRecord,
  type DashboardLinkRecord,
  type DashboardSessionRecord,
  type DisputeRecord,
  type EndpointHealth,
  type EndpointRecord,
  type EventRecord,
  type IdempotencyKey,
  judgeAlert,
  type KeyScope,
  type NoteRecord,
  type NumberedBlock,
  type OrderRecord,
  offsetOf,
  type Partition,
  type PaymentMethodRecord,
  type PaymentRecord,
  type PoolKey,
  type ProductRecord,
  type RefundRecord,
  type RemovedSales,
  type Revocation,
  type SessionRecord,
  type StatChange,
  type StockCount,
  type StoredAlert,
  type StoredDelivery,
  type StoredKey,
  type StoreRecord,
  type SubscriptionRecord,
  type Written,
} from "vitrine/storage";

type KeyPart = string | number | boolean | null;

/** The rows of one kind, each found by its key. A row is replaced whole, never changed. */
export class Table<Row extends object> {
  readonly #rows = new Map<string, Row>();
  readonly #keyOf: (row: Row) => readonly KeyPart[];

  constructor(keyOf: (row: Row) => readonly KeyPart[]) {
    this.#keyOf = keyOf;
  }

  get = (...key: readonly KeyPart[]): Row | null => this.#rows.get(key.join("\n")) ?? null;

  put = (row: Row): void => void this.#rows.set(this.#keyOf(row).join("\n"), row);

  delete = (row: Row): void => void this.#rows.delete(this.#keyOf(row).join("\n"));

  /** Gives the rows whose fields have these values. An undefined one matches every row. */
  where(wanted: Partial<Row> = {}): Row[] {
    const fields = Object.entries(wanted).filter(([, value]) => value !== undefined);
    return [...this.#rows.values()].filter((row) =>
      fields.every(([field, value]) => row[field as keyof Row] === value),
    );
  }

  /** Deletes at most `limit` rows that the test chooses, and gives how many. */
  deleteIf(test: (row: Row) => boolean, limit = Number.POSITIVE_INFINITY): number {
    const chosen = this.where().filter(test).slice(0, limit);
    for (const row of chosen) this.delete(row);
    return chosen.length;
  }
}

const ofStore = ({ store_id, id }: { store_id: string; id: string }) => [store_id, id];
const ofMode = ({ store_id, livemode, id }: Partition & { id: string }) => [store_id, livemode, id];
const ofOrder = (row: Partition & { order_id: string; id: string }) => [
  ...ofMode({ ...row, id: row.order_id }),
  row.id,
];

interface DeliveryKey {
  readonly store_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
}
const ofDelivery = (row: DeliveryKey) => [row.store_id, row.endpoint_id, row.event_id];

export const createTables = () => ({
  stores: new Table<StoreRow>(({ store }) => [store.id]),
  keys: new Table<StoredKey>(({ key_hash }) => [key_hash]),
  alerts: new Table<StoredAlert>(ofMode),
  notices: new Table<{ alert: AlertRecord; due_at: number }>(({ alert }) => ofMode(alert)),

  categories: new Table<CategoryRecord>(ofStore),
  methods: new Table<PaymentMethodRecord>(ofStore),
  coupons: new Table<CouponRecord>(ofStore),
  products: new Table<ProductRecord>(ofStore),
  stock: new Table<Partition & StockCount & { id: string }>(ofMode),
  /** Uploaded license keys, by product and hash. One is given once an entitlement has it. */
  poolKeys: new Table<Partition & PoolKey & { product_id: string; entitlement_id: string | null }>(
    (row) => [row.store_id, row.livemode, row.product_id, row.key_hash],
  ),
  /** Uses of coupons: of each customer, and of all under an empty key. */
  uses: new Table<Partition & { coupon_id: string; customer_key: string; used: number }>(
    ({ coupon_id, customer_key, ...row }) => [...ofMode({ ...row, id: coupon_id }), customer_key],
  ),

  idempotency: new Table<KeyScope & { key: IdempotencyKey }>((row) => keyOfScope(row)),
  sessions: new Table<SessionRecord>(ofMode),
  sessionDays: new Table<Partition & { id: string; day: number; sessions: number }>(ofMode),
  openHolds: new Table<Partition & { id: string; open: number }>(ofMode),

  orders: new Table<OrderRecord>(ofMode),
  attempts: new Table<AttemptRecord>(ofMode),
  payments: new Table<PaymentRecord>(ofMode),
  /** The attempts that carry, or once carried, a provider's reference. */
  references: new Table<Partition & { attempt_id: string; id: string }>((row) => [
    ...ofMode(row),
    row.attempt_id,
  ]),
  refunds: new Table<RefundRecord>(ofMode),
  disputes: new Table<DisputeRecord>(ofOrder),
  subscriptions: new Table<SubscriptionRecord>(ofMode),
  notes: new Table<NoteRecord>(ofOrder),
  /** What removed orders counted, by customer and currency. */
  keptTotals: new Table<Partition & { id: string; total: CustomerTotal }>(ofMode),
  /** What removed orders sold, by hour. */
  keptSales: new Table<RemovedSales>((row) => [row.store_id, row.livemode, row.hour]),
  messages: new Table<Partition & { id: string }>(ofMode),
  revocations: new Table<Partition & Revocation & { id: string }>(ofMode),

  counters: new Table<Partition & { order_number: number; sequence: number }>((row) => [
    row.store_id,
    row.livemode,
  ]),
  events: new Table<EventRecord>(ofMode),
  endpoints: new Table<EndpointRecord>(({ id }) => [id]),
  health: new Table<{ id: string; health: EndpointHealth }>(({ id }) => [id]),
  deliveries: new Table<StoredDelivery>(ofDelivery),
  deliveryAttempts: new Table<AttemptLog>((row) => [...ofDelivery(row), row.attempt]),
  cursors: new Table<CursorRow>((row) => [row.store_id, row.livemode, row.consumer]),

  stats: new Table<Partition & StatChange>((row) => [
    ...ofMode({ ...row, id: row.kind }),
    row.currency,
    row.hour,
  ]),
  links: new Table<DashboardLinkRecord>(({ store_id, link_hash }) => [store_id, link_hash]),
  dashboardSessions: new Table<DashboardSessionRecord>((row) => [row.store_id, row.session_hash]),
  forms: new Table<DashboardFormRecord>(({ store_id, form_id }) => [store_id, form_id]),
  blocks: new Table<NumberedBlock>((row) => [row.store_id, row.livemode, row.last_id]),
  audit: new Table<AuditRecord>(ofStore),
  /** The ends of leases of work, by the row. A row that is written anew has none. */
  leases: new WeakMap<object, number>(),
});

export type Tables = ReturnType<typeof createTables>;

interface StoreRow {
  readonly store: StoreRecord;
  readonly origins: readonly string[];
  readonly return_urls: readonly string[];
}

/** Where a consumer of the host stands in the events of one store and mode. */
export interface CursorRow extends Partition {
  readonly consumer: string;
  readonly sequence: number;
  readonly lease_token: string | null;
  readonly leased_until: number;
  readonly failures: number;
}

export const keyOfScope = (scope: KeyScope): readonly KeyPart[] => [
  scope.store_id,
  scope.livemode,
  scope.key_kind,
  scope.operation,
  scope.idempotency_key,
];

export const modes = [true, false] as const;

export const inMode = ({ store_id, livemode }: Partition): Partition => ({ store_id, livemode });

/** Gives how far the clock of a mode is ahead of the real time. */
export const offsetIn = (tables: Tables, { store_id, livemode }: Partition): number =>
  offsetOf(tables.stores.get(store_id)?.store, livemode);

export function bumpCatalogVersion({ stores }: Tables, store_id: string): void {
  const row = stores.get(store_id);
  if (!row) return;

  const { store } = row;
  stores.put({ ...row, store: { ...store, catalog_version: store.catalog_version + 1 } });
}

export function addStat(tables: Tables, partition: Partition, change: StatChange): void {
  const { store_id, livemode } = partition;
  const known = tables.stats.get(store_id, livemode, change.kind, change.currency, change.hour);
  tables.stats.put({ ...inMode(partition), ...(known ? addUp(known, change) : change) });
}

/** Stores the author's entry of what a step has written, and gives the step's result. */
export function written<Result>(
  { audit }: Tables,
  { result, change }: Written<Result>,
  author: AuditAuthor | undefined,
): Result {
  const entry = change && author?.entryOf(change);
  if (entry && (change.kind === "counts" || !audit.get(entry.store_id, entry.id))) audit.put(entry);
  return result;
}

/** Stores an alert, unless another one stands for it. Gives whether it is raised. */
export function addAlert({ alerts }: Tables, alert: AlertRecord, unless_since: number): boolean {
  const { raised, put } = judgeAlert(alerts.where(), alert, unless_since);
  if (put) alerts.put(put);
  return raised;
}

/** Stores an alert once, with a notice that is due until the host's callback has taken it. */
export function raiseAlert(t: Tables, alert: AlertRecord, due_at: number): void {
  if (addAlert(t, alert, 0)) t.notices.put({ alert, due_at });
}
