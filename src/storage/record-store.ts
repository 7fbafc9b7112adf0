import type { Signed } from "../rules/audit/audit-records.ts";
import type { StoredCatalog } from "../rules/catalog/catalog-writes.ts";
import type { FoundRecord, RecordKind, RecordsByKind } from "../rules/owner/record-kinds.ts";
import type { ProductRecord } from "../rules/records.ts";

/** Names a record of a store, and what a step asks about it. */
export interface RecordSubject<Kind extends RecordKind = RecordKind> extends Signed {
  readonly on: Kind;
  /** The step's name, which the observer is told. */
  readonly step: string;
  readonly store_id: string;
  /** The record's id. A store has its own. */
  readonly id: string;
  /**
   * What the step may do. One that may `make` a record waits for every other such step
   * of the store, or of the note's order. An endpoint, a key, an alert or a delivery that
   * is changed or deleted is locked alone.
   */
  readonly may: "make" | "change" | "delete";
  /** The mode of an endpoint, a note, a delivery or a pool of keys. */
  readonly livemode?: boolean;
  /** The order of a note. */
  readonly order_id?: string;
  /** The endpoint of a delivery, whose `id` is its event's. */
  readonly endpoint_id?: string;
  /** The hashes of keys that a pool is asked about. */
  readonly key_hashes?: readonly string[];
  /**
   * The slug or code that no other record may have. For a person, a name or the id of a passkey.
   */
  readonly unique?: string;
  /** The category above one, or the person who invites or changes one. Null means none. */
  readonly parent_id?: string | null;
  /** The other records are counted up to this number. Left out, they are not counted. */
  readonly most?: number;
  /** A store is read with what waits in its test mode at this real time. */
  readonly test_work_at?: number;
}

/** How a step of one record ends, and what it writes. */
export interface RecordDecision<Kind extends RecordKind, Result> {
  readonly result: Result;
  /** The record from now on. Null deletes it. Left out, nothing is written. */
  readonly after?: RecordsByKind[Kind] | null;
}

/** A product that is put, and whether its stock is set. */
export interface ProductPut {
  readonly record: ProductRecord;
  /** Sets the stock of both modes, and leaves what is held. */
  readonly set_stock: boolean;
  /** The record that the owner changed. The put is stale when another stands there by now. */
  readonly before?: ProductRecord;
}

/** Names the products that a step may put. */
export interface ProductsSubject extends Signed {
  readonly step: string;
  readonly store_id: string;
  readonly products: readonly ProductRecord[];
  /** True reads the stored products. */
  readonly reads_records: boolean;
}

/** What a step of products finds, under the lock of their store and their stock. */
export interface FoundProducts extends StoredCatalog {
  readonly store_exists: boolean;
  /** The stored products of the subject, by id. */
  readonly records: ReadonlyMap<string, ProductRecord>;
}

/** How a step of products ends. Left out, nothing is put. */
export interface ProductsDecision<Result> {
  readonly result: Result;
  /** Of several puts of one product the last one stands. */
  readonly puts?: readonly ProductPut[];
}

/**
 * Makes the steps of the records that an owner writes. A write of a category, a
 * product or a payment method increases the store's `catalog_version` by one, in the
 * same transaction. Deleting a category takes it out of its products and makes its
 * children categories without a parent. Deleting a product deletes its stock. An
 * endpoint that is enabled again forgets its failures. When the offset of a store's test
 * clock grows, the work that waits in the test mode is due so much earlier, save what
 * somebody holds.
 */
export interface RecordStore {
  /**
   * Locks what the subject names and reads it, lets `decide` decide over it, and writes
   * what was decided, in one transaction. `decide` is pure: a storage that tries again
   * calls it again, over what it has read anew.
   */
  step<Kind extends RecordKind, Result>(
    subject: RecordSubject<Kind>,
    decide: (found: FoundRecord<Kind>) => RecordDecision<Kind, Result>,
  ): Promise<Result>;
  /** Does the same with many products at once. */
  stepProducts<Result>(
    subject: ProductsSubject,
    decide: (found: FoundProducts) => ProductsDecision<Result>,
  ): Promise<Result>;
}
