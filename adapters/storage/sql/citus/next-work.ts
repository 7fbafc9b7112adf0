import type { WebhookStore } from "#core/storage/webhook-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { countBlocks } from "../webhooks/claim/count-blocks.ts";
import { findNextWork } from "../webhooks/claim/next-work.postgres.ts";
import { dueWorkQuery, type NextWorkRow, nextWorkQuery } from "../webhooks/claim/next-work.ts";
import type { Lanes } from "./lanes/lanes.ts";

/** Finds the next work among those of all shards. */
export function nextWorkOnCitus(engine: SqlEngine, lanes: Lanes): WebhookStore["findNextWork"] {
  const whole = nextWorkQuery(engine.db);
  const findAll = lanes.reader(nextWorkQuery);
  const findDue = lanes.reader(dueWorkQuery);

  return findNextWork({
    whole: async (now) => soonest((await findAll({ now })).rows),
    due: async (range) => soonest((await findDue({ ...range })).rows),
    countBlocks: (now) => countBlocks(engine, whole({ now })),
  });
}

function soonest(rows: readonly NextWorkRow[]): NextWorkRow {
  const times = rows.flatMap(({ next_due }) => next_due ?? []);
  return {
    next_due: times.length === 0 ? null : Math.min(...times),
    notices: rows.reduce((sum, { notices }) => sum + notices, 0),
  };
}
