import { sql } from "kysely";
import { expect, test } from "vitest";
import { laneReader } from "../../adapters/storage/sql/citus/lanes/lane-reads.ts";
import { NodeWatch } from "../../adapters/storage/sql/citus/lanes/node-watch.ts";
import type { SqlEngine } from "../../adapters/storage/sql/engine/engine.ts";
import { postgresQueries } from "../../adapters/storage/sql/engine/postgres/postgres-queries.ts";
import type { QueryGenerator } from "../../adapters/storage/sql/engine/queries.ts";
import { namesWith } from "../../adapters/storage/sql/schema/names.ts";
import { fail } from "../../src/contract/errors.ts";

const naming = { schema: null, prefix: "" };
const table = "orders";

/** What a coordinator says whose node `b` is lost at first. No cluster can be told when to fail. */
function coordinator() {
  const state = { failsOnNames: false, lost: "b" };
  const answer = (text: string, parameters: readonly unknown[]): readonly unknown[] => {
    if (text.includes("pg_dist_node"))
      return [
        { shard: 1, host: "a", port: 5432 },
        { shard: 2, host: "b", port: 5432 },
      ];
    if (text.includes("pg_dist_partition")) {
      if (state.failsOnNames) fail("service_unavailable");
      return [1, 2].map((shard) => ({ shard, schema: "public", name: table, own_shard: shard }));
    }
    if (text.includes("master_run_on_worker"))
      return (parameters[0] as readonly string[]).map((host, place) => ({
        place,
        has_answered: host === state.lost ? 0 : 1,
        result: host === state.lost ? "no connection to the server" : '[{"n":1}]',
      }));
    return fail("service_unavailable");
  };

  const read = async <T>(work: () => QueryGenerator<T>): Promise<T> => {
    const run = work();
    let step = run.next();
    while (!step.done) step = run.next(answer(step.value.sql, step.value.parameters));
    return step.value;
  };
  return { state, engine: { read, db: postgresQueries(namesWith(naming)) } as SqlEngine };
}

function openReader() {
  const { state, engine } = coordinator();
  const watch = new NodeWatch(engine, table);
  const read = laneReader({ engine, watch, naming, table })(
    (db) => () => sql<{ n: number }>`select 1 as n from ${sql.table(table)}`.compile(db),
  );
  return { state, read };
}

test("while a node is lost, a read that failed once does not fail for ever", async () => {
  const { state, read } = openReader();

  state.failsOnNames = true;
  await expect(read({})).rejects.toMatchObject({ code: "service_unavailable" });
  state.failsOnNames = false;
  expect(await read({})).toEqual({ rows: [{ n: 1 }], isComplete: false });
});

test("a node that has come back is read when the other is lost, although its rest is not over", async () => {
  const { state, read } = openReader();
  expect(await read({})).toEqual({ rows: [{ n: 1 }], isComplete: false });

  state.lost = "a";
  expect(await read({})).toEqual({ rows: [{ n: 1 }], isComplete: false });
});
