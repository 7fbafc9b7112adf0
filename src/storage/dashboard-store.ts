import type {
  DashboardFormRecord,
  DashboardLinkRecord,
  DashboardSessionRecord,
} from "../rules/dashboard-records.ts";

/** Names a link or a session of a store by the hash of its secret. */
export interface DashboardRef {
  readonly store_id: string;
  readonly hash: string;
}

/** Keeps the dashboard's links to sign in by, its sessions, and the forms that were sent. */
export interface DashboardStore {
  createLink(link: DashboardLinkRecord): Promise<{ readonly outcome: "created" | "unknown_store" }>;
  /** Gives null for a link that does not exist, is spent, or is past its time. */
  findLink(link: DashboardRef, now: number): Promise<DashboardLinkRecord | null>;
  /**
   * Deletes the link and stores a session with the link's actor and access, in one
   * step. Of several concurrent calls one is `opened`.
   */
  spendLink(
    link: DashboardRef,
    session: { readonly session_hash: string; readonly expires_at: number },
    now: number,
  ): Promise<
    | { readonly outcome: "opened"; readonly session: DashboardSessionRecord }
    | { readonly outcome: "unknown" }
  >;
  /** Gives null for a session that does not exist, is ended, or is past its time. */
  findSession(session: DashboardRef, now: number): Promise<DashboardSessionRecord | null>;
  /** Gives the sessions of a store that are not past their time, newest first, at most 100. */
  listSessions(store_id: string, now: number): Promise<readonly DashboardSessionRecord[]>;
  /** Gives false when there is no such session. */
  endSession(session: DashboardRef): Promise<boolean>;
  /** Notes that a form was sent. Of several concurrent calls one is `taken`. */
  takeForm(form: DashboardFormRecord): Promise<{ readonly outcome: "taken" | "repeated" }>;
}
