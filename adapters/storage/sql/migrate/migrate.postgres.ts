import { setTimeout as wait } from "node:timers/promises";
import type { PlannedStatement } from "#core/storage/migration-plan.ts";
import type { PostgresEngine } from "../engine/postgres/postgres-engine.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import { clearWay } from "../grow/clear-way.ts";
import { growByOneStep, mustGrow } from "../grow/grow.ts";
import { type Naming, nameStatement } from "../schema/names.ts";
import { migrationTable } from "../schema/table-names.ts";
import { type Advance, advance } from "./advance.ts";
import { distribute, requireCitus } from "./distribute.ts";
import {
  type AppliedMigration,
  findPending,
  migrate,
  refuseForeignTables,
  run,
  tableExists,
} from "./migrate.ts";
import {
  findBlockers,
  findLostTurn,
  readPlan,
  refuseBlocked,
  refuseOldTransactions,
} from "./plan.ts";
import {
  requireOwnership,
  requireRights,
  requireSuitableDatabase,
} from "./requirements.postgres.ts";
import type { MigrationStep } from "./steps.ts";

export interface MigrationWaits {
  /** A statement waits so long for a table's lock. Other sessions queue behind it meanwhile. */
  readonly lockMs: number;
  /** No lock is held for so long between two tries. */
  readonly pauseMs: number;
  /** A statement whose lock is refused is tried for so long in all. */
  readonly patienceMs: number;
  /** A transaction that is older is not waited for. */
  readonly oldTransactionSeconds: number;
}

export const usualWaits: MigrationWaits = {
  lockMs: 200,
  pauseMs: 2_000,
  patienceMs: 120_000,
  oldTransactionSeconds: 60,
};

/**
 * Migrates in many short transactions, any number of processes together: each transaction
 * does one statement and records it. A statement waits for one table's lock, holds no other
 * meanwhile, and gives up soon, because everything that comes later waits behind it.
 */
export async function migratePostgres(
  engine: PostgresEngine,
  naming: Naming,
  waits: MigrationWaits = usualWaits,
): Promise<void> {
  refuseOldTransactions(await planPostgres(engine, naming), waits.oldTransactionSeconds);
  let refusedSince: number | null = null;

  for (;;) {
    let step: MigrationStep | null = null;
    const onStep = (next: MigrationStep): void => {
      step = next;
    };
    const result = await takeTurn(engine, naming, { waits, onStep });
    if (result.blocked) {
      refusedSince ??= performance.now();
      if (performance.now() - refusedSince > waits.patienceMs)
        await refuseStep(engine, step, result.cause);
      await wait(waits.pauseMs * (0.5 + Math.random()));
      continue;
    }

    if (result.value === "migrated") return;
    if (result.value === "busy") await wait(50 + Math.random() * 100);
    else refusedSince = null;
  }
}

/** Gives what is still to run, and changes nothing. Refuses what a migration would refuse. */
export async function planPostgres(
  engine: PostgresEngine,
  naming: Naming,
): Promise<readonly PlannedStatement[]> {
  const read = await engine.writeUnlessBlocked(function* () {
    yield* run(liftTimeouts);
    yield* requireSuitableDatabase(naming);
    const plan = yield* readPlan(naming, engine.dialect);
    yield* plan.length > 0 ? requireOwnership(naming) : requireRights(naming);
    return plan;
  });
  if (read.blocked) throw read.cause;
  return read.value;
}

interface Turn {
  readonly waits: MigrationWaits;
  readonly onStep: (step: MigrationStep) => void;
}

type TurnResult =
  | { readonly blocked: true; readonly cause: unknown }
  | { readonly blocked: false; readonly value: "migrated" | "busy" | "advanced" };

async function takeTurn(engine: PostgresEngine, naming: Naming, turn: Turn): Promise<TurnResult> {
  const work = () => engine.writeUnlessBlocked(() => migrateAlone(engine, naming, turn));
  const write = await (engine.dialect.database === "citus" ? clearWay(engine, work) : work());
  if (write.blocked) return write;

  const { value } = write;
  if (value === "migrated") return { blocked: false, value };
  if (value.outcome !== "outside") return { blocked: false, value: value.outcome };

  const outside = await engine.runUnlessBlocked(function* () {
    for (const statement of value.statements) yield* run(statement);
  }, turn.waits.patienceMs);
  return outside.blocked ? outside : { blocked: false, value: "advanced" };
}

/** Does nothing while another process has its turn. */
function* migrateAlone(
  engine: PostgresEngine,
  naming: Naming,
  { waits, onStep }: Turn,
): QueryGenerator<"migrated" | Advance> {
  const { dialect } = engine;
  yield* run(liftTimeouts);
  const [lock] = yield* run<{ readonly taken: string }>(takeLock);
  if (lock?.taken !== "true") {
    const blockers = yield* findLostTurn(turnKey, waits.oldTransactionSeconds);
    if (blockers.length > 0) refuseBlocked({ locks: null, sql: takeLock, blockers });
    return { outcome: "busy" };
  }

  yield* requireSuitableDatabase(naming);
  if (dialect.database === "citus") yield* requireCitus();

  // Nobody reads tables that do not exist yet, so that one transaction makes them all.
  if (!(yield* tableExists(migrationTable, naming, dialect))) {
    yield* migrate(naming, dialect, { indexesText: true });
    return yield* finish(engine, naming);
  }

  yield* refuseForeignTables(naming, dialect, true);
  const applied = yield* run<AppliedMigration>(
    nameStatement(`select * from {${migrationTable}}`, naming, dialect),
  );
  const [pending] = findPending(applied, dialect);
  if (!pending) return yield* finish(engine, naming);

  yield* requireOwnership(naming);
  yield* run("select set_config('lock_timeout', $1, true)", [`${waits.lockMs}ms`]);
  return yield* advance(pending, { naming, dialect }, onStep);
}

function* finish(
  { dialect }: PostgresEngine,
  naming: Naming,
): QueryGenerator<"migrated" | Advance> {
  if (dialect.database !== "citus") return "migrated";
  if (yield* mustGrow(naming, dialect)) {
    yield* growByOneStep(naming, dialect);
    return { outcome: "advanced" };
  }

  yield* run("select set_config('lock_timeout', '5s', true)");
  yield* distribute(naming, dialect);
  return "migrated";
}

async function refuseStep(
  engine: PostgresEngine,
  step: MigrationStep | null,
  cause: unknown,
): Promise<never> {
  const locks = step?.locks ?? null;
  const runs = step?.runs ?? "transaction";
  const blockers = await engine.read(() => findBlockers({ locks, runs })).catch(() => []);
  return refuseBlocked({ locks, sql: step?.sql ?? "a statement", blockers }, cause);
}

/** The host's time-outs fit its requests, and an index may take longer to build. */
const liftTimeouts = `select set_config(name, '0', true) from pg_settings where name in
  ('statement_timeout', 'lock_timeout', 'transaction_timeout',
  'idle_in_transaction_session_timeout')`;

/**
 * The lock is asked for rather than awaited: a wait inside the database would meet
 * the time-outs of poolers, and its open transaction would hold up others.
 */
const turnKey = 7_381_221;
const takeLock = `select pg_try_advisory_xact_lock(${turnKey})::text as taken`;
