import type { PixAccount } from "vitrine/pix";

/** What a worker of the crash test does. Without tokens it runs maintenance. */
export interface CrashJob {
  /** A file of SQLite, or the address of a PostgreSQL database. */
  readonly database: string;
  /** The schema of PostgreSQL. */
  readonly schema: string;
  readonly pix: {
    readonly baseUrl: string;
    readonly account: PixAccount;
    readonly callback: { readonly secret: string };
  };
  readonly store_id: string;
  readonly method_id: string;
  readonly tokens: readonly string[];
  /** Milliseconds that the worker's clock is ahead. */
  readonly offset: number;
}
