import type { SqlEngine } from "../../engine/engine.ts";
import type { Naming } from "../../schema/names.ts";
import { type LaneReader, laneReader } from "./lane-reads.ts";
import { type LaneWriter, laneWriter } from "./lane-writes.ts";
import { NodeWatch } from "./node-watch.ts";
import { firstTableName } from "./placements.ts";

export type { ShardPart } from "./lane-writes.ts";

/**
 * Does work over the stores of all nodes. While a node is lost, the work goes on
 * for the others.
 */
export interface Lanes {
  readonly reader: LaneReader;
  readonly writeEach: LaneWriter;
}

export function citusLanes(engine: SqlEngine, naming: Naming): Lanes {
  const table = firstTableName(engine, naming);
  const watch = new NodeWatch(engine, table);
  return {
    reader: laneReader({ engine, watch, naming, table }),
    writeEach: laneWriter(engine, watch, table),
  };
}
