import type { WebhookStore } from "#core/storage/webhook-store.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { one } from "../../engine/queries.ts";
import { countBlocks } from "./count-blocks.ts";
import { LookPace } from "./look-pace.ts";
import { dueWorkQuery, type NextWorkRow, nextWorkQuery } from "./next-work.ts";
import { Overlap } from "./overlap.ts";

type NextWork = Awaited<ReturnType<WebhookStore["findNextWork"]>>;

/** Reads what is next: of all that is pending, or only of what is due behind a time. */
export interface NextWorkReads {
  whole(now: number): Promise<NextWorkRow>;
  due(range: { readonly after: number; readonly now: number }): Promise<NextWorkRow>;
  countBlocks(now: number): Promise<number>;
}

export function nextWorkOnPostgres(engine: SqlEngine): WebhookStore["findNextWork"] {
  const whole = nextWorkQuery(engine.db);
  const due = dueWorkQuery(engine.db);
  const none: NextWorkRow = { next_due: null, notices: 0 };

  return findNextWork({
    whole: async (now) => (await engine.read(() => one(whole({ now })))) ?? none,
    due: async (range) => (await engine.read(() => one(due({ ...range })))) ?? none,
    countBlocks: (now) => countBlocks(engine, whole({ now })),
  });
}

/**
 * Finds the next work. While whole looks walk past dead rows, what becomes due later is not looked
 * for, and the time of the next whole look stands for it.
 */
export function findNextWork(reads: NextWorkReads): WebhookStore["findNextWork"] {
  const pace = new LookPace();
  const overlap = new Overlap();
  /** The time before the earliest work that was found and not yet claimed. */
  let reached = 0;
  let later: number | null = null;

  const noteFound = (next_due: number | null, now: number): void => {
    reached = next_due !== null && next_due <= now ? next_due - 1 : now;
  };
  const answer = ({ next_due, notices }: NextWorkRow): NextWork => ({
    next_due,
    notices: notices > 0,
  });

  return async (now) => {
    if (!pace.isWhole(now)) {
      const look = overlap.begin(now);
      const row = await reads.due({ after: Math.min(reached, look.since), now });
      overlap.end(look);
      noteFound(row.next_due, now);
      const nextWhole = now + Math.max(1, Math.ceil(pace.restMs()));
      const isAhead = later !== null && later > now && later < nextWhole;
      return answer({ ...row, next_due: row.next_due ?? (isAhead ? later : nextWhole) });
    }

    const began = performance.now();
    const row = await reads.whole(now);
    overlap.end({ now, isWide: true });
    noteFound(row.next_due, now);
    later = row.next_due !== null && row.next_due > now ? row.next_due : null;
    const took_ms = performance.now() - began;
    await pace.note({ now, took_ms, rows: 1, countBlocks: () => reads.countBlocks(now) });
    return answer(row);
  };
}
