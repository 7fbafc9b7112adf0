import type { SqlEngine } from "../engine/engine.ts";
import type { WriteRows } from "./step-rows.ts";
import { writeRowsApart } from "./write-rows.apart.ts";
import { writeRowsTogether } from "./write-rows.postgres.ts";

/** Citus plans no statement that writes several distributed tables. */
export const writeRowsStep = (engine: SqlEngine): WriteRows =>
  engine.dialect.name === "postgres" && !engine.dialect.isDistributed
    ? writeRowsTogether(engine)
    : writeRowsApart(engine);
