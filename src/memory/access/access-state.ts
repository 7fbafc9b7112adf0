import type { StoredAlert } from "../../rules/owner/list-records.ts";
import type { AddressKind } from "../../rules/owner/record-kinds.ts";
import type { KeyRecord, StoreRecord } from "../../rules/records.ts";

export interface AccessState {
  readonly stores: Map<string, StoreRecord>;
  /** The keys by their hashes. */
  readonly keys: Map<string, KeyRecord>;
  /** The time of the last use, by the key's hash. */
  readonly keyUses: Map<string, number>;
  /** The list of each kind, by store. */
  readonly addresses: Readonly<Record<AddressKind, Map<string, readonly string[]>>>;
  readonly alerts: StoredAlert[];
}

export const createAccessState = (): AccessState => ({
  stores: new Map(),
  keys: new Map(),
  keyUses: new Map(),
  addresses: { origin: new Map(), return_url: new Map() },
  alerts: [],
});
