/** Says what someone may do in the dashboard: everything, only look, or the actions named. */
export type StoredAccess = "all" | "read" | readonly string[];

/** Says who a link or a session of the dashboard belongs to, and until when it is valid. */
interface DashboardPass {
  readonly store_id: string;
  readonly actor: string;
  readonly access: StoredAccess;
  /** The time when it was made, in epoch milliseconds. */
  readonly created_at: number;
  /** From this time on, in epoch milliseconds, it is not valid. */
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

/** A session that a link has opened. The storage has only the hash of its secret. */
export interface DashboardSessionRecord extends DashboardPass {
  readonly session_hash: string;
}

/** A form that was sent. A form is sent only once. */
export interface DashboardFormRecord {
  /** Empty for a form that belongs to no store, such as the one that creates a store. */
  readonly store_id: string;
  readonly form_id: string;
  /** The form's own token is refused from this time on, in epoch milliseconds. */
  readonly expires_at: number;
}
