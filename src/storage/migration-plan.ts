/** The options of `storefront.migrate`. */
export interface MigrateOptions {
  /** True to change nothing and give what would run. */
  readonly dryRun?: boolean | undefined;
}

/** A transaction that holds a table which a migration has to lock. */
export interface MigrationBlocker {
  readonly pid: number;
  readonly application_name: string;
  readonly state: string;
  /** The age of its transaction. */
  readonly seconds: number;
}

/** A statement that `migrate()` has still to run. */
export interface PlannedStatement {
  readonly migration_id: number;
  readonly migration: string;
  readonly sql: string;
  /**
   * `transaction`: short, in a transaction of its own. `concurrently`: outside of any
   * transaction. `chunks`: repeated for the next rows until all are done.
   */
  readonly runs: "transaction" | "concurrently" | "chunks";
  /** The table or index that exists already and whose lock it takes. */
  readonly locks: string | null;
  /** True when others cannot even read the table while the statement runs. */
  readonly exclusive: boolean;
  /** The database's estimate of the rows of that table; null when it has none. */
  readonly estimated_rows: number | null;
  /** Transactions that hold the table now, the oldest first. */
  readonly blockers: readonly MigrationBlocker[];
}
