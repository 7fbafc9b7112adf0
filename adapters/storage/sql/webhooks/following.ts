import type { Partition } from "../../../../src/rules/records.ts";
import { partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import { type Following, type FollowingWrites, wantedOf } from "./event-statements.ts";

/** Writes what follows the lock on the counters, by one statement for each table. */
export function followingWriter({ db }: SqlEngine, writes: FollowingWrites) {
  const statements = {
    totals: prepareRaw<unknown>(db, (param) => writes.totals(param, null)),
    stats: prepareRaw<unknown>(db, (param) => writes.stats(param, null)),
  };

  return function* writeFollowing(
    partition: Partition,
    following: Following,
  ): QueryGenerator<void> {
    for (const name of wantedOf(following))
      yield* many(statements[name]({ ...partitionColumns(partition), ...following[name] }));
  };
}
