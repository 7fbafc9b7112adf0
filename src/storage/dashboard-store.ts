import type { AuditAuthor, Signed } from "../rules/audit/audit-records.ts";
import type {
  DashboardFormRecord,
  DashboardLinkRecord,
  DashboardSessionRecord,
  PersonRecord,
} from "../rules/owner/dashboard-records.ts";

/** Names a link or a session of a store by the hash of its secret, or a person by the id. */
export interface DashboardRef {
  readonly store_id: string;
  readonly hash: string;
}

/** A page of the links of a store that still sign in. */
export interface DashboardLinkQuery {
  readonly store_id: string;
  /** Names the last link that the caller has seen. */
  readonly after?: { readonly created_at: number; readonly link_hash: string };
  readonly limit: number;
}

/** A session or a person that ends. */
export interface SessionEnding extends DashboardRef {
  /**
   * Decides over all people of the store, as the step finds them, whether a person ends. Null ends
   * nobody.
   */
  readonly decide?: (people: readonly PersonRecord[]) => EndedPerson | null;
}

/** The changes that the end of a person makes, besides the end of all that came from the person. */
export interface EndedPerson {
  /** The people who stay, as they are after the end: somebody else has invited them now. */
  readonly kept: readonly (Signed & { readonly person: PersonRecord })[];
  /** Tells whether a link that was made in a person ends too. */
  endsLink(link: DashboardLinkRecord): boolean;
}

/** Keeps the dashboard's links to sign in by, its sessions, and the forms that were sent. */
export interface DashboardStore {
  /**
   * Stores a link. A link of a session that is ended or past its time, as of the link's
   * `created_at`, is `unknown_session` and is not stored. This step, `spendLink` and
   * `endSession` wait for each other within a store.
   */
  createLink(
    link: DashboardLinkRecord,
    author?: AuditAuthor,
  ): Promise<{ readonly outcome: "created" | "unknown_store" | "unknown_session" }>;
  /** Gives null for a link that does not exist, is spent, or is past its time. */
  findLink(link: DashboardRef, now: number): Promise<DashboardLinkRecord | null>;
  /** Lists the links that are neither spent nor past their time, newest first, then by hash. */
  listLinks(query: DashboardLinkQuery, now: number): Promise<readonly DashboardLinkRecord[]>;
  /** Gives false for a link that does not exist, is spent, or is past its time. */
  endLink(link: DashboardRef, now: number, author?: AuditAuthor): Promise<boolean>;
  /**
   * Deletes the link and stores a session with the link's actor, access and maker, in one
   * step. Of several concurrent calls one is `opened`.
   */
  spendLink(
    link: DashboardRef,
    session: { readonly session_hash: string; readonly expires_at: number },
    now: number,
    author?: AuditAuthor,
  ): Promise<
    | { readonly outcome: "opened"; readonly session: DashboardSessionRecord }
    | { readonly outcome: "unknown" }
  >;
  /**
   * Gives null for a session that does not exist, is ended, or is past its time. A person's row is
   * found by the person's id.
   */
  findSession(session: DashboardRef, now: number): Promise<DashboardSessionRecord | null>;
  /**
   * Gives the sessions of a store that are not past their time, newest first, at most 100.
   * With `people` it gives the rows of the store's people instead.
   */
  listSessions(
    store_id: string,
    now: number,
    of?: "people",
  ): Promise<readonly DashboardSessionRecord[]>;
  /**
   * Ends a session or a person with all that came from it: links, people, and the sessions that
   * these have opened. Gives false when there is no such session, and when `decide` ends nobody.
   */
  endSession(session: SessionEnding, author?: AuditAuthor): Promise<boolean>;
  /** Notes that a form was sent. Of several concurrent calls one is `taken`. */
  takeForm(form: DashboardFormRecord): Promise<{ readonly outcome: "taken" | "repeated" }>;
}
