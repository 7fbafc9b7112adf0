import { fail } from "#core/contract/errors.ts";
import { hourMs } from "#core/domain/durations.ts";
import { invalidOption, type OptionNames, refuseUnknownOptions } from "#core/input/option-error.ts";
import type { StorageReadiness } from "#core/storage/reads/gauges-store.ts";
import type { Storage } from "#core/storage/types.ts";
import { readFromReplica } from "./sql/catalog/replica.ts";
import { storesOnCitus } from "./sql/citus/storage.ts";
import { measuredClock } from "./sql/engine/clock.ts";
import { findRisks } from "./sql/engine/postgres/find-risks.ts";
import type { PgPool } from "./sql/engine/postgres/postgres-client.ts";
import { type PostgresEngine, postgresEngine } from "./sql/engine/postgres/postgres-engine.ts";
import { distributionStatements } from "./sql/migrate/distribute.ts";
import { migratePostgres, planPostgres } from "./sql/migrate/migrate.postgres.ts";
import { exportMigrations, type SqlMigration } from "./sql/migrate/migration-statements.ts";
import { explainRefusal } from "./sql/migrate/refused-write.ts";
import { citus } from "./sql/schema/dialect.citus.ts";
import { postgres } from "./sql/schema/dialect.postgres.ts";
import type { Naming } from "./sql/schema/names.ts";
import { sqlStorage } from "./sql/storage.ts";

export type { PgClient, PgPool, PgQuery } from "./sql/engine/postgres/postgres-client.ts";
export type { SqlMigration, SqlMigrationStep } from "./sql/migrate/migration-statements.ts";

/** The options of `postgresStorage` besides the pool. */
export interface PostgresOptions {
  /** The database schema that holds the tables. Default: the connection's search path. */
  readonly schema?: string | undefined;
  /** Every table name begins with it, so that two instances can share a schema. */
  readonly tablePrefix?: string | undefined;
  /**
   * Whether statements have names, so that a connection prepares each of them once. Leave it off
   * behind a pooler in transaction mode.
   */
  readonly preparedStatements?: boolean | undefined;
  /**
   * A pool of yours on a read replica, for the catalog alone. While the
   * replica is behind or away, the first pool is asked.
   */
  readonly readPool?: PgPool | undefined;
  /**
   * The time that a call waits for a free connection before it is 503, in milliseconds.
   * 5,000 by default.
   */
  readonly acquireTimeoutMs?: number | undefined;
  /**
   * A call of the storage that takes longer than this many milliseconds is 503, and its
   * connection is closed. A write may have happened all the same. It is 15,000 by default;
   * null sets no limit. Migrations, and writes on a client of yours, have none.
   */
  readonly callTimeoutMs?: number | null | undefined;
  /**
   * `"citus"` means that the pool leads to the coordinator of a Citus cluster, and
   * that `migrate()` distributes the tables by store. See docs/scaling.md.
   */
  readonly distribute?: "citus" | undefined;
}

const optionNames: OptionNames<PostgresOptions> = {
  schema: true,
  tablePrefix: true,
  preparedStatements: true,
  readPool: true,
  acquireTimeoutMs: true,
  callTimeoutMs: true,
  distribute: true,
};

/**
 * Opens storage in PostgreSQL through a `pg` pool of yours: its settings, its size
 * and its end stay your business. It works behind a pooler in transaction mode.
 * Call `migrate()` before the first request.
 */
export function postgresStorage(pool: PgPool, options: PostgresOptions = {}): Storage {
  if (!isPool(pool))
    fail("invalid_option", { param: "storage", message: "postgresStorage takes a pg Pool." });
  refuseUnknownOptions(options, optionNames);
  const { readPool } = options;
  const naming = readNaming(options);
  if (readPool !== undefined && !isPool(readPool)) invalidOption("readPool", "must be a pg Pool");

  const { distribute } = options;
  if (distribute !== undefined && distribute !== "citus")
    invalidOption("distribute", 'must be "citus", or left out');

  const clock = measuredClock();
  const settings = {
    dialect: distribute === "citus" ? citus : postgres,
    naming,
    preparedStatements: options.preparedStatements ?? false,
    acquireTimeoutMs: readAcquireTimeout(options),
    callTimeoutMs: readCallTimeout(options),
  };
  const engine = postgresEngine(pool, { ...settings, clock });

  // The replica measures its own clock, because the storage's offset is measured on the primary.
  const replica = readPool && postgresEngine(readPool, { ...settings, clock: measuredClock() });

  const rest = {
    migrate: () => explainRefusal(migratePostgres(engine, naming)),
    planMigration: () => planPostgres(engine, naming),
    findRisks: () => findRisks(engine, pool, settings),
    close: async () => {},
    ephemeral: false,
    dataVersion: null,
    clock,
    joinsTransactions: true,
  };
  const plain = withPlacement(sqlStorage(engine, rest), engine);
  const storage = distribute ? { ...plain, ...storesOnCitus(engine, naming, plain) } : plain;
  return replica ? { ...storage, catalog: readFromReplica(replica, storage.catalog) } : storage;
}

/** A pg Client has a `connect` too, which gives no connection, and a function that pools lack. */
const isPool = (pool: PgPool | undefined): boolean =>
  typeof pool?.connect === "function" && !("escapeIdentifier" in pool);

function readAcquireTimeout({ acquireTimeoutMs = 5_000 }: PostgresOptions): number {
  if (!(Number.isSafeInteger(acquireTimeoutMs) && acquireTimeoutMs >= 1))
    invalidOption("acquireTimeoutMs", "must be a whole number of milliseconds from 1");
  return acquireTimeoutMs;
}

/** Reads the option. It is null when a call may take its time. */
function readCallTimeout({ callTimeoutMs = 15_000 }: PostgresOptions): number | null {
  if (callTimeoutMs === null) return null;

  if (!(Number.isSafeInteger(callTimeoutMs) && callTimeoutMs >= 100 && callTimeoutMs <= hourMs))
    invalidOption("callTimeoutMs", "must be null, or a whole number from 100 to 3600000");
  return callTimeoutMs;
}

/**
 * Gives the migrations as SQL for a tool of your own. Run them in order: on an empty
 * database each as one transaction, and on one that sells statement by statement
 * (`steps`). After that `migrate()` has nothing left to do.
 */
export const postgresMigrations = (
  options: Pick<PostgresOptions, "schema" | "tablePrefix" | "distribute"> = {},
): readonly SqlMigration[] => {
  const naming = readNaming(options);
  if (!options.distribute) return exportMigrations(naming, postgres);
  return exportMigrations(naming, citus, distributionStatements(naming, citus));
};

/** Lets the readiness say that the tables do not fit the option; nothing else can be read then. */
function withPlacement(storage: Storage, engine: PostgresEngine): Storage {
  const readiness = async (): Promise<StorageReadiness> => {
    const placement = await engine.findPlacement();
    if (placement === null || placement === engine.dialect.database)
      return storage.gauges.readiness();
    const misplaced = placement === "citus" ? "distributed" : "not_distributed";
    return { schema: null, clock: null, write_refusal: null, misplaced };
  };
  return { ...storage, gauges: { read: (now) => storage.gauges.read(now), readiness } };
}

function readNaming({ schema, tablePrefix = "" }: PostgresOptions): Naming {
  if (
    schema !== undefined &&
    (typeof schema !== "string" || !/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(schema))
  )
    invalidOption("schema", "must be a plain lower-case name that does not begin with pg_");
  if (typeof tablePrefix !== "string" || !/^[a-z_]{0,30}$/.test(tablePrefix))
    invalidOption("tablePrefix", "must be at most 30 of a-z and _");
  return { schema: schema ?? null, prefix: tablePrefix };
}
