/** What someone may do in the dashboard: everything, only look, or the actions named. */
export type StoredAccess = "all" | "read" | readonly string[];

/** Who a link or a session of the dashboard belongs to, and until when it is good. */
interface DashboardPass {
  readonly store_id: string;
  readonly actor: string;
  readonly access: StoredAccess;
  /** Epoch milliseconds. */
  readonly created_at: number;
  /** Epoch milliseconds: from this time on it is good for nothing. */
  readonly expires_at: number;
}

/** A link by which someone signs in once. The storage has the hash of its secret alone. */
export interface DashboardLinkRecord extends DashboardPass {
  readonly link_hash: string;
}

/** A session that a link has opened. The storage has the hash of its secret alone. */
export interface DashboardSessionRecord extends DashboardPass {
  readonly session_hash: string;
}

/** A form that was sent; it is sent only once. */
export interface DashboardFormRecord {
  /** Empty for a form that belongs to no store, such as the one that creates a store. */
  readonly store_id: string;
  readonly form_id: string;
  /** Epoch milliseconds: the form's own token is refused from this time on. */
  readonly expires_at: number;
}
