import type { CompiledQuery } from "kysely";
import { fail } from "#core/contract/errors.ts";
import type { Db, SqlEngine } from "../../engine/engine.ts";
import { many } from "../../engine/queries.ts";
import type { Naming } from "../../schema/names.ts";
import { askNodes, withLiterals } from "./ask-nodes.ts";
import { isUnavailable } from "./is-unavailable.ts";
import type { NodeWatch } from "./node-watch.ts";
import {
  type CitusNode,
  type Placements,
  readShardQueries,
  type ShardQueries,
} from "./placements.ts";

export interface LaneRows<Row> {
  /** The rows as a whole are in no order: only those of one shard are in the order of the query. */
  readonly rows: readonly Row[];
  /** False when a node was lost, whose rows are missing. */
  readonly isComplete: boolean;
}

/** Makes a query that uses the table names of `db`. */
type QueryOf<Row> = (db: Db) => CompiledQuery<Row>;

/** Reads from all shards whose nodes can be reached. */
export type LaneReader = <Values, Row>(
  build: (db: Db) => (values: Values) => CompiledQuery<Row>,
) => (values: Values) => Promise<LaneRows<Row>>;

interface LaneReadOptions {
  readonly engine: SqlEngine;
  readonly watch: NodeWatch;
  readonly naming: Naming;
  readonly table: string;
}

/**
 * Prepares reads of all shards. While every node can be reached, a read is one
 * distributed query. Otherwise each reachable node is asked for its own shards. A
 * read rejects when no node can be reached.
 */
export function laneReader({ engine, watch, naming, table }: LaneReadOptions): LaneReader {
  let shardQueries: Promise<ShardQueries> | undefined;

  /** A read that failed is not kept, so the next call reads again. */
  const findShardQueries = (): Promise<ShardQueries> => {
    shardQueries ??= readShardQueries(engine, naming, table).catch((error: unknown) => {
      shardQueries = undefined;
      throw error;
    });
    return shardQueries;
  };

  async function readLiving<Row>(placements: Placements, queryOf: QueryOf<Row>): Promise<Row[]> {
    const texts = new Map<CitusNode, string[]>();
    for (const [shard, db] of await findShardQueries()) {
      const node = placements.nodeOf.get(shard);
      if (!node || watch.isLost(node)) continue;
      texts.set(node, [...(texts.get(node) ?? []), `(${withLiterals(queryOf(db))})`]);
    }
    if (texts.size === 0) fail("service_unavailable", { retry_after: 1 });

    const commands = [...texts].map(([node, ofShards]) => ({
      node,
      text: `select coalesce(json_agg(r), '[]') from (${ofShards.join(" union all ")}) as r`,
    }));
    const rows: Row[] = [];
    for (const { node, result, error } of await askNodes(engine, commands)) {
      if (result === null) throw new NodeError(node, error);
      rows.push(...(JSON.parse(result) as Row[]));
    }
    return rows;
  }

  /**
   * Reads twice if needed: the second try knows which node was lost and where
   * shards were moved. Another call may find the last living node lost meanwhile, and
   * then the first try has no node to ask.
   */
  async function readLanes<Row>(queryOf: QueryOf<Row>): Promise<Row[]> {
    try {
      const known = await watch.find();
      // A node may have come back before the end of its rest.
      const placements = watch.isEveryLost(known) ? await watch.lookAround() : known;
      return await readLiving(placements, queryOf);
    } catch (error) {
      if (!(error instanceof NodeError || isUnavailable(error))) throw error;
      shardQueries = undefined;
      return readLiving(await watch.lookAround(), queryOf);
    }
  }

  return (build) => {
    const prepared = new WeakMap<Db, ReturnType<typeof build>>();
    const prepare = (db: Db): ReturnType<typeof build> => {
      const query = prepared.get(db) ?? build(db);
      prepared.set(db, query);
      return query;
    };

    return async (values) => {
      if (!watch.isSomeLost(await watch.find()))
        try {
          const rows = await engine.read(() => many(prepare(engine.db)(values)));
          return { rows, isComplete: true };
        } catch (error) {
          if (!isUnavailable(error) || !watch.isSomeLost(await watch.lookAround())) throw error;
        }

      return { rows: await readLanes((db) => prepare(db)(values)), isComplete: false };
    };
  };
}

/** The error of a node that did not answer or that refused the statement. */
class NodeError extends Error {
  override readonly name = "NodeError";

  constructor({ id }: CitusNode, message: string | null) {
    super(`Node ${id}: ${message}`);
  }
}
