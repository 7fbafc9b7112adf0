import { type ApiError, isApiError } from "../../contract/errors.ts";
import { canonicalJson } from "../../domain/text/canonical-json.ts";
import { given, validate } from "../../input/check.ts";
import type { ProductRecord } from "../../rules/records.ts";
import { type Draft, draftOf } from "../catalog/product-drafts.ts";
import { ProductPut } from "../catalog/product-input.ts";
import type { OwnerContext } from "../context.ts";
import type { ImportFault } from "./product-import.ts";

export interface ProductRow {
  readonly line: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface Stored {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly faults: readonly ImportFault[];
}

/**
 * Stores all drafts or none. It gives null when a product was changed after its
 * `before` was read. Throws an error whose parameter begins with the name of a
 * draft, such as `products[3].slug`.
 */
export type WriteDrafts = (
  store_id: string,
  drafts: readonly Draft[],
) => Promise<readonly ProductRecord[] | null>;

interface Target {
  readonly ctx: OwnerContext;
  readonly store_id: string;
  readonly write: WriteDrafts;
}

/** A row with the draft of its product. */
interface Drafted {
  readonly row: ProductRow;
  readonly draft: Draft;
}

/** Stores rows of different products in one transaction, without those that are wrong. */
export async function storeRows(target: Target, all: readonly ProductRow[]): Promise<Stored> {
  const faults: ImportFault[] = [];
  let rows = all;
  const leaveOut = (fault: ImportFault): void => {
    faults.push(fault);
    rows = rows.filter(({ line }) => line !== fault.line);
  };

  for (;;) {
    const stored = await findStored(target, rows);
    const drafted: Drafted[] = [];
    for (const row of rows) {
      const draft = draftRow(target, row, stored.get(row.fields["id"]) ?? null);
      if ("line" in draft) leaveOut(draft);
      else drafted.push({ row, draft });
    }

    const changed = drafted.filter(({ draft }) => isChanged(draft));
    const result = await writeDrafts(target, changed);
    if (result === "stale") continue;
    if (result !== "stored") {
      leaveOut(result);
      continue;
    }
    const created = changed.filter(({ draft }) => draft.before === undefined).length;
    return {
      created,
      updated: changed.length - created,
      unchanged: drafted.length - changed.length,
      faults,
    };
  }
}

async function findStored(
  { ctx, store_id }: Target,
  rows: readonly ProductRow[],
): Promise<ReadonlyMap<unknown, ProductRecord>> {
  const ids = rows.flatMap(({ fields: { id } }) => (typeof id === "string" ? id : []));
  const found = ids.length === 0 ? [] : await ctx.storage.catalog.findProductRecords(store_id, ids);
  return new Map(found.map((record) => [record.id, record]));
}

const RowOfStored = ProductPut.partial();

/**
 * Makes the draft of a product from a row and the stored product. The stored
 * product is null when there is none.
 */
function draftRow(
  { ctx, store_id }: Target,
  { line, fields }: ProductRow,
  stored: ProductRecord | null,
): Draft | ImportFault {
  const source = { store_id, stored, root: "" };
  if (!stored) {
    const read = validate(ProductPut, fields);
    if (!read.ok) return faultOf(line, read.error);
    // A row needs an id or a slug. Without them, a file that is imported twice would make each
    // product twice.
    if (read.value.id === undefined && read.value.slug === undefined)
      return { line, field: "id", message: "id or slug is required." };
    return draftOf(ctx, { ...source, input: read.value });
  }

  const read = validate(RowOfStored, fields);
  if (!read.ok) return faultOf(line, read.error);
  const input = { ...stored, ...given(read.value) };
  // Unchanged stock is not set again, because that would undo the sales since the file was written.
  const stock = input.stock === stored.stock ? undefined : input.stock;
  return { ...draftOf(ctx, { ...source, input: { ...input, stock } }), before: stored };
}

const faultOf = (line: number, { param, message }: ApiError): ImportFault => ({
  line,
  field: param,
  message,
});

const isChanged = ({ record, before }: Draft): boolean =>
  before === undefined ||
  canonicalJson({ ...record, updated_at: before.updated_at }) !== canonicalJson(before);

/** Writes the drafts. If the storage refuses one, the result names the row that is wrong. */
async function writeDrafts(
  { store_id, write }: Target,
  drafted: readonly Drafted[],
): Promise<"stored" | "stale" | ImportFault> {
  if (drafted.length === 0) return "stored";

  const drafts = drafted.map(({ draft }, index) => ({ ...draft, root: `products[${index}].` }));
  try {
    return (await write(store_id, drafts)) ? "stored" : "stale";
  } catch (error) {
    const param = isApiError(error) ? (error.param ?? "") : "";
    const [root = "", index, field = ""] = /^products\[(\d+)\]\.(.+)$/.exec(param) ?? [];
    const row = drafted[Number(index)]?.row;
    if (!row || !isApiError(error)) throw error;
    return { line: row.line, field, message: error.message.replace(root, field) };
  }
}
