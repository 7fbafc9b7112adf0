import type { SqlEngine } from "../engine/engine.ts";
import type { Database } from "../schema/dialect.ts";
import { type FindCheckout, findCheckoutByUnion, findCheckoutOnCitus } from "./find-checkout.ts";
import { lockCheckoutOnCitus } from "./lock/lock-checkout.citus.ts";
import { lockCheckoutInSteps } from "./lock/lock-checkout.ts";
import type { LockCheckout } from "./lock/locks.ts";
import { moneyOnCitus } from "./lock/money.citus.ts";
import { moneyInOneStatement, type ReadMoney } from "./payments.ts";
import type { WriteStep } from "./write/step-rows.ts";
import { writeRowsOnPostgres } from "./write/write-rows.postgres.ts";
import { writeRowsOnSqlite } from "./write/write-rows.sqlite.ts";
import { writeStepOnCitus } from "./write/write-step.citus.ts";
import { writeStepInParts } from "./write/write-step.ts";

/** What the databases do by algorithms of their own, for orders. */
interface OrderAlgorithms {
  readonly lockCheckout: (engine: SqlEngine) => LockCheckout;
  readonly readMoney: (engine: SqlEngine) => ReadMoney;
  readonly findCheckout: (engine: SqlEngine) => FindCheckout;
  readonly writeStep: (engine: SqlEngine) => WriteStep;
}

const plain = {
  lockCheckout: lockCheckoutInSteps,
  readMoney: moneyInOneStatement,
  findCheckout: findCheckoutByUnion,
};

const algorithms: Readonly<Record<Database, OrderAlgorithms>> = {
  sqlite: { ...plain, writeStep: (engine) => writeStepInParts(engine, writeRowsOnSqlite) },
  postgres: { ...plain, writeStep: (engine) => writeStepInParts(engine, writeRowsOnPostgres) },
  citus: {
    lockCheckout: lockCheckoutOnCitus,
    readMoney: moneyOnCitus,
    findCheckout: findCheckoutOnCitus,
    writeStep: writeStepOnCitus,
  },
};

/** Gives the algorithms of the engine's database. */
export const orderAlgorithms = ({ dialect }: SqlEngine): OrderAlgorithms =>
  algorithms[dialect.database];
