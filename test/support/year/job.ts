/** What a process of the year is started with. */
export interface YearJob {
  /** A file of SQLite, or the address of a PostgreSQL database. */
  readonly database: string;
  /** The schema of PostgreSQL. */
  readonly schema: string;
  readonly distribute: "citus" | null;
  readonly store_id: string;
  /** The origin of the receiver. */
  readonly receiver: string;
  /** `advance` moves the test clock. `keep` drains and maintains until it is killed. */
  readonly work: "advance" | "keep";
  /** The test clock is turned until it is so far ahead. */
  readonly offset: number;
  /** The process's clock is so far ahead of the machine's. */
  readonly ahead: number;
}

/** Moves the clock of a process that runs. */
export type YearNews = Pick<YearJob, "ahead">;
