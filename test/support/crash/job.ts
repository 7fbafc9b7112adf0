/** What a worker of the crash test is started with. `Provider` is how it reaches its provider. */
export interface CrashJob<Provider = unknown> {
  /** A file of SQLite, or the address of a PostgreSQL database. */
  readonly database: string;
  /** The schema of PostgreSQL. */
  readonly schema: string;
  /** Left out where the database is one machine. */
  readonly distribute?: "citus";
  readonly store_id: string;
  readonly method_ids: readonly string[];
  /** The worker kills itself when it passes this many of the points at which it may die. */
  readonly dies_at: number;
  readonly provider: Provider;
}

/** Work for a process that waits. `offset`: the milliseconds that its clock is ahead. */
export type CrashTask =
  | { readonly work: "buy"; readonly offset: number; readonly tokens: readonly string[] }
  | { readonly work: "maintain"; readonly offset: number };

/** What a worker tells: that it waits for work, that it begins a purchase, that it is done. */
export type CrashNews = { readonly type: "ready" | "done" } | { readonly begun: string };
