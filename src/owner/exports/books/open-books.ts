import { z } from "zod";
import { sleep } from "../../../domain/async/sleep.ts";
import { dayMs } from "../../../domain/durations.ts";
import { check, refuse } from "../../../input/check.ts";
import { foreignId, locale, moment, timezone } from "../../../input/fields.ts";
import { startOfHour } from "../../../rules/owner/stats.ts";
import type { Partition } from "../../../rules/records.ts";
import { type OwnerContext, requireStore } from "../../context.ts";
import { longestMs } from "../../stats/stats.ts";
import { exportOpened, type OwnerExport } from "../open-export.ts";
import { csvType, writeRows } from "../write-rows.ts";
import { openBalance } from "./corrections.ts";
import { booksLines, booksWriter, localDay } from "./lines.ts";
import { type Movement, readMovements, type Span } from "./movements.ts";

const BooksQuery = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  from: moment,
  to: moment,
  /** `items` writes a line for each item of a sale. It is `movements` by default. */
  lines: z.enum(booksLines).nullish(),
  /** The language of the file. It is the store's by default. */
  locale: locale.nullish(),
  /** The times are those of this zone. It is the store's by default. */
  timezone: timezone.nullish(),
  /** True writes tax ids as they are stored, with three digits. Otherwise they are `***`. */
  tax_ids: z.boolean().nullish(),
});

/**
 * Selects the money that moved in a span of time. As in `stats`, `from` and `to` are rounded down
 * to the hour, `to` is not included, and lies at most 400 days after `from`.
 */
export interface BooksQuery extends z.input<typeof BooksQuery> {}

/** The longest time whose numbers are held in memory at once. */
const spanMs = 31 * dayMs;

/** Reads the first lines at once, so that a storage that is down is known before an answer. */
export async function openBooks(ctx: OwnerContext, input: BooksQuery): Promise<OwnerExport> {
  const query = check(BooksQuery, input);
  const { store_id, livemode } = query;
  const from = startOfHour(query.from);
  const to = startOfHour(query.to);
  if (to <= from) refuse("to", "must be at least an hour after from");
  if (to - from > longestMs) refuse("to", "must be at most 400 days after from");

  const store = await requireStore(ctx, store_id);
  const timeZone = query.timezone ?? store.timezone;
  const writer = booksWriter({
    lines: query.lines ?? "movements",
    locale: query.locale ?? store.locale,
    timezone: timeZone,
    tax_ids: query.tax_ids ?? false,
  });

  const pages = pagesOf(ctx, { store_id, livemode }, { from, to });
  const first = await pages.next();
  await ctx.storage.audit.note(exportOpened({ store_id, livemode, kind: "books", format: "csv" }));

  const days = [from, to - 1].map((at) => localDay(at, timeZone)[0]).join("_");
  // A file of Excel needs the byte order mark to be read as UTF-8.
  const start = `\uFEFF${writer.head}`;
  const row = (movement: Movement): string => writer.line(movement);
  return {
    body: {
      [Symbol.asyncIterator]: () => writeRows(continued(first, pages), { start, row }),
    },
    contentType: csvType,
    filename: `${store.slug}-books-${livemode ? "live" : "test"}-${days}.csv`,
  };
}

type Pages = AsyncGenerator<readonly Movement[], void>;

async function* continued(first: IteratorResult<readonly Movement[], void>, pages: Pages): Pages {
  try {
    if (first.done) return;
    yield first.value;
    yield* pages;
  } finally {
    await pages.return();
  }
}

const linesPerPage = 100;

/** Reads the movements month by month, each with its corrections at the end. */
async function* pagesOf(ctx: OwnerContext, of: Partition, { from, to }: Span): Pages {
  for (let start = from; start < to; start += spanMs) {
    const span = { from: start, to: Math.min(to, start + spanMs) };
    const balance = await openBalance(ctx, of, span);
    let page: Movement[] = [];
    for await (const movement of readMovements(ctx, of, span)) {
      balance.book(movement);
      page.push(movement);
      if (page.length < linesPerPage) continue;

      yield page;
      page = [];
      // SQLite reads a page without letting other work run.
      await sleep(0);
    }
    yield [...page, ...balance.rest()];
  }
}
