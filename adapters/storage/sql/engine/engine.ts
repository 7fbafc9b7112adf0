import type { CompiledQuery, Kysely } from "kysely";
import type { SqlDialect } from "../schema/dialect.ts";
import type { Tables } from "../schema/tables.ts";
import type { Lines } from "./shared-reads.ts";
import type { LineQuery, Step } from "./step.ts";

export type Db = Kysely<Tables>;

/** What a database is to the stores: it runs steps. `db` builds and compiles, it never executes. */
export interface SqlEngine {
  readonly db: Db;
  readonly dialect: SqlDialect;
  /** All or nothing; answered after the commit. A factory, for a retry runs the step anew. */
  write<T>(step: () => Step<T>): Promise<T>;
  /** A write that a power cut may take back, as counts of a minute: where commits wait for the disk, its own does not. */
  writeLoosely<T>(step: () => Step<T>): Promise<T>;
  /** Where round trips cost: one statement that is all of a write, without a transaction around it. */
  writeOne?<T>(query: () => CompiledQuery<T>): Promise<readonly T[]>;
  /** One statement that is all of a read: the lines it gives. */
  lines(query: LineQuery): Promise<Lines>;
  /** The same where many ask alike: those of one turn are one. */
  sharedLines(query: LineQuery): Promise<Lines>;
  /** Without a transaction. */
  read<T>(step: () => Step<T>): Promise<T>;
}
