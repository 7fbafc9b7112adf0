import type { Partition } from "#core/rules/records.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { one, prepare, type QueryGenerator } from "../engine/queries.ts";

/**
 * Reads how far the clock of a mode is ahead, and keeps it from being turned until the
 * commit. Live mode has no clock of its own: nothing is read or locked.
 */
export function offsetReader({ db, dialect }: SqlEngine) {
  const find = prepare((param) =>
    dialect.forKeyShare(
      db.selectFrom("stores").select("test_offset").where("id", "=", param<string>("store_id")),
    ),
  );

  return function* readOffset({ store_id, livemode }: Partition): QueryGenerator<number> {
    if (livemode) return 0;
    return (yield* one(find({ store_id })))?.test_offset ?? 0;
  };
}
