import { firstIdAt } from "../../domain/keys/ids.ts";
import { idSlackMs, sessionLifetimeMs } from "../checkout/lifetimes.ts";
import type { AttemptRecord, DisputeRecord, PaymentRecord } from "../payments/payment-records.ts";
import type { AlertRecord, OrderRecord, SessionRecord } from "../records.ts";

/** An attempt, with the money that came for it, the oldest first. */
export interface AttemptWithMoney {
  readonly attempt: AttemptRecord;
  readonly money: readonly PaymentRecord[];
}

/** A dispute, and the order whose payment it is about. */
export interface DisputeWithOrder {
  readonly dispute: DisputeRecord;
  readonly order: OrderRecord;
}

/** A payment attempt has one of these states, as `AttemptRecord` explains them. */
export const attemptStates = [
  "in_flight",
  "unknown",
  "succeeded",
  "failed",
  "duplicate",
  "returned",
] as const satisfies readonly AttemptRecord["state"][];

/** A dispute has one of these states. */
export const disputeStatuses = ["open", "won", "lost"] as const;

/** The state of a dispute is open, or says who has won it. */
export type DisputeStatus = (typeof disputeStatuses)[number];

/** Gives the state of a dispute, which its outcome tells. */
export const disputeStatus = ({ outcome }: Pick<DisputeRecord, "outcome">): DisputeStatus =>
  outcome ?? "open";

/** A checkout session has one of these states. */
export const sessionStatuses = ["open", "complete", "expired"] as const;

/**
 * The state of a checkout session. It is `expired` when its time is over before it
 * was completed.
 */
export type SessionStatus = (typeof sessionStatuses)[number];

/** Selects the checkout sessions of a list. */
export interface SessionFilter {
  readonly status?: SessionStatus;
  /** Decides which sessions have expired. */
  readonly now: number;
  /** The earliest time at which the sessions were created, in epoch milliseconds. */
  readonly created_from?: number;
  /** The time before which the sessions were created, in epoch milliseconds. */
  readonly created_to?: number;
}

/** How the sessions of a filter are stored. */
export interface StoredSessions {
  readonly stored: readonly SessionRecord["status"][];
  /** The time after which the sessions end. Null means that they may end at any time. */
  readonly expires_after: number | null;
  /** The time by which the sessions ended. Null means that they may have ended at any time. */
  readonly expired_by: number | null;
  readonly created_from?: number;
  readonly created_to?: number;
  /** The smallest id of the sessions. Null means that any id fits. */
  readonly first_id: string | null;
  /** The id than which all of theirs are smaller. Null means that any id fits. */
  readonly end_id: string | null;
}

/**
 * Translates a filter to what is stored. Expiry is a fact of time: an expired
 * session is stored as `open`. One that is open was made within the lifetime of
 * sessions, so that a storage need not pass over all expired ones to know that no
 * more are open.
 */
export function storedSessions({ status, now, ...range }: SessionFilter): StoredSessions {
  const anyTime = { expires_after: null, expired_by: null };
  switch (status) {
    case undefined:
      return { ...within(range), ...anyTime, stored: ["open", "complete"] };
    case "complete":
      return { ...within(range), ...anyTime, stored: ["complete"] };
    case "expired":
      return { ...within(range), ...anyTime, stored: ["open"], expired_by: now };
    case "open": {
      const created_from = Math.max(range.created_from ?? 0, now - sessionLifetimeMs);
      const recent = within({ ...range, created_from });
      return { ...recent, ...anyTime, stored: ["open"], expires_after: now };
    }
  }
}

type Created = Pick<SessionFilter, "created_from" | "created_to">;

/** Gives the range of creation, and of the ids that were made in it or a little around it. */
const within = (range: Created): Created & Pick<StoredSessions, "first_id" | "end_id"> => ({
  ...range,
  first_id:
    range.created_from === undefined ? null : firstIdAt("cs", range.created_from - idSlackMs),
  end_id: range.created_to === undefined ? null : firstIdAt("cs", range.created_to + idSlackMs),
});

/**
 * Tells whether the order counts as a use of its coupon. It does while it holds the
 * use, or has consumed it.
 */
export const usesCoupon = (order: OrderRecord, coupon_id: string): boolean =>
  order.coupon_id === coupon_id && order.holds !== "none";

/** An alert, and who has dealt with it. */
export interface StoredAlert extends AlertRecord {
  /** Null until someone has acknowledged the alert. */
  readonly acknowledged_at: number | null;
  /** Names who has acknowledged the alert, in the host's own words. */
  readonly acknowledged_by: string | null;
}

/** Gives the alert as acknowledged now. A repeat keeps the first time and name. */
export const acknowledged = (alert: StoredAlert, by: string, now: number): StoredAlert =>
  alert.acknowledged_at === null ? { ...alert, acknowledged_at: now, acknowledged_by: by } : alert;

/** Gives the order that an event's bytes tell of. It gives null when they tell of none. */
export function orderOfEvent(body: string): string | null {
  const event: { readonly data?: { readonly order?: { readonly id: string } | null } } =
    JSON.parse(body);
  return event.data?.order?.id ?? null;
}
