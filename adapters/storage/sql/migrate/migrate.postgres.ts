import { setTimeout as wait } from "node:timers/promises";
import { fail } from "#core/contract/errors.ts";
import type { PostgresEngine } from "../engine/postgres/postgres-engine.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import type { Naming } from "../schema/names.ts";
import { distribute, requireCitus } from "./distribute.ts";
import { migrate, run } from "./migrate.ts";

const maxBlockedTries = 12;

/**
 * Migrates in one transaction, one process at a time. A statement that waits for a
 * table's lock makes all later queries of that table wait behind it, so that it
 * waits 5 seconds at most. Then everything is rolled back and tried again, twelve
 * times in all.
 */
export async function migratePostgres(engine: PostgresEngine, naming: Naming): Promise<void> {
  let blockedTries = 0;

  for (;;) {
    const write = await engine.writeUnlessBlocked(() => migrateAlone(engine, naming));
    if (!write.blocked && write.value === "migrated") return;

    if (write.blocked) blockedTries += 1;
    if (write.blocked && blockedTries >= maxBlockedTries) refuseBlocked(write.cause);
    await wait(50 + Math.random() * 100);
  }
}

/** Gives up at once, and changes nothing, while another process migrates. */
function* migrateAlone(
  engine: PostgresEngine,
  naming: Naming,
): QueryGenerator<"migrated" | "busy"> {
  yield* run(liftTimeouts);
  const [lock] = yield* run<{ readonly taken: string }>(takeLock);
  if (lock?.taken !== "true") return "busy";

  yield* requireSuitableDatabase(naming);
  yield* run(boundLockWaits);
  yield* tablesOf[engine.dialect.database](engine, naming);
  return "migrated";
}

function* migrateTables({ dialect }: PostgresEngine, naming: Naming): QueryGenerator<void> {
  yield* migrate(naming, dialect, { indexesText: true });
}

function* migrateOnCitus(engine: PostgresEngine, naming: Naming): QueryGenerator<void> {
  yield* requireCitus();
  yield* migrateTables(engine, naming);
  yield* distribute(naming, engine.dialect);
}

const tablesOf = { sqlite: migrateTables, postgres: migrateTables, citus: migrateOnCitus } as const;

/** The host's time-outs fit its requests, and an index may take longer to build. */
const liftTimeouts = `select set_config(name, '0', true) from pg_settings where name in
  ('statement_timeout', 'lock_timeout', 'transaction_timeout',
  'idle_in_transaction_session_timeout')`;

/**
 * The lock is asked for rather than awaited: a wait inside the database would meet
 * the time-outs of poolers, and its open transaction would hold up others.
 */
const takeLock = "select pg_try_advisory_xact_lock(7381221)::text as taken";

const boundLockWaits = "select set_config('lock_timeout', '5s', true)";

interface DatabaseSettings {
  readonly encoding: string;
  readonly schema: string | null;
}

function* requireSuitableDatabase({ schema }: Naming): QueryGenerator<void> {
  const [database] = yield* run<DatabaseSettings>(
    `select current_setting('server_encoding') as encoding,
      coalesce($1, current_schema()) as schema`,
    [schema],
  );

  if (database?.encoding !== "UTF8")
    fail("invalid_option", {
      param: "storage",
      message:
        `The database's encoding is ${database?.encoding}, which cannot store every text. Use one` +
        " made by: create database … encoding 'UTF8' template template0.",
    });
  if (database.schema === null)
    fail("invalid_option", {
      param: "storage",
      message:
        "The connection's search_path names no schema that exists. Set the option schema, or" +
        " search_path.",
    });
}

const refuseBlocked = (cause: unknown): never =>
  fail("service_unavailable", {
    retry_after: 60,
    message:
      `migrate() was refused a table's lock ${maxBlockedTries} times: another session holds it` +
      " for longer than 5 seconds. Nothing was changed. Find that session with `select pid," +
      " pg_blocking_pids(pid), state, query from pg_stat_activity`, let it end, and call" +
      " migrate() again.",
    cause,
  });
