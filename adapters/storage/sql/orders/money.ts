import type { SqlEngine } from "../engine/engine.ts";
import { moneyOnCitus } from "./money.citus.ts";
import { moneyInOneStatement, type ReadMoney } from "./payments.ts";

/** Chooses how the money of an order is read. */
export const moneyReader = (engine: SqlEngine): ReadMoney =>
  engine.dialect.isDistributed ? moneyOnCitus(engine) : moneyInOneStatement(engine);
