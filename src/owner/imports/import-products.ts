import { UnreadableRow } from "../../domain/text/row-reader.ts";
import { check } from "../../input/check.ts";
import type { OwnerContext } from "../context.ts";
import { isPassedOver } from "../exports/product-columns.ts";
import { requireKnownStore } from "../known-store.ts";
import type { RecordOutcome } from "./imported-product.ts";
import { readHeader } from "./product-cells.ts";
import {
  type ImportBody,
  type ImportedProducts,
  type ImportFault,
  ProductImport,
} from "./product-import.ts";
import { type RefusedRow, readRows } from "./read-rows.ts";
import { refusedOutcome } from "./record-tally.ts";
import {
  type MayWrite,
  type ProductRow,
  type RowOutcome,
  rowsPerTransaction,
  storeRows,
  type WriteDrafts,
} from "./store-rows.ts";

/**
 * The number of faults at which an import stops, because a file with wrong columns would give one
 * for each row.
 */
export const maxFaults = 100;

/** Does what `OwnerProducts.import` describes. */
export async function importProducts(
  ctx: OwnerContext,
  input: ProductImport,
  mayWrite: MayWrite,
): Promise<ImportedProducts> {
  const { store_id, format, body, onProgress, ...options } = check(ProductImport, input);
  const dry_run = options.dry_run ?? false;
  await requireKnownStore(ctx, store_id);
  const write: WriteDrafts = (id, drafts) => mayWrite(id, drafts, { dry_run });

  const sum = { created: 0, updated: 0, unchanged: 0 };
  const faults: ImportFault[] = [];
  const storeAll = async (): Promise<boolean> => {
    for await (const read of readChunks(body, format)) {
      const stored = await storeRows({ ctx, store_id, by: "id", write }, read.rows);
      const wrong = stored.flatMap((each) => (each.outcome === "refused" ? each : []));
      const refused = [...read.refused, ...wrong].sort((a, b) => a.fault.line - b.fault.line);
      faults.push(...refused.map(({ fault }) => fault));
      for (const each of stored) if (each.outcome !== "refused") sum[each.outcome] += 1;
      const outcomes = [...refused.map(refusedRow), ...stored.flatMap(storedRow)];
      await onProgress?.({ ...sum, refused: faults.length, outcomes });
      if (read.isBroken || faults.length >= maxFaults) return false;
    }
    return true;
  };

  try {
    const complete = await storeAll();
    return { ...sum, faults: faults.sort((a, b) => a.line - b.line), complete };
  } finally {
    // Each transaction of an actor's import has made sure that there is an entry. This step writes
    // into it how many products were stored, even when the text breaks off.
    if (!dry_run) await ctx.storage.audit.note({ kind: "counts", store_id, counts: sum });
  }
}

const refusedRow = ({ fault: { line, field, message }, slug }: RefusedRow): RecordOutcome =>
  refusedOutcome({ line, column: field, message }, slug);

const storedRow = (each: RowOutcome): RecordOutcome | [] => {
  if (each.outcome === "refused") return [];
  const { row, slug, outcome, fields } = each;
  return { line: row.line, slug, outcome, fields, column: null, message: null, notes: [] };
};

interface Chunk {
  /** The rows name different products. */
  readonly rows: readonly ProductRow[];
  readonly refused: readonly RefusedRow[];
  /** True means that the text cannot be read any further. */
  readonly isBroken: boolean;
}

async function* readChunks(body: ImportBody, format: "csv" | "jsonl"): AsyncGenerator<Chunk> {
  let rows = new Map<unknown, ProductRow>();
  let refused: RefusedRow[] = [];
  const taken = (isBroken: boolean): Chunk => {
    const chunk = { rows: [...rows.values()], refused, isBroken };
    rows = new Map();
    refused = [];
    return chunk;
  };

  try {
    for await (const read of readRows(body, format, readHeader)) {
      if ("fault" in read) refused.push(read);
      else {
        const row = { line: read.line, fields: ownFields(read.fields) };
        // When two rows name the same product, the later row is stored later.
        const { id, slug } = row.fields;
        const name = id ?? (slug === undefined ? row : `slug ${slug}`);
        if (rows.has(name)) yield taken(false);
        rows.set(name, row);
      }
      if (rows.size === rowsPerTransaction || refused.length >= maxFaults) yield taken(false);
    }
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error;
    const { line, message } = error;
    const text = `The text cannot be read any further: ${message}.`;
    refused.push({ fault: { line, field: null, message: text }, slug: null });
    yield taken(true);
    return;
  }
  yield taken(false);
}

const ownFields = (fields: ProductRow["fields"]): ProductRow["fields"] =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !isPassedOver(name)));
