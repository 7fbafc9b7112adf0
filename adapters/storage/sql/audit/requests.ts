import { sql } from "kysely";
import {
  type NumberedBlock,
  oldestKept,
  type RequestBlock,
} from "#core/rules/request-log/request-log.ts";
import type { RequestLogStore } from "#core/storage/request-log-store.ts";
import { ofPartition, partitionColumns } from "../engine/columns.ts";
import { directionOf } from "../engine/direction.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { changed, many, one, prepareRaw, type QueryGenerator } from "../engine/queries.ts";
import type { Database } from "../schema/dialect.ts";
import type { Tables } from "../schema/tables.ts";

const mostFound = 100;

export const sqlRequests = (engine: SqlEngine): RequestLogStore => ({
  append: blockAppender(engine),

  listBlocks: ({ before, limit, now, oldest_first, ...partition }) =>
    engine.read(function* (): QueryGenerator<readonly NumberedBlock[]> {
      const { way, sign } = directionOf(oldest_first);
      const blocks = engine.db
        .selectFrom("request_blocks")
        .selectAll()
        .where(ofPartition(partition))
        .where("expires_at", ">", now)
        .orderBy("number", way)
        .limit(limit);
      const rows = yield* many(before === null ? blocks : blocks.where("number", sign, before));
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

function blockAppender(engine: SqlEngine): RequestLogStore["append"] {
  const { newest, insert, isThere, deleteBefore } = blockStatements(engine);
  const appendAtOnce = appendStatement(engine);

  function* append(row: BlockRow): QueryGenerator<void> {
    for (;;) {
      const last = yield* one(newest(row));
      const number = last ? last.number + last.places : 0;
      if (yield* changed(insert({ ...row, number }))) {
        yield* many(deleteBefore({ ...row, number: oldestKept(number + row.places) }));
        return;
      }

      // Either this very block is stored already, or another process took the
      // number: then the loop looks again.
      if (yield* one(isThere(row))) return;
    }
  }

  return async (block) => {
    const row = { ...block, ...partitionColumns(block) };
    if (engine.writeOne && appendsAtOnce[engine.dialect.database]) {
      const places_beyond = oldestKept(row.places);
      const appended = await engine.writeOne(() => appendAtOnce({ ...row, places_beyond }));
      if (appended.length > 0) return;
    }

    // This write does not wait for the disk: the log may lose its last moments in a power cut.
    await engine.writeRelaxed(() => append(row));
  };
}

/** Citus plans fewer kinds of statements: there the work is a transaction of simple ones. */
const appendsAtOnce: Readonly<Record<Database, boolean>> = {
  sqlite: true,
  postgres: true,
  citus: false,
};

type BlockRow = Omit<RequestBlock, "livemode"> & ReturnType<typeof partitionColumns>;

/**
 * Appends a block and deletes the oldest ones in one statement, where a transaction
 * takes five round trips. It gives no row when the block is stored already, or when
 * another process took its number.
 */
const appendStatement = ({ db }: SqlEngine) =>
  prepareRaw<{ number: number }>(db, (param) => {
    const blocks = sql.table("request_blocks");
    const ofStore = sql`store_id = ${param("store_id")} and livemode = ${param("livemode")}`;
    return sql`
      with log_end as (
        select coalesce((select number + places from ${blocks} where ${ofStore}
          order by number desc limit 1), 0) as number),
      appended as (
        insert into ${blocks}
          (store_id, livemode, number, places, first_id, last_id, expires_at, entries)
        select ${param("store_id")}, ${param("livemode")}, number, ${param("places")},
          ${param("first_id")}, ${param("last_id")}, ${param("expires_at")}, ${param("entries")}
        from log_end
        on conflict do nothing returning number),
      deleted as (
        delete from ${blocks} where ${ofStore}
          and number < (select number from appended) + cast(${param("places_beyond")} as bigint))
      select number from appended`;
  });

function blockStatements({ db }: SqlEngine) {
  const blocks = sql.table("request_blocks");

  return {
    newest: prepareRaw<{ number: number; places: number }>(
      db,
      (param) => sql`select number, places from ${blocks}
        where store_id = ${param("store_id")} and livemode = ${param("livemode")}
        order by number desc limit 1`,
    ),
    insert: prepareRaw<unknown>(
      db,
      (param) => sql`insert into ${blocks}
          (store_id, livemode, number, places, first_id, last_id, expires_at, entries)
        values (${param("store_id")}, ${param("livemode")}, ${param("number")},
          ${param("places")}, ${param("first_id")}, ${param("last_id")},
          ${param("expires_at")}, ${param("entries")})
        on conflict do nothing`,
    ),
    isThere: prepareRaw<{ number: number }>(
      db,
      (param) => sql`select number from ${blocks}
        where store_id = ${param("store_id")} and livemode = ${param("livemode")}
          and last_id = ${param("last_id")}`,
    ),
    deleteBefore: prepareRaw<unknown>(
      db,
      (param) => sql`delete from ${blocks}
        where store_id = ${param("store_id")} and livemode = ${param("livemode")}
          and number < ${param("number")}`,
    ),
  };
}

const blockOf = ({ livemode, ...row }: Tables["request_blocks"]): NumberedBlock => ({
  ...row,
  livemode: livemode === 1,
});
