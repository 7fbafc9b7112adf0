import { isStoreStale } from "../rules/catalog/stale-records.ts";
import type { AddressKind, StoreWithAddresses } from "../rules/owner/record-kinds.ts";
import type { StoreRecord } from "../rules/records.ts";
import type { RecordStore, RecordSubject } from "../storage/record-store.ts";

const storeSubject = (
  step: string,
  id: string,
  may: RecordSubject["may"],
): RecordSubject<"store"> => ({ on: "store", step, store_id: id, id, may });

type Created =
  | { readonly outcome: "created"; readonly store: StoreRecord }
  | { readonly outcome: "slug_taken" };

/**
 * Creates a store with its lists of addresses and its first payment methods. A repeat
 * gives the store of the first call.
 */
export const createStore = (
  records: RecordStore,
  store: StoreRecord,
  beside: Omit<StoreWithAddresses, "store"> = { origins: [], return_urls: [] },
): Promise<Created> => {
  const subject = { ...storeSubject("createStore", store.id, "make"), unique: store.slug };
  return records.step<"store", Created>(subject, ({ record, is_taken }) => {
    if (record) return { result: { outcome: "created", store: record.store } };
    if (is_taken) return { result: { outcome: "slug_taken" } };
    return { result: { outcome: "created", store }, after: { store, ...beside } };
  });
};

export type StoreRecordChanges = Partial<
  Omit<StoreRecord, "id" | "slug" | "catalog_version" | "created_at">
>;

/**
 * Updates a store, and increases its `catalog_version` by one. When `before` is given
 * and the stored store differs from it in more than its version, nothing is written and
 * the result is `stale`. Gives null for an unknown store.
 */
export const updateStore = (
  records: RecordStore,
  id: string,
  changes: StoreRecordChanges,
  before?: StoreRecord,
): Promise<StoreRecord | "stale" | null> =>
  records.step<"store", StoreRecord | "stale" | null>(
    storeSubject("updateStore", id, "change"),
    ({ record }) => {
      if (!record) return { result: null };
      if (isStoreStale(record.store, before)) return { result: "stale" };

      const catalog_version = record.store.catalog_version + 1;
      const store = { ...record.store, ...changes, catalog_version };
      return { result: store, after: { ...record, store } };
    },
  );

/** Names one of a store's two lists, and an address of it. */
export interface AddressName {
  readonly kind: AddressKind;
  readonly store_id: string;
  readonly address: string;
}

const lists = { origin: "origins", return_url: "return_urls" } as const;

/** Adds an address. One that is there already is `added`. A list holds at most `most`. */
export const addAddress = (
  records: RecordStore,
  { kind, store_id, address }: AddressName,
  most: number,
): Promise<{ outcome: "added" | "limit" | "unknown_store" }> =>
  records.step<"store", { outcome: "added" | "limit" | "unknown_store" }>(
    storeSubject("addAddress", store_id, "change"),
    ({ record }) => {
      if (!record) return { result: { outcome: "unknown_store" } };
      const listed = record[lists[kind]];
      if (listed.includes(address)) return { result: { outcome: "added" } };
      if (listed.length >= most) return { result: { outcome: "limit" } };
      const after = { ...record, [lists[kind]]: [...listed, address] };
      return { result: { outcome: "added" }, after };
    },
  );

/** Removes an address. Gives false when it was not listed. */
export const removeAddress = (
  records: RecordStore,
  { kind, store_id, address }: AddressName,
): Promise<boolean> =>
  records.step<"store", boolean>(
    storeSubject("removeAddress", store_id, "change"),
    ({ record }) => {
      const listed = record?.[lists[kind]] ?? [];
      if (!record || !listed.includes(address)) return { result: false };
      const rest = listed.filter((other) => other !== address);
      return { result: true, after: { ...record, [lists[kind]]: rest } };
    },
  );
