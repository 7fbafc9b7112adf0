import type { StoredKey } from "../rules/key-state.ts";
import type { SessionRecord } from "../rules/records.ts";

export interface CheckoutState {
  readonly keys: Map<string, StoredKey>;
  readonly sessions: Map<string, SessionRecord>;
  /** Open holds by address. */
  readonly open_holds: Map<string, number>;
}

export const createCheckoutState = (): CheckoutState => ({
  keys: new Map(),
  sessions: new Map(),
  open_holds: new Map(),
});
