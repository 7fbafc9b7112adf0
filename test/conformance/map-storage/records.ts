import {
  type AccessStore,
  by,
  type CatalogStore,
  catalogOf,
  type FoundRecord,
  findAmong,
  fold,
  foundPerson,
  foundRecord,
  isNewUse,
  isShownInCatalog,
  listShelf,
  maxRowsPerStore,
  offsetOf,
  onHandOf,
  type Partition,
  type ProductRecord,
  type PutKind,
  pageOf,
  productDocument,
  productView,
  type RecordKind,
  type RecordStore,
  type RecordSubject,
  type RecordsByKind,
  recordChanges,
  resetsHealth,
  rowOfPerson,
  type Shelf,
  selectAlerts,
  selectCoupons,
  selectOwnProducts,
  withGroup,
} from "vitrine/storage";
import { addAlert, bumpCatalogVersion, modes, type Table, type Tables, written } from "./tables.ts";
import { moveTestWork, testWork } from "./work.ts";

const byId = by("+id");
const byPosition = by("+position", "+id");

/** Gives the place of a row in a list by ids. */
const placeOf = (id: string | null) => (id === null ? null : { id });

export const accessStore = (t: Tables): AccessStore => ({
  async findAccess(key_hash) {
    const found = t.keys.get(key_hash);
    const store = found && t.stores.get(found.store_id);
    if (!store) return null;

    const { last_used_at, ...key } = found;
    return { key, ...store };
  },
  findStore: async (value, by = "id") => {
    if (by === "id") return t.stores.get(value)?.store ?? null;
    return t.stores.where().find(({ store }) => store.slug === value)?.store ?? null;
  },
  listStores: async ({ after, limit }) => {
    const stores = t.stores.where().map(({ store }) => store);
    return pageOf(stores, byId, { after: placeOf(after), limit });
  },
  listKeys: async (store_id) => t.keys.where({ store_id }).sort(byId),
  async noteKeyUses(uses) {
    for (const { key_hash, used_at } of uses) {
      const key = t.keys.get(key_hash);
      if (key?.revoked_at === null && isNewUse(used_at, key.last_used_at ?? undefined))
        t.keys.put({ ...key, last_used_at: used_at });
    }
  },
  listAddresses: async (kind, store_id) =>
    t.stores.get(store_id)?.[kind === "origin" ? "origins" : "return_urls"] ?? [],
  raiseAlert: async (alert, unless_since) => ({ raised: addAlert(t, alert, unless_since) }),
  listAlerts: async (store_id, query) => selectAlerts(t.alerts.where(), store_id, query),
});

const stockOf = (t: Tables, { store_id, livemode }: Partition, id: string) =>
  t.stock.get(store_id, livemode, id) ?? undefined;

/** Gives the products of a store with the texts in which a search looks. */
const foldedOf = (t: Tables, store_id: string) =>
  t.products
    .where({ store_id })
    .map((record) => ({ record, folded: [fold(record.name), record.slug] as const }));

type Folded = ReturnType<typeof foldedOf>[number];

export function catalogStore(t: Tables): CatalogStore {
  const enabledCategories = (store_id: string) => t.categories.where({ store_id, enabled: true });
  const shelfOf = (partition: Partition): Shelf<Folded> => ({
    view: productView(foldedOf(t, partition.store_id)),
    categories: enabledCategories(partition.store_id),
    documentOf: ({ record }) => documentOf(t, partition, record),
  });

  return {
    async findProduct(partition, value) {
      const { store_id } = partition;
      const product =
        t.products.get(store_id, value) ?? t.products.where({ store_id, slug: value })[0];
      if (!product?.active) return null;
      return { document: withGroup(shelfOf(partition), documentOf(t, partition, product)) };
    },
    listProducts: (query) => listShelf(shelfOf(query), query),
    listCategories: async (store_id) =>
      enabledCategories(store_id).sort(byPosition).slice(0, maxRowsPerStore),
    listPaymentMethods: async (store_id) =>
      t.methods.where({ store_id }).sort(byPosition).slice(0, maxRowsPerStore),

    findProductRecords: async (store_id, values, key = "id") =>
      t.products.where({ store_id }).filter((product) => values.includes(product[key] ?? "")),
    listProductRecords: async (store_id, query) =>
      selectOwnProducts(
        foldedOf(t, store_id),
        (id, livemode) => stockOf(t, { store_id, livemode }, id),
        query,
      ),
    listCategoryRecords: async (store_id) => t.categories.where({ store_id }).sort(byId),
    listCoupons: async (store_id, query) => selectCoupons(t.coupons.where({ store_id }), query),
  };
}

const documentOf = (t: Tables, partition: Partition, product: ProductRecord): string =>
  productDocument(product, onHandOf(stockOf(t, partition, product.id)));

/** How the records of one kind are read and written. */
interface Rows<Kind extends RecordKind> {
  load(subject: RecordSubject<Kind>): FoundRecord<Kind>;
  put(record: RecordsByKind[Kind], before: RecordsByKind[Kind] | null): void;
  remove?(record: RecordsByKind[Kind]): void;
}

export function recordStore(t: Tables): RecordStore {
  const rowsByKind: { readonly [Kind in RecordKind]: Rows<Kind> } = {
    ...accessRows(t),
    ...catalogRows(t),
    ...saleRows(t),
  };

  return {
    async step(subject, decide) {
      const rows: Rows<typeof subject.on> = rowsByKind[subject.on];
      const found = rows.load(subject);
      const { result, after } = decide(found);
      if (after === undefined) return result;

      const { record: before } = found;
      if (after !== null) rows.put(after, before);
      else if (before !== null) rows.remove?.(before);

      if (isShownInCatalog(subject.on)) bumpCatalogVersion(t, subject.store_id);
      const change = recordChanges[subject.on](before, after);
      return written(t, { result, change }, subject.author);
    },

    async stepProducts({ store_id, products, author }, decide) {
      const named = new Set(products.map(({ id }) => id));
      const stored = t.products.where({ store_id });
      const before = stored.filter(({ id }) => named.has(id));
      const others = stored.filter(({ id }) => !named.has(id));
      const { result, puts } = decide({
        store_exists: t.stores.get(store_id) !== null,
        records: new Map(before.map((record) => [record.id, record])),
        ...catalogOf(
          others,
          t.categories.where({ store_id }).map(({ id }) => id),
        ),
      });
      if (!puts) return result;

      for (const { record, set_stock } of puts) {
        t.products.put(record);
        if (set_stock) setStock(t, record);
      }
      bumpCatalogVersion(t, store_id);
      const after = puts.map(({ record }) => record);
      const change = { kind: "products", store_id, before, after } as const;
      return written(t, { result, change }, author);
    },
  };
}

/** Sets the stock of both modes; null ends the counting. Held pieces stay held. */
function setStock(t: Tables, { store_id, id, stock }: ProductRecord): void {
  for (const livemode of modes) {
    const known = t.stock.get(store_id, livemode, id);
    const row = { store_id, livemode, id, held: known?.held ?? 0 };
    if (stock !== null) t.stock.put({ ...row, stock, counted: true });
    else if (known) t.stock.put({ ...known, counted: false });
  }
}

const accessRows = (t: Tables): Pick<RowsByKind, "store" | "api_key" | "alert" | "person"> => ({
  store: {
    load: ({ id, unique, test_work_at }) =>
      foundRecord<"store">({
        record: t.stores.get(id),
        is_taken: t.stores.where().some(({ store }) => store.slug === unique),
        test_work: test_work_at === undefined ? null : testWork(t, id, test_work_at),
      }),
    put({ payment_methods = [], ...row }, before) {
      const ms = offsetOf(row.store, false) - offsetOf(before?.store, false);
      if (ms > 0) moveTestWork(t, row.store.id, ms);
      t.stores.put(row);
      for (const method of payment_methods) t.methods.put(method);
    },
  },
  api_key: {
    load: ({ store_id, id }) =>
      foundRecord<"api_key">({
        owner_exists: t.stores.get(store_id) !== null,
        record: t.keys.where({ store_id, id })[0] ?? null,
      }),
    put: (key) =>
      t.keys.put({ ...key, last_used_at: t.keys.get(key.key_hash)?.last_used_at ?? null }),
  },
  alert: {
    load: ({ store_id, id }) =>
      foundRecord<"alert">({ record: t.alerts.where({ store_id, id })[0] ?? null }),
    put: t.alerts.put,
  },
  person: {
    load: (subject) => {
      const { store_id } = subject;
      const rows = t.dashboardSessions.where({ store_id });
      return foundPerson(rows, subject, t.stores.get(store_id) !== null);
    },
    put: (person) => t.dashboardSessions.put(rowOfPerson(person)),
  },
});

type RowsByKind = { readonly [Kind in RecordKind]: Rows<Kind> };

function catalogRows(
  t: Tables,
): Pick<RowsByKind, "category" | "payment_method" | "coupon" | "product"> {
  /** Keeps the records of a kind of which a store may have many. */
  const kept = <Kind extends PutKind>(
    table: Table<RecordsByKind[Kind] & { readonly store_id: string; readonly id: string }>,
  ): Rows<Kind> => ({
    load: (subject: RecordSubject<Kind>) => {
      const { store_id, parent_id = null } = subject;
      const ofStore = table.where().filter((row) => row.store_id === store_id);
      return findAmong<Kind>(ofStore, subject, {
        owner_exists: t.stores.get(store_id) !== null,
        parent_exists: parent_id === null || t.categories.get(store_id, parent_id) !== null,
      });
    },
    put: table.put,
    remove: table.delete,
  });

  return {
    category: {
      ...kept<"category">(t.categories),
      remove(category) {
        const { store_id, id } = category;
        t.categories.delete(category);
        for (const child of t.categories.where({ store_id, parent_id: id }))
          t.categories.put({ ...child, parent_id: null });
        for (const product of t.products.where({ store_id }))
          t.products.put({
            ...product,
            category_ids: product.category_ids.filter((other) => other !== id),
          });
      },
    },
    payment_method: kept<"payment_method">(t.methods),
    coupon: kept<"coupon">(t.coupons),
    product: {
      load: ({ store_id, id }) => foundRecord<"product">({ record: t.products.get(store_id, id) }),
      put: t.products.put,
      remove(product) {
        t.products.delete(product);
        t.stock.deleteIf(({ store_id, id }) => store_id === product.store_id && id === product.id);
      },
    },
  };
}

const saleRows = (
  t: Tables,
): Pick<RowsByKind, "endpoint" | "order_note" | "key_pool" | "delivery"> => ({
  key_pool: {
    load({ store_id, livemode = false, id, key_hashes = [] }) {
      const keys = t.poolKeys.where({ store_id, livemode, product_id: id });
      const free = keys.filter(({ entitlement_id }) => entitlement_id === null).length;
      const known = keys
        .map(({ key_hash }) => key_hash)
        .filter((hash) => key_hashes.includes(hash));
      return foundRecord<"key_pool">({
        owner_exists: t.products.get(store_id, id) !== null,
        record: { store_id, livemode, id, free, known, added: [] },
      });
    },
    put({ store_id, livemode, id: product_id, added }) {
      for (const key of added)
        t.poolKeys.put({ store_id, livemode, product_id, ...key, entitlement_id: null });
    },
  },
  endpoint: {
    load: ({ store_id, livemode = false, id }) =>
      foundRecord<"endpoint">({
        owner_exists: t.stores.get(store_id) !== null,
        record: t.endpoints.where({ store_id, livemode, id })[0] ?? null,
        others: t.endpoints.where({ store_id }).filter((other) => other.id !== id).length,
      }),
    put(endpoint, before) {
      t.endpoints.put(endpoint);
      if (before && resetsHealth(before, endpoint))
        t.health.deleteIf(({ id }) => id === endpoint.id);
    },
    remove: t.endpoints.delete,
  },
  order_note: {
    load({ store_id, livemode = false, order_id = "", id }) {
      const notes = t.notes.where({ store_id, livemode, order_id });
      return foundRecord<"order_note">({
        owner_exists: t.orders.get(store_id, livemode, order_id) !== null,
        record: notes.find((note) => note.id === id) ?? null,
        others: notes.filter((note) => note.id !== id).length,
      });
    },
    put: t.notes.put,
  },
  delivery: {
    load({ store_id, livemode = false, endpoint_id = "", id }) {
      const delivery = t.deliveries.get(store_id, endpoint_id, id);
      if (delivery?.livemode !== livemode) return foundRecord<"delivery">({ record: null });

      const endpoint = t.endpoints.where({ store_id, livemode, id: endpoint_id })[0] ?? null;
      const body = t.events.get(store_id, livemode, id)?.body ?? null;
      return foundRecord<"delivery">({ record: { delivery, endpoint, body } });
    },
    put: ({ delivery }) => t.deliveries.put(delivery),
  },
});
