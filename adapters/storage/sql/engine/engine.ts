import type { CompiledQuery, Kysely } from "kysely";
import type { SqlDialect } from "../schema/dialect.ts";
import type { Tables } from "../schema/tables.ts";
import type { QueryGenerator, TextRowQuery, TextRows } from "./queries.ts";
import type { ErasedBytes } from "./sqlite-erased.ts";

/** Builds and compiles queries; an engine executes them. */
export type Db = Kysely<Tables>;

/** A database as the stores see it: it runs the queries that their generators yield. */
export interface SqlEngine {
  readonly db: Db;
  readonly dialect: SqlDialect;
  /** Gives false where product search has no index to ask, because this SQLite cannot keep one. */
  indexesText(): boolean;
  /**
   * Runs the work in one transaction and resolves after the commit. It takes a
   * function because a retry runs the work from its beginning. With a client of the
   * host's it runs inside the host's own transaction, once.
   */
  write<T>(work: () => QueryGenerator<T>, client?: unknown): Promise<T>;
  /**
   * Runs a write whose commit does not wait for the disk, where commits do: a power
   * cut may undo it. It serves counts that matter for a minute, such as those of
   * the rate limits.
   */
  writeRelaxed<T>(work: () => QueryGenerator<T>): Promise<T>;
  /**
   * Runs a write that is one statement, without a transaction around it. Only
   * databases that are reached over the network have it: it saves two round trips.
   */
  writeOne?<T>(query: () => CompiledQuery<T>): Promise<readonly T[]>;
  /** Runs a read that is one statement of text rows. */
  readTextRows(query: TextRowQuery): Promise<TextRows>;
  /** Does the same for a read that many callers ask for at once: equal ones share one statement. */
  readSharedTextRows(query: TextRowQuery): Promise<TextRows>;
  /** Removes erased rows from where the database keeps them besides its tables; SQLite does. */
  readonly erasedBytes?: ErasedBytes;
  /** Runs reading work without a transaction, or on a client of the host's, inside the host's. */
  read<T>(work: () => QueryGenerator<T>, client?: unknown): Promise<T>;
}
