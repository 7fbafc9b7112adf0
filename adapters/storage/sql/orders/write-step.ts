import type { SqlEngine } from "../engine/engine.ts";
import { insertEventsStep } from "../webhooks/events.ts";
import { followingWrites } from "./following.ts";
import type { WriteStep } from "./step-rows.ts";
import { writeRowsStep } from "./write-rows.ts";
import { writeStepOnCitus } from "./write-step.citus.ts";

/** Chooses how a step is written. */
export const stepWriter = (engine: SqlEngine): WriteStep =>
  engine.dialect.isDistributed ? writeStepOnCitus(engine) : writeStepInParts(engine);

function writeStepInParts(engine: SqlEngine): WriteStep {
  const writeRows = writeRowsStep(engine);
  const insertEvents = insertEventsStep(engine, followingWrites(engine));

  return function* writeStep(partition, { rows, between, events, first_sequence, totals, stats }) {
    const isIndexed = yield* writeRows(rows);
    yield* between();
    const following = { totals: isIndexed ? totals : null, stats };
    yield* insertEvents(partition, events, first_sequence, following);
  };
}
