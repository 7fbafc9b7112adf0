import type { IdempotencyKey } from "../../rules/checkout/key-state.ts";
import type { SessionRecord } from "../../rules/records.ts";

export interface CheckoutState {
  readonly keys: Map<string, IdempotencyKey>;
  readonly sessions: Map<string, SessionRecord>;
  /** The number of open holds by address. */
  readonly open_holds: Map<string, number>;
  /** The number of sessions that a store got in a mode on a UTC day. */
  readonly session_days: Map<string, SessionDay>;
}

export interface SessionDay {
  /** The time at which the day begins, in epoch milliseconds. */
  readonly day: number;
  readonly sessions: number;
}

export const createCheckoutState = (): CheckoutState => ({
  keys: new Map(),
  sessions: new Map(),
  open_holds: new Map(),
  session_days: new Map(),
});
