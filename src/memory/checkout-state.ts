import type { StoredKey } from "../rules/key-state.ts";
import type { SessionRecord } from "../rules/records.ts";

export interface CheckoutState {
  readonly keys: Map<string, StoredKey>;
  readonly sessions: Map<string, SessionRecord>;
}

export const createCheckoutState = (): CheckoutState => ({ keys: new Map(), sessions: new Map() });
