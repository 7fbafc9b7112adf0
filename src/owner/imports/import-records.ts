import { fold } from "../../domain/text/fold.ts";
import { check, validate } from "../../input/check.ts";
import { type OwnerContext, requireStore } from "../context.ts";
import { type CategoryBook, openCategoryBook } from "./category-book.ts";
import { deactivateMissing } from "./deactivate-missing.ts";
import {
  ImportedCategories,
  type ImportedRecords,
  type ReadProduct,
  RecordImport,
  type RecordOutcome,
  type RowFault,
} from "./imported-product.ts";
import { chunksOf, createTally, refusedOutcome, type Tally } from "./record-tally.ts";
import { type ReplacedProducts, replacedProducts } from "./replaced-products.ts";
import {
  type MayWrite,
  type ProductRow,
  type RowOutcome,
  storeRows,
  type WriteDrafts,
} from "./store-rows.ts";

type Read = Extract<ReadProduct, { product: unknown }>;

interface Run {
  readonly ctx: OwnerContext;
  readonly store_id: string;
  readonly currency: string;
  readonly book: CategoryBook;
  readonly write: WriteDrafts;
  /** The slugs of all records so far. */
  readonly slugs: Set<string>;
  /** Their ids in another shop. */
  readonly external_ids: Set<string>;
  /** The slugs that their products have: one that is found by its `external_id` keeps its own. */
  readonly kept: Set<string>;
  /** The folded SKUs of all records so far. */
  readonly skus: Set<string>;
  readonly replaced: ReplacedProducts;
}

/** Does what `OwnerProducts.importRecords` describes. */
export async function importRecords(
  ctx: OwnerContext,
  input: RecordImport,
  mayWrite: MayWrite,
): Promise<ImportedRecords> {
  const { store_id, records, missing, onProgress, ...options } = check(RecordImport, input);
  const dry_run = options.dry_run ?? false;
  const store = await requireStore(ctx, store_id);
  const book = await openCategoryBook(ctx, { store_id, dry_run });
  const write: WriteDrafts = (id, drafts) =>
    mayWrite(id, dry_run ? drafts.map((draft) => withoutPlanned(draft, book)) : drafts, {
      dry_run,
    });

  const currency = options.currency ?? store.currency;
  const kept = new Set<string>();
  const run: Run = {
    ctx,
    store_id,
    currency,
    book,
    write,
    slugs: new Set(),
    external_ids: new Set(),
    kept,
    skus: new Set(),
    replaced: replacedProducts({ ctx, store_id, kept }),
  };
  const tally = createTally(book, onProgress);
  try {
    const complete = await storeRecords(run, records, tally);
    const missing_kept = missing === "deactivate" ? reasonToKeep(run, tally, complete) : null;
    if (missing === "deactivate" && missing_kept === null)
      for await (const slugs of deactivateMissing({ ...run, slugs: run.kept }))
        await tally.add(slugs.map(deactivated));
    return { ...tally.counts(), complete, missing_kept };
  } finally {
    const { created, updated, unchanged, deactivated } = tally.counts();
    const counts = { created, updated: updated + deactivated, unchanged };
    if (!dry_run) await ctx.storage.audit.note({ kind: "counts", store_id, counts });
  }
}

type Drafts = Parameters<WriteDrafts>[1];

/** Takes the categories away that a dry run has not created, so that no step misses them. */
const withoutPlanned = (draft: Drafts[number], book: CategoryBook): Drafts[number] => {
  const category_ids = draft.record.category_ids.filter((id) => !book.isPlanned(id));
  return { ...draft, record: { ...draft.record, category_ids } };
};

/**
 * Gives the reason why nothing may be deactivated. A row that was refused can be about any
 * product of the store.
 */
function reasonToKeep(
  { slugs }: Run,
  tally: Tally,
  complete: boolean,
): ImportedRecords["missing_kept"] {
  if (!complete) return "incomplete";
  if (tally.counts().refused > 0) return "refused";
  return slugs.size === 0 ? "empty" : null;
}

/** Gives false when the file could not be read to its end. */
async function storeRecords(
  run: Run,
  records: AsyncIterable<ReadProduct>,
  tally: Tally,
): Promise<boolean> {
  for await (const chunk of chunksOf(records)) {
    const outcomes = await storeChunk(run, chunk);
    await tally.add([...outcomes, ...run.replaced.taken().map(deactivated)]);
    if (chunk.some((read) => "refused" in read && read.is_end)) return false;
  }
  return true;
}

/** Stores a chunk. Gives the outcomes in the order of the file. */
async function storeChunk(
  run: Run,
  chunk: readonly ReadProduct[],
): Promise<readonly RecordOutcome[]> {
  const outcomes = new Map<ReadProduct, RecordOutcome>();
  const reads = new Map<ProductRow, { readonly read: Read; readonly notes: readonly RowFault[] }>();
  for (const read of chunk) {
    const fault = "refused" in read ? read.refused : refuseRecord(run, read);
    const slug = "refused" in read ? read.slug : read.product.slug;
    if (fault) outcomes.set(read, refusedOutcome(fault, slug ?? null));
    else if ("product" in read) {
      const { row, notes } = await rowOf(run, read);
      reads.set(row, { read, notes });
    }
  }

  const target = { ...run, by: "slug" } as const;
  for (const each of await storeRows(target, [...reads.keys()])) {
    const { read, notes } = reads.get(each.row) ?? {};
    if (!read || !notes) continue;
    if (each.outcome !== "refused") run.kept.add(each.slug);
    outcomes.set(read, outcomeOf(each, read, notes));
  }
  return chunk.flatMap((read) => outcomes.get(read) ?? []);
}

function outcomeOf(each: RowOutcome, read: Read, notes: readonly RowFault[]): RecordOutcome {
  const { slug } = read.product;
  if (each.outcome !== "refused") {
    const taken = each.isSkuTaken ? [skuTaken(read)] : [];
    const all = [...notes, ...taken];
    const { outcome, fields } = each;
    return { ...storedOutcome, line: read.line, slug: each.slug, outcome, fields, notes: all };
  }
  const { line, field, message } = each.fault;
  return refusedOutcome({ line, column: field, message }, slug);
}

/** What every record has that was not refused. */
const storedOutcome = { fields: [], column: null, message: null, notes: [] } as const;

const skuTaken = ({ line, product }: Read): RowFault => ({
  line,
  column: "sku",
  message: `The SKU ${product.sku} is left out: another product has it.`,
});

const deactivated = (slug: string): RecordOutcome => ({
  ...storedOutcome,
  line: null,
  slug,
  outcome: "deactivated",
  fields: ["active"],
});

/** Gives the reason why a record cannot be stored, whatever the store has. */
function refuseRecord(
  { currency, slugs, external_ids }: Run,
  { line, product }: Read,
): RowFault | null {
  const { slug, external_id } = product;
  const repeated = (column: string, value: string): RowFault => ({
    line,
    column,
    message: `The ${column} ${value} is given a second time.`,
  });
  if (slugs.has(slug)) return repeated("slug", slug);
  slugs.add(slug);
  if (external_id && external_ids.has(external_id)) return repeated("external_id", external_id);
  if (external_id) external_ids.add(external_id);

  if (product.currency !== currency) {
    const message = `The price is in ${product.currency}, and not in ${currency}.`;
    return { line, column: "currency", message };
  }
  const checked = validate(ImportedCategories, product.categories ?? [], "categories");
  if (checked.ok) return null;
  return { line, column: checked.error.param, message: checked.error.message };
}

/** Makes the fields of a product, and the categories that it is the first one of. */
async function rowOf(
  { book, skus }: Run,
  read: Read,
): Promise<{ readonly row: ProductRow; readonly notes: readonly RowFault[] }> {
  const { line, product, article, notes } = read;
  const { categories, sku, external_id, ...fields } = product;
  const category_ids: string[] = [];
  const left: RowFault[] = [];
  for (const category of categories ?? []) {
    const id = await book.idOf(category);
    if (id !== null) category_ids.push(id);
    else {
      const message = `The category ${category.slug} is left out: a store has at most 1,000.`;
      left.push({ line, column: null, message });
    }
  }
  // What a file does not tell stays as the owner has it.
  const codes = { ...(sku && { sku }), ...(external_id && { external_id }) };
  if (codes.sku !== undefined) {
    const folded = fold(codes.sku);
    if (skus.has(folded)) {
      left.push(skuTaken(read));
      delete codes.sku;
    }
    skus.add(folded);
  }
  const placed = categories && { category_ids: [...new Set(category_ids)] };
  const all = { ...codes, ...fields, ...placed };
  return { row: { line, fields: all, ...(article && { article }) }, notes: [...notes, ...left] };
}
