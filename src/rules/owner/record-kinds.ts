import { isStale, maxRowsPerStore } from "../catalog/stale-records.ts";
import type { TestWork } from "../clock/test-clock.ts";
import type { KeyPool } from "../entitlements/entitlement-record.ts";
import type {
  CategoryRecord,
  CouponRecord,
  NoteRecord,
  PaymentMethodRecord,
  ProductRecord,
  StoreRecord,
} from "../records.ts";
import type { ResendSubject } from "../webhooks/resend.ts";
import type { EndpointRecord } from "../webhooks/webhook-records.ts";
import type { PersonRecord } from "./dashboard-records.ts";
import type { StoredKey } from "./key-use.ts";
import type { StoredAlert } from "./list-records.ts";

/** A store with its two lists of addresses. */
export interface StoreWithAddresses {
  readonly store: StoreRecord;
  readonly origins: readonly string[];
  readonly return_urls: readonly string[];
  /** A new store comes with these. They are not read again with it. */
  readonly payment_methods?: readonly PaymentMethodRecord[];
}

/**
 * Names one of the store's two lists: origins of browsers, and addresses that
 * buyers may return to.
 */
export type AddressKind = "origin" | "return_url";

/** The records that an owner writes one at a time, by their kinds. */
export interface RecordsByKind {
  readonly store: StoreWithAddresses;
  readonly api_key: StoredKey;
  readonly alert: StoredAlert;
  readonly category: CategoryRecord;
  readonly payment_method: PaymentMethodRecord;
  readonly coupon: CouponRecord;
  readonly product: ProductRecord;
  readonly endpoint: EndpointRecord;
  readonly order_note: NoteRecord;
  /**
   * The uploaded keys of a product, which steps of orders take. Every product has a pool, with 0
   * free keys before the first upload. Nothing deletes a pool, not even the end of its product.
   */
  readonly key_pool: KeyPool;
  /** Workers write deliveries. The owner sends one again. */
  readonly delivery: ResendSubject;
  /** A person's row is one of the sessions. `endSession` ends a person, and no step deletes one. */
  readonly person: PersonRecord;
}

/** The kind of a record that an owner writes. */
export type RecordKind = keyof RecordsByKind;

/** What a step of one record finds, under its lock. */
export interface FoundRecord<Kind extends RecordKind = RecordKind> {
  /** The store exists; of a note its order, of a pool its product. */
  readonly owner_exists: boolean;
  readonly record: RecordsByKind[Kind] | null;
  /** Another record has the slug or code that the step asks about. */
  readonly is_taken: boolean;
  /** The store has the category or person that the step asks about. True without a question. */
  readonly parent_exists: boolean;
  /** The person that the step asks about. Null when the store has none. Left out of other kinds. */
  readonly parent?: RecordsByKind[Kind] | null;
  /**
   * The number of other records than the one of the id, counted up to the number that the step
   * names. Of a note those of its order are counted, of an endpoint those of the store in both
   * modes, of other kinds those of the store. Nobody reads it when the step names no number.
   */
  readonly others: number;
  /** What waits in the store's test mode. Null when the step does not ask. */
  readonly test_work: TestWork | null;
}

/** What a step finds that asks neither for a unique value, nor a parent, nor a number. */
export const foundRecord = <Kind extends RecordKind>(
  of: Pick<FoundRecord<Kind>, "record"> & Partial<FoundRecord<Kind>>,
): FoundRecord<Kind> => ({
  owner_exists: true,
  is_taken: false,
  parent_exists: true,
  others: 0,
  test_work: null,
  ...of,
});

/** The kinds of which a record is put whole, over the one with the same id. */
export type PutKind = "category" | "payment_method" | "coupon";

/** The outcome when another record has the unique value. */
interface TakenOutcomes {
  readonly category: "slug_taken";
  readonly payment_method: never;
  readonly coupon: "code_taken";
}

/** What became of a record that was put. */
export type PutOutcome<Kind extends PutKind = PutKind> =
  | "stored"
  | "stale"
  | "unknown_store"
  | "unknown_parent"
  | TakenOutcomes[Kind]
  | "limit";

interface PutRules<Kind extends PutKind> {
  /** The value that no other record of the store may have, and what a second one is told. */
  readonly unique: {
    readonly of: (record: RecordsByKind[Kind]) => string;
    readonly taken: TakenOutcomes[Kind];
  } | null;
  /** The most records of the kind that a store has. Null means no limit. */
  readonly most: number | null;
}

/** What a record must fulfil beside the others of its store. */
export const putRules: { readonly [Kind in PutKind]: PutRules<Kind> } = {
  category: { unique: { of: ({ slug }) => slug, taken: "slug_taken" }, most: maxRowsPerStore },
  payment_method: { unique: null, most: maxRowsPerStore },
  coupon: { unique: { of: ({ code }) => code, taken: "code_taken" }, most: null },
};

/** Gives the value of a record that no other one of its store may have. Some kinds have none. */
export const uniqueOf = <Kind extends PutKind>(
  kind: Kind,
  record: RecordsByKind[Kind],
): string | undefined => putRules[kind].unique?.of(record);

/** Tells why a record cannot be put. Null when it can. `before` is what the owner changed. */
export function refusePut<Kind extends PutKind>(
  { unique, most }: PutRules<Kind>,
  { owner_exists, record, is_taken, parent_exists, others }: FoundRecord<Kind>,
  before: object | undefined,
): PutOutcome<Kind> | null {
  if (!owner_exists) return "unknown_store";
  if (isStale(record ?? undefined, before)) return "stale";
  if (unique && is_taken) return unique.taken;
  if (!parent_exists) return "unknown_parent";
  return record === null && most !== null && others >= most ? "limit" : null;
}

/** Tells whether a write of this kind changes what a catalog route answers. */
export const isShownInCatalog = (kind: RecordKind): boolean =>
  kind === "category" || kind === "payment_method" || kind === "product";
