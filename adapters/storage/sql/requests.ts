import {
  type NumberedBlock,
  oldestKept,
  type RequestBlock,
} from "../../../src/rules/request-log.ts";
import type { RequestLogStore } from "../../../src/storage/request-log-store.ts";
import { partitionColumns } from "./engine/columns.ts";
import type { SqlEngine } from "./engine/engine.ts";
import { changed, many, one, type QueryGenerator } from "./engine/queries.ts";
import type { Tables } from "./schema/tables.ts";

const mostFound = 100;

export const sqlRequests = (engine: SqlEngine): RequestLogStore => ({
  // The log may lose its last moments in a power cut: it does not wait for the disk.
  append: (block) => engine.writeRelaxed(() => append(engine, block)),

  listBlocks: ({ before, limit, now, ...partition }) =>
    engine.read(function* (): QueryGenerator<readonly NumberedBlock[]> {
      const { store_id, livemode } = partitionColumns(partition);
      const blocks = engine.db
        .selectFrom("request_blocks")
        .selectAll()
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("expires_at", ">", now)
        .orderBy("number", "desc")
        .limit(limit);
      const rows = yield* many(before === null ? blocks : blocks.where("number", "<", before));
      return rows.map(blockOf);
    }),

  findBlocks: ({ store_id, id, now }) =>
    engine.read(function* (): QueryGenerator<readonly NumberedBlock[]> {
      const rows = yield* many(
        engine.db
          .selectFrom("request_blocks")
          .selectAll()
          .where("store_id", "=", store_id)
          .where("livemode", "in", [0, 1])
          .where("last_id", ">=", id)
          .where("first_id", "<=", id)
          .where("expires_at", ">", now)
          .limit(mostFound),
      );
      return rows.map(blockOf);
    }),
});

function* append(engine: SqlEngine, block: RequestBlock): QueryGenerator<void> {
  const { db } = engine;
  const columns = partitionColumns(block);

  for (;;) {
    const newest = yield* one(
      db
        .selectFrom("request_blocks")
        .select(["number", "places"])
        .where("store_id", "=", columns.store_id)
        .where("livemode", "=", columns.livemode)
        .orderBy("number", "desc")
        .limit(1),
    );
    const number = newest ? newest.number + newest.places : 0;
    const row = { ...block, ...columns, number };
    const insert = db
      .insertInto("request_blocks")
      .values(row)
      .onConflict((conflict) => conflict.doNothing());
    if (yield* changed(insert.compile())) return yield* deleteOldest(engine, row);

    // Either this very block is there, or another process took the number: the next look sees it.
    if (yield* isThere(engine, row)) return;
  }
}

type BlockRow = Tables["request_blocks"];

function* isThere(
  { db }: SqlEngine,
  { store_id, livemode, last_id }: BlockRow,
): QueryGenerator<boolean> {
  const row = yield* one(
    db
      .selectFrom("request_blocks")
      .select("number")
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("last_id", "=", last_id),
  );
  return row !== undefined;
}

function* deleteOldest(
  { db }: SqlEngine,
  { store_id, livemode, number, places }: BlockRow,
): QueryGenerator<void> {
  yield* many(
    db
      .deleteFrom("request_blocks")
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("number", "<", oldestKept(number + places)),
  );
}

const blockOf = ({ livemode, ...row }: BlockRow): NumberedBlock => ({
  ...row,
  livemode: livemode === 1,
});
