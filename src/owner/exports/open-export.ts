import { z } from "zod";
import type { Page } from "../../contract/routes.ts";
import { sleep } from "../../domain/async/sleep.ts";
import { csvRow } from "../../domain/text/csv.ts";
import { iso } from "../../domain/text/iso.ts";
import { check, refuse } from "../../input/check.ts";
import { foreignId } from "../../input/fields.ts";
import { storeAction } from "../../rules/audit/audit-changes.ts";
import type { AuditedChange } from "../../rules/audit/audit-records.ts";
import { type OwnerContext, requireStore } from "../context.ts";
import { cellOf } from "./cells.ts";
import { type ExportedKind, type ExportFilters, type ExportKind, exportedKinds } from "./kinds.ts";
import { csvType, type Writer, writeRows } from "./write-rows.ts";

const exportFormats = ["csv", "jsonl"] as const;

/** Says in which format an export is written. */
export interface ExportFormat {
  /** `csv` is not offered for `events`, whose data differs from type to type. */
  readonly format: (typeof exportFormats)[number];
  /**
   * True writes a byte order mark at the beginning of a CSV. Without it, Excel does
   * not recognize UTF-8. It is false by default.
   */
  readonly bom?: boolean | null;
}

/** The filters of the list of this kind, with the format. */
export type ExportQuery<Kind extends ExportKind> = ExportFilters[Kind] & ExportFormat;

/** An export that is being read. Its bytes come as fast as they are taken. */
export interface OwnerExport {
  /**
   * The bytes of the export. The next page is read when the reader has taken
   * the one before.
   */
  readonly body: AsyncIterable<Uint8Array>;
  readonly contentType: string;
  /**
   * The name of the file, such as `my-store-orders-live-2026-01-31.csv`. The
   * day is in UTC.
   */
  readonly filename: string;
}

/**
 * Tells the audit log of an export. The filters are left out, because a search can
 * hold an e-mail address.
 */
export const exportOpened = ({
  store_id,
  livemode,
  ...after
}: {
  readonly store_id: string;
  readonly livemode: boolean | null;
  readonly kind: ExportKind | "books";
  readonly format: string;
}): AuditedChange => storeAction({ store_id, livemode }, { before: null, after });

/** The fields that every kind has. The list of the kind checks the others. */
const SharedFields = z.object({
  store_id: foreignId,
  livemode: z.boolean().nullish(),
  format: z.enum(exportFormats),
  bom: z.boolean().nullish(),
});

const rowsPerPage = 100;

/**
 * Reads the first page at once, so that wrong input and a storage that is down are known
 * before an answer has begun.
 */
export async function openExport<Kind extends ExportKind>(
  ctx: OwnerContext,
  kind: Kind,
  query: ExportQuery<Kind>,
): Promise<OwnerExport> {
  if (!Object.hasOwn(exportedKinds, kind))
    refuse("kind", `must be one of ${Object.keys(exportedKinds).join(", ")}`);
  const exported: ExportedKind<ExportFilters[Kind]> = exportedKinds[kind];
  const { store_id, livemode, format, bom } = check(SharedFields, query);
  refuseOthers(query);
  if (format === "csv" && !exported.columns) refuse("format", `must be jsonl for ${kind}`);
  if (format === "jsonl" && bom != null) refuse("bom", "goes only with the format csv");

  const store = await requireStore(ctx, store_id);

  const { format: _format, bom: _bom, ...rest } = query;
  // TypeScript cannot see that the filters are left when the format is taken out.
  const filters = rest as unknown as ExportFilters[Kind];
  const read = (starting_after: string | null): Promise<Page<object>> =>
    exported.read(ctx, filters, { limit: rowsPerPage, starting_after });
  const first = await read(null);
  await ctx.storage.audit.note(
    exportOpened({ store_id, livemode: livemode ?? null, kind, format }),
  );

  const writer = format === "csv" ? csvWriter(exported, bom === true) : jsonWriter;
  const mode = isOfStore(kind) ? "" : `-${livemode ? "live" : "test"}`;
  const day = iso(ctx.now()).slice(0, 10);
  return {
    body: { [Symbol.asyncIterator]: () => writeRows(pagesFrom(first, read), writer) },
    contentType: writer.contentType,
    filename: `${store.slug}-${kind}${mode}-${day}.${format}`,
  };
}

/**
 * Refuses filters that an export cannot have. An export has all pages, and a list
 * in the order of renewal could give a row twice.
 */
function refuseOthers(query: object): void {
  for (const name of ["limit", "starting_after", "renews_before"])
    if (name in query) refuse(name, "is not a known field");
}

const isOfStore = (kind: ExportKind): boolean => kind === "products" || kind === "coupons";

async function* pagesFrom(
  first: Page<object>,
  read: (starting_after: string) => Promise<Page<object>>,
): AsyncGenerator<readonly object[]> {
  let page = first;
  for (;;) {
    yield page.data;
    if (page.next_cursor === null) return;

    // SQLite reads a page without letting other work run. The pause lets other requests run between
    // two pages.
    await sleep(0);
    page = await read(page.next_cursor);
  }
}

const jsonWriter: Writer = {
  contentType: "application/x-ndjson; charset=utf-8",
  start: "",
  row: (row) => `${JSON.stringify(row)}\n`,
};

function csvWriter<Query>({ columns, csvRows }: ExportedKind<Query>, bom: boolean): Writer {
  const known = columns ?? [];
  const line = (row: object): string => csvRow(known.map((column) => cellOf(row, column)));
  return {
    contentType: csvType,
    start: `${bom ? "\uFEFF" : ""}${csvRow(known.map(({ name }) => name))}`,
    row: (row) => (csvRows?.(row) ?? [row]).map(line).join(""),
  };
}
