import { statsWrite } from "../../access/add-stats.ts";
import { partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, prepareRaw } from "../../engine/queries.ts";
import {
  type FollowingWrites,
  followingValues,
  wantedOf,
} from "../../webhooks/event-statements.ts";
import { addTotals } from "./order-index.ts";

/** Makes the writes that follow the lock on the counters. */
export function followingWrites(engine: SqlEngine): FollowingWrites {
  const texts = { totals: addTotals(engine.dialect), stats: statsWrite(engine.dialect) };
  return { texts, write: followingWriter(engine, texts) };
}

/** Writes them by one statement for each table. */
function followingWriter(
  { db }: SqlEngine,
  texts: FollowingWrites["texts"],
): FollowingWrites["write"] {
  const statements = {
    totals: prepareRaw<unknown>(db, (param) => texts.totals(param, null)),
    stats: prepareRaw<unknown>(db, (param) => texts.stats(param, null)),
  };

  return function* writeFollowing(partition, following) {
    const values = { ...partitionColumns(partition), ...followingValues(following) };
    for (const name of wantedOf(following)) yield* many(statements[name](values));
  };
}
