import type { CompiledQuery } from "kysely";
import type { SqlEngine } from "../engine/engine.ts";
import { many } from "../engine/queries.ts";

/**
 * Runs a write of one statement, without a transaction around it where that saves a
 * round trip.
 */
export const writeStatement =
  (engine: SqlEngine) =>
  <T>(query: () => CompiledQuery<T>): Promise<readonly T[]> =>
    engine.writeOne ? engine.writeOne(query) : engine.write(() => many(query()));
