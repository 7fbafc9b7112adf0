/** What someone may do in the dashboard: everything, only look, or the actions named. */
export type StoredAccess = "all" | "read" | readonly string[];

/** Who a link or a session of the dashboard belongs to, and until when it is valid. */
interface DashboardPass {
  readonly store_id: string;
  readonly actor: string;
  readonly access: StoredAccess;
  /** The time when it was made, in epoch milliseconds. */
  readonly created_at: number;
  /** The time, in epoch milliseconds, from which on it is not valid. */
  readonly expires_at: number;
  /**
   * The actor who made the link. Null when the host's own code made it for nobody, and
   * in rows that are older than this field.
   */
  readonly made_by: string | null;
  /**
   * The hash of the session in which the link was made, and with whose end the link and
   * its session end. Null for a link that was made outside any session of a link.
   */
  readonly made_in: string | null;
}

/** A link by which someone signs in once. The storage has only the hash of its secret. */
export interface DashboardLinkRecord extends DashboardPass {
  readonly link_hash: string;
}

/**
 * A session that a link or a passkey has opened, or a person, in whose row such sessions are made.
 * The storage has only the hash of a session's secret.
 */
export interface DashboardSessionRecord extends DashboardPass {
  /** The hash of the secret. The id of a person, which begins with `psn_`. */
  readonly session_hash: string;
  /** What is kept of a person. Left out in a session. */
  readonly person?: PersonDetails;
}

/** The public half of a key by which a person signs in. The device keeps the other half. */
export interface PasskeyRecord {
  /** The credential's id in base64url. No other passkey of the store has it. */
  readonly id: string;
  /** The public key in COSE's form (RFC 9052), in base64url. */
  readonly public_key: string;
  /** The uses that the device has counted. Zero where it counts none. */
  readonly counter: number;
  /** The ways to reach the device, as the browser tells them. */
  readonly transports: readonly string[];
  readonly created_at: number;
  readonly last_used_at: number | null;
  /**
   * The time of the first sign-in that was refused because the counter did not grow, which
   * a copy of the key does. Null when there was none.
   */
  readonly refused_at: number | null;
}

interface PersonDetails {
  /** Exact to five minutes. Null until the invitation is used. */
  readonly last_seen_at: number | null;
  readonly passkeys: readonly PasskeyRecord[];
}

/** Someone who was invited to the dashboard of a store. `access` counts now, also in sessions. */
export interface PersonRecord
  extends PersonDetails,
    Pick<DashboardPass, "store_id" | "access" | "created_at" | "made_by"> {
  readonly id: string;
  /** The name in the audit log. It never changes, and no other person of the store has it. */
  readonly name: string;
  /** The id of the person who has invited this one. When that person ends, this one ends too. */
  readonly made_in: string | null;
}

/** A form that was sent. A form is sent only once. */
export interface DashboardFormRecord {
  /** Empty for a form that belongs to no store, such as the one that creates a store. */
  readonly store_id: string;
  readonly form_id: string;
  /** The time from which on the form's own token is refused, in epoch milliseconds. */
  readonly expires_at: number;
}
