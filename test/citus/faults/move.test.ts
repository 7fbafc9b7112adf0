import type pg from "pg";
import { expect, test } from "vitest";
import { openCitusOn } from "../storages.ts";
import { checkBooks, openShops, startLoad } from "./load.ts";

interface Move {
  readonly from: number;
  readonly until: number;
}

test("shards that are moved under purchases lose nothing", { timeout: 300_000 }, async () => {
  const { storage, pool, schema } = await openCitusOn({ preparedStatements: true });
  const shops = await openShops(storage, 8);

  const load = startLoad(shops);
  const moves = await moveEach(pool, schema);
  await load.end(pool, schema);
  const events = await checkBooks(pool, schema, load.purchases);

  const failed = load.purchases.filter(({ error }) => error !== null);
  const durations = load.purchases.map(({ at, ended }) => ended - at);
  console.log(
    `${moves.length} moves of ${moves.map(({ from, until }) => until - from).join(", ")} ms, ` +
      `${load.purchases.length - failed.length} purchases paid, ${failed.length} refused, ` +
      `the slowest took ${Math.max(...durations)} ms, ${events} events, ` +
      `${load.failedRuns.length} failed runs`,
  );
  expect(moves.length).toBeGreaterThan(1);
  const duringMove = (at: number, ended: number): boolean =>
    moves.some(({ from, until }) => at <= until && ended >= from);
  // A call that reaches the old node finds no store there, and is tried again at the new one.
  expect(String(failed.map(({ error }) => error))).not.toContain("query on a shard");
  expect(failed.filter(({ at, ended }) => !duringMove(at, ended))).toEqual([]);
  expect(load.failedRuns).toEqual([]);
});

/** Moves each shard, with those of the other tables beside it, to the other node. */
async function moveEach(pool: pg.Pool, schema: string): Promise<readonly Move[]> {
  const { rows: shards } = await pool.query(
    `select s.shardid, n.nodename, n.nodeport from pg_dist_shard as s
      join pg_dist_placement as p using (shardid) join pg_dist_node as n using (groupid)
      where s.logicalrelid = cast($1 as regclass) order by s.shardid`,
    [`${schema}.orders`],
  );
  const { rows: nodes } = await pool.query(
    "select nodename, nodeport from pg_dist_node where shouldhaveshards order by nodeid",
  );

  const moves: Move[] = [];
  for (const { shardid, nodename, nodeport } of shards) {
    const target = nodes.find((node) => node.nodename !== nodename || node.nodeport !== nodeport);
    const from = Date.now();
    await pool.query("select citus_move_shard_placement($1, $2, $3, $4, $5, 'force_logical')", [
      shardid,
      nodename,
      nodeport,
      target.nodename,
      target.nodeport,
    ]);
    moves.push({ from, until: Date.now() });
  }
  return moves;
}
