import type { SqlEngine } from "../engine/engine.ts";
import { moneyOnCitus } from "./money.citus.ts";
import { moneyInOneStatement, type ReadMoney } from "./payments.ts";

/** Reads the money of an order, and what carries a reference elsewhere. */
export const moneyReader = (engine: SqlEngine): ReadMoney =>
  engine.dialect.isDistributed ? moneyOnCitus(engine) : moneyInOneStatement(engine);
