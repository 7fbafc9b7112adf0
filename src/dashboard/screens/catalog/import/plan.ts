import { isApiError } from "../../../../contract/errors.ts";
import { sleep } from "../../../../domain/async/sleep.ts";
import { sha256 } from "../../../../domain/keys/hash.ts";
import { ownTable } from "../../../../imports/own-table.ts";
import type { RecordOutcome, RowFault } from "../../../../owner/imports/imported-product.ts";
import type { StoreVisit } from "../../../screen.ts";
import { type ImportFile, opener } from "./import-file.ts";
import { maxImportRows } from "./import-limits.ts";

/** The most rows that are shown of what changes, and of what is left out. */
export const shownRows = 50;

/** What a file does to the store, or would do. */
export interface FilePlan {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Counts the products whose article the file sells in another form. They become drafts. */
  readonly deactivated: number;
  readonly refused: readonly RecordOutcome[];
  /** The first products that are created, updated or become drafts. */
  readonly changes: readonly RecordOutcome[];
  /** What is left out of products, the first ones. */
  readonly notes: readonly RowFault[];
  readonly noted: number;
  /** False means that the rest of the file cannot be read. */
  readonly complete: boolean;
  /** Two plans with the same mark do the same. */
  readonly mark: string;
}

/** Counts the rows of a plan. */
export const rowsOf = ({
  created,
  updated,
  unchanged,
  refused,
}: Pick<FilePlan, "created" | "updated" | "unchanged" | "refused">): number =>
  created + updated + unchanged + refused.length;

/** Why no plan can be made of a file. */
export interface FileFault {
  readonly fault: "rows" | "head";
  readonly message: string;
}

class TooManyRows extends Error {}

interface Run {
  readonly dry_run: boolean;
  /** Called after each chunk with the count of rows so far. */
  tell?(rows: number): void;
}

/**
 * Goes through a file by the calls that `vitrine/import` makes, and stores what it says or only
 * tells it.
 */
export async function runFile(
  visit: StoreVisit,
  file: ImportFile,
  { dry_run, tell }: Run,
): Promise<FilePlan | FileFault> {
  const sum = { created: 0, updated: 0, unchanged: 0, deactivated: 0 };
  const changes: RecordOutcome[] = [];
  const refused: RecordOutcome[] = [];
  const notes: RowFault[] = [];
  let noted = 0;
  let mark = "";
  const take = async (outcomes: readonly RecordOutcome[]): Promise<void> => {
    for (const each of outcomes) {
      if (each.outcome === "refused") refused.push(each);
      else sum[each.outcome] += 1;
      const isChange = each.outcome !== "refused" && each.outcome !== "unchanged";
      if (isChange && changes.length < shownRows) changes.push(each);
      noted += each.notes.length;
      notes.push(...each.notes.slice(0, shownRows - notes.length));
    }
    mark = await sha256(`${mark}${JSON.stringify(outcomes)}`, "base64url");
    const rows = rowsOf({ ...sum, refused });
    if (rows > maxImportRows) throw new TooManyRows();
    tell?.(rows);
    // Other requests run between two chunks, also where a storage never waits.
    await sleep(0);
  };

  try {
    const { complete } = await importAll(visit, file, { dry_run, take });
    return { ...sum, changes, refused, notes, noted, complete, mark };
  } catch (error) {
    if (error instanceof TooManyRows) return { fault: "rows", message: "" };
    if (isApiError(error) && error.param === "body")
      return { fault: "head", message: error.message.replace(/^body |\.$/g, "") };
    throw error;
  }
}

async function importAll(
  { parts, store }: StoreVisit,
  file: ImportFile,
  { dry_run, take }: Pick<Run, "dry_run"> & { take(rows: readonly RecordOutcome[]): Promise<void> },
): Promise<{ readonly complete: boolean }> {
  const { format, bytes, currency, decimal } = file;
  const open = opener(bytes);
  const onProgress = ({ outcomes }: { readonly outcomes: readonly RecordOutcome[] }) =>
    take(outcomes);
  if (format === "own" || format === "own_jsonl")
    return parts.owner.products.import({
      store_id: store.id,
      format: format === "own" ? "csv" : "jsonl",
      body: format === "own" ? ownTable(open) : open(),
      dry_run,
      onProgress,
    });

  const { applyImport, planImport, readProducts } = await import("../../../../imports/import.ts");
  const records = readProducts({ format, open, currency, ...(decimal && { decimal }) });
  const options = { store_id: store.id, currency, onProgress };
  return dry_run ? planImport(parts, records, options) : applyImport(parts, records, options);
}
