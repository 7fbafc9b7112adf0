import type { SqlEngine } from "../../engine/engine.ts";
import { insertEventsStep } from "../../webhooks/events.ts";
import { followingWrites } from "./following.ts";
import type { WriteRows, WriteStep } from "./step-rows.ts";

/** Writes a step by several statements. `rowsWriter` writes its rows. */
export function writeStepInParts(
  engine: SqlEngine,
  rowsWriter: (engine: SqlEngine) => WriteRows,
): WriteStep {
  const writeRows = rowsWriter(engine);
  const insertEvents = insertEventsStep(engine, followingWrites(engine));

  return function* writeStep(partition, { rows, between, events, first_sequence, totals, stats }) {
    const isIndexed = yield* writeRows(rows);
    yield* between();
    const following = { totals: isIndexed ? totals : null, stats };
    yield* insertEvents(partition, events, first_sequence, following);
  };
}
