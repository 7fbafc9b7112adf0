import type { DetectedFormat } from "vitrine/import";
import type { ImportedRecords, OwnerProducts } from "vitrine/owner";
import type { Storefront } from "#core/storefront.ts";
import { isOwn } from "./formats.ts";
import type { Outcome } from "./refusals.ts";
import type { Source } from "./source.ts";

/** What is imported, and how. */
export interface Work {
  readonly storefront: Storefront;
  readonly store_id: string;
  readonly source: Source;
  readonly format: DetectedFormat;
  readonly currency: string;
  readonly decimal: "." | "," | undefined;
  readonly missing: "keep" | "deactivate";
}

export type Counts = Omit<ImportedRecords, "complete" | "missing_kept">;

interface Pass {
  /** True stores nothing. */
  readonly dry_run: boolean;
  /** Called after each chunk. What it throws ends the pass there. */
  onChunk(counts: Partial<Counts>, outcomes: readonly Outcome[]): Promise<void> | void;
}

/** Goes through the file once, and stores what it says or only counts it. */
export async function runPass(work: Work, { dry_run, onChunk }: Pass): Promise<ImportedRecords> {
  const { storefront, store_id, source, format, currency, decimal, missing } = work;
  if (isOwn(format)) return ownPass(work, { dry_run, onChunk });

  // The command is one built file: an import at its top would load the readers with every command.
  const { applyImport, planImport, readProducts } = await import("vitrine/import");
  const records = readProducts({ format, open: source.open, currency, decimal });
  const options = {
    store_id,
    currency,
    missing,
    onProgress: ({ outcomes, ...counts }: Counts & { readonly outcomes: readonly Outcome[] }) =>
      onChunk(counts, outcomes),
  };
  return dry_run
    ? planImport(storefront, records, options)
    : applyImport(storefront, records, options);
}

/** Reads what `owner.export` writes, which finds products by their ids. */
async function ownPass(
  { storefront, store_id, source, format }: Work,
  { dry_run, onChunk }: Pass,
): Promise<ImportedRecords> {
  const { ownTable } = await import("vitrine/import");
  const input: Parameters<OwnerProducts["import"]>[0] = {
    store_id,
    ...(format === "own"
      ? { format: "csv", body: ownTable(source.open) }
      : { format: "jsonl", body: source.open() }),
    dry_run,
    onProgress: ({ outcomes, ...counts }) => onChunk(counts, outcomes),
  };
  const { faults, complete, ...counts } = await storefront.owner.products.import(input);
  const none = { deactivated: 0, categories_created: 0, missing_kept: null };
  return { ...counts, refused: faults.length, ...none, complete };
}
