import { acknowledged, type StoredAlert } from "../rules/owner/list-records.ts";
import {
  type PutKind,
  type PutOutcome,
  putRules,
  type RecordKind,
  type RecordsByKind,
  refusePut,
} from "../rules/owner/record-kinds.ts";
import type { KeyRecord, NoteRecord } from "../rules/records.ts";
import type { RecordStore, RecordSubject } from "../storage/record-store.ts";

/**
 * Inserts a record, or replaces the one with its id. `before` is the record that the owner changed.
 * When the stored record is no longer this one, or is gone, the result is `stale`.
 */
export function putRecord<Kind extends PutKind>(
  records: RecordStore,
  on: Kind,
  record: RecordsByKind[Kind],
  before?: RecordsByKind[Kind],
): Promise<{ outcome: PutOutcome<Kind> }> {
  const rules = putRules[on];
  const subject: RecordSubject<Kind> = {
    ...nameOf(on, `put${titles[on]}`, record),
    may: "make",
    unique: rules.unique?.of(record),
    parent_id: "parent_id" in record ? record.parent_id : null,
    most: rules.most ?? undefined,
  };

  return records.step<Kind, { outcome: PutOutcome<Kind> }>(subject, (found) => {
    const refusal = refusePut<Kind>(rules, found, before);
    if (refusal) return { result: { outcome: refusal } };
    return { result: { outcome: "stored" }, after: record };
  });
}

/** The kinds in the names of steps. */
const titles = {
  category: "Category",
  payment_method: "PaymentMethod",
  coupon: "Coupon",
  product: "Product",
  endpoint: "Endpoint",
} as const;

/** Names a record of a store by its id. */
export interface RecordName {
  readonly store_id: string;
  readonly id: string;
  /** The mode of an endpoint. */
  readonly livemode?: boolean;
}

const nameOf = <Kind extends RecordKind>(
  on: Kind,
  step: string,
  { store_id, id, livemode }: RecordName,
) => ({ on, step, store_id, id, livemode });

/** Deletes a record. Gives false when there is none. */
export const deleteRecord = (
  records: RecordStore,
  on: PutKind | "product" | "endpoint",
  name: RecordName,
): Promise<boolean> =>
  records.step(
    { ...nameOf<RecordKind>(on, `delete${titles[on]}`, name), may: "delete" },
    ({ record }): { result: boolean; after?: null } =>
      record === null ? { result: false } : { result: true, after: null },
  );

/** Stores a new key. A repeat of the call changes nothing. */
export const createKey = (
  records: RecordStore,
  key: KeyRecord,
): Promise<{ outcome: "created" | "unknown_store" }> =>
  records.step<"api_key", { outcome: "created" | "unknown_store" }>(
    { ...nameOf("api_key", "createKey", key), may: "make" },
    ({ owner_exists, record }) => {
      if (!owner_exists) return { result: { outcome: "unknown_store" } };
      if (record) return { result: { outcome: "created" } };
      return { result: { outcome: "created" }, after: { ...key, last_used_at: null } };
    },
  );

/**
 * Revokes a key. One that is revoked again keeps the time of the first revocation. Gives
 * null for an unknown key.
 */
export const revokeKey = (
  records: RecordStore,
  name: RecordName,
  now: number,
): Promise<RecordsByKind["api_key"] | null> =>
  records.step<"api_key", RecordsByKind["api_key"] | null>(
    { ...nameOf("api_key", "revokeKey", name), may: "change" },
    ({ record }) => {
      if (record === null || record.revoked_at !== null) return { result: record };
      const revoked = { ...record, revoked_at: now };
      return { result: revoked, after: revoked };
    },
  );

/**
 * Notes who has dealt with the alert. A repeat keeps the first name and time. Gives null
 * for an unknown alert.
 */
export const acknowledgeAlert = (
  records: RecordStore,
  name: RecordName,
  { by, now }: { readonly by: string; readonly now: number },
): Promise<StoredAlert | null> =>
  records.step<"alert", StoredAlert | null>(
    { ...nameOf("alert", "acknowledgeAlert", name), may: "change" },
    ({ record }) => {
      if (record === null) return { result: null };
      const after = acknowledged(record, by, now);
      return after === record ? { result: after } : { result: after, after };
    },
  );

/** Adds a note. An order has at most `most` notes. A note that is there already is `added`. */
export const addNote = (
  records: RecordStore,
  note: NoteRecord,
  most: number,
): Promise<{ outcome: "added" | "unknown_order" | "limit" }> => {
  const subject: RecordSubject<"order_note"> = {
    ...nameOf("order_note", "addNote", note),
    order_id: note.order_id,
    may: "make",
    most,
  };
  return records.step<"order_note", { outcome: "added" | "unknown_order" | "limit" }>(
    subject,
    ({ owner_exists, record, others }) => {
      if (!owner_exists) return { result: { outcome: "unknown_order" } };
      if (record) return { result: { outcome: "added" } };
      if (others >= most) return { result: { outcome: "limit" } };
      return { result: { outcome: "added" }, after: note };
    },
  );
};
