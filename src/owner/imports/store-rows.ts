import { type ApiError, isApiError } from "../../contract/errors.ts";
import { canonicalJson } from "../../domain/text/canonical-json.ts";
import { given, validate } from "../../input/check.ts";
import type { ProductRecord } from "../../rules/records.ts";
import { type Draft, draftOf } from "../catalog/product-drafts.ts";
import { ProductPut } from "../catalog/product-input.ts";
import type { OwnerContext } from "../context.ts";
import type { ImportFault } from "./product-import.ts";
import type { RefusedRow } from "./read-rows.ts";
import type { DraftOfArticle, ReplacedProducts } from "./replaced-products.ts";

export interface ProductRow {
  readonly line: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly article?: DraftOfArticle["article"];
}

/** The number of rows that an import stores in one transaction. */
export const rowsPerTransaction = 200;

/** What became of one row. */
export type RowOutcome =
  | {
      readonly row: ProductRow;
      readonly outcome: "created" | "updated" | "unchanged";
      /** The slug that the product has. */
      readonly slug: string;
      /** The fields that change. A product that is new or unchanged has none. */
      readonly fields: readonly string[];
      /** True when the SKU of the row was left out, because another product has it. */
      readonly isSkuTaken: boolean;
    }
  | ({ readonly row: ProductRow; readonly outcome: "refused" } & RefusedRow);

/**
 * Stores all drafts or none. It gives null when a product was changed after its
 * `before` was read. Throws an error whose parameter begins with the name of a
 * draft, such as `products[3].slug`.
 */
export type WriteDrafts = (
  store_id: string,
  drafts: readonly Draft[],
) => Promise<readonly ProductRecord[] | null>;

/** Writes as `WriteDrafts` does, or only decides whether the drafts can be stored. */
export type MayWrite = (
  store_id: string,
  drafts: readonly Draft[],
  options: { readonly dry_run: boolean },
) => ReturnType<WriteDrafts>;

interface Target {
  readonly ctx: OwnerContext;
  readonly store_id: string;
  /**
   * The field by which rows name their products. With `id`, rows without one name them by slug, and
   * a slug beside an id is a field like any other.
   */
  readonly by: "id" | "slug";
  readonly write: WriteDrafts;
  readonly replaced?: ReplacedProducts;
}

/** A row with the draft of its product. */
interface Drafted {
  readonly row: ProductRow;
  readonly draft: Draft;
  readonly outcome: "created" | "updated" | "unchanged";
}

/**
 * Stores rows of different products in one transaction, without those that are wrong. Tells what
 * became of each row, the wrong ones first.
 */
export async function storeRows(
  target: Target,
  all: readonly ProductRow[],
): Promise<readonly RowOutcome[]> {
  const refused: RowOutcome[] = [];
  const originals = new Map<ProductRow, ProductRow>();
  let rows = all;
  const leaveOut = (row: ProductRow, fault: ImportFault, slug: unknown): void => {
    const told = typeof slug === "string" ? slug : null;
    refused.push({ row: originals.get(row) ?? row, outcome: "refused", fault, slug: told });
    rows = rows.filter((each) => each !== row);
  };

  for (let retries = 0; ; ) {
    const stored = await findStored(target, rows);
    const slugOf = (row: ProductRow): unknown => stored(row)?.slug ?? row.fields["slug"];
    const drafted: Drafted[] = [];
    const [first, later] = separate(target, rows, stored);
    if (later.length > 0)
      return [...refused, ...(await storeRows(target, first)), ...(await storeRows(target, later))];
    for (const row of rows) {
      const draft = draftRow(target, row, stored(row));
      if ("line" in draft) leaveOut(row, draft, slugOf(row));
      else drafted.push({ row, draft, outcome: outcomeOf(draft) });
    }

    const changed = drafted.filter(({ outcome }) => outcome !== "unchanged");
    const result = await writeDrafts(target, changed);
    if (result === "stored")
      return [
        ...refused,
        ...drafted.map(({ row, draft, outcome }) => {
          const original = originals.get(row);
          return {
            row: original ?? row,
            outcome,
            slug: draft.record.slug,
            fields: outcome === "updated" ? changedFields(draft) : [],
            isSkuTaken: original !== undefined,
          };
        }),
      ];
    if (result === "stale") continue;

    if (target.by === "slug" && result.fault.field === "sku") {
      // Some shops use one SKU for several products. This product is stored without it.
      const { sku: _, ...fields } = result.row.fields;
      const bare = { ...result.row, fields };
      originals.set(bare, result.row);
      rows = rows.map((row) => (row === result.row ? bare : row));
      continue;
    }
    // Another call has taken the slug meanwhile: the row is then about that product.
    const isTakenMeanwhile = isNamedBySlug(target, result.row) && result.fault.field === "slug";
    if (isTakenMeanwhile && retries < maxRetries) retries++;
    else leaveOut(result.row, result.fault, slugOf(result.row));
  }
}

const isNamedBySlug = ({ by }: Target, { fields }: ProductRow): boolean =>
  by === "slug" || fields["id"] === undefined;

/**
 * Separates the rows that are about the same product as an earlier row. They are stored after that
 * row. Rows are about one product when they name it by its id, its slug, or the slug that an
 * earlier row gives it.
 */
function separate(
  target: Target,
  rows: readonly ProductRow[],
  stored: (row: ProductRow) => ProductRecord | null,
): readonly [first: readonly ProductRow[], later: readonly ProductRow[]] {
  const ids = new Set<string>();
  const slugs = new Set<unknown>();
  const first = rows.filter((row) => {
    const id = stored(row)?.id;
    const { slug } = row.fields;
    const isLater =
      (id !== undefined && ids.has(id)) || (isNamedBySlug(target, row) && slugs.has(slug));
    if (id !== undefined) ids.add(id);
    if (slug !== undefined) slugs.add(slug);
    return !isLater;
  });
  return [first, first.length === rows.length ? [] : rows.filter((row) => !first.includes(row))];
}

/** A slug that is taken each time is refused, so that no import runs for ever. */
const maxRetries = 5;

function outcomeOf({ record, before }: Draft): Drafted["outcome"] {
  if (before === undefined) return "created";
  const isEqual =
    canonicalJson({ ...record, updated_at: before.updated_at }) === canonicalJson(before);
  return isEqual ? "unchanged" : "updated";
}

/** Reads the products that rows name: those of another shop by their ids there first. */
async function findStored(
  target: Target,
  rows: readonly ProductRow[],
): Promise<(row: ProductRow) => ProductRecord | null> {
  const { ctx, store_id, by } = target;
  const read = async (field: "id" | "slug" | "external_id") => {
    const named = field === "slug" ? rows.filter((row) => isNamedBySlug(target, row)) : rows;
    const names = named.flatMap(({ fields }) => {
      const name = fields[field];
      return typeof name === "string" ? name : [];
    });
    if (names.length === 0) return new Map<unknown, ProductRecord>();
    const found = await ctx.storage.catalog.findProductRecords(store_id, names, field);
    return new Map<unknown, ProductRecord>(found.map((record) => [record[field], record]));
  };
  const bySlug = await read("slug");
  if (by === "slug") {
    const foreign = await read("external_id");
    return ({ fields }) => foreign.get(fields["external_id"]) ?? bySlug.get(fields["slug"]) ?? null;
  }
  const byId = await read("id");
  return (row) => {
    const { id, slug } = row.fields;
    return (isNamedBySlug(target, row) ? bySlug.get(slug) : byId.get(id)) ?? null;
  };
}

const RowOfStored = ProductPut.partial();

/**
 * Makes the draft of a product from a row and the stored product. The stored
 * product is null when there is none.
 */
function draftRow(
  { ctx, store_id, by }: Target,
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
  const { external_id: asked } = read.value;
  if (by === "slug" && asked && stored.external_id && asked !== stored.external_id) {
    const other = `whose external_id is ${stored.external_id}, and not ${asked}`;
    const message = `The slug ${stored.slug} is that of the product ${other}.`;
    return { line, field: "slug", message };
  }
  // A product that is found by its id in another shop keeps the address that it has.
  const kept = by === "slug" ? { slug: stored.slug } : {};
  const input = { ...stored, ...given(read.value), ...kept };
  // Unchanged stock is not set again, because that would undo the sales since the file was written.
  const stock = input.stock === stored.stock ? undefined : input.stock;
  return { ...draftOf(ctx, { ...source, input: { ...input, stock } }), before: stored };
}

const faultOf = (line: number, { param, message }: ApiError): ImportFault => ({
  line,
  field: param,
  message,
});

function changedFields({ record, before }: Draft): readonly string[] {
  if (before === undefined) return [];
  const textOf = (product: ProductRecord, name: string): string =>
    canonicalJson([Reflect.get(product, name) ?? null]);
  return Object.keys({ ...before, ...record })
    .filter((name) => name !== "updated_at" && textOf(record, name) !== textOf(before, name))
    .sort();
}

/** Writes the drafts. If the storage refuses one, the result names the row that is wrong. */
async function writeDrafts(
  { store_id, write, replaced }: Target,
  drafted: readonly Drafted[],
): Promise<"stored" | "stale" | { readonly row: ProductRow; readonly fault: ImportFault }> {
  if (drafted.length === 0) return "stored";

  const drafts = drafted.map(({ draft }, index) => ({ ...draft, root: `products[${index}].` }));
  try {
    const ofArticles = drafted.map(({ draft, row }) => ({ draft, article: row.article }));
    const beside = (await replaced?.draftsBeside(ofArticles)) ?? [];
    // A product that gives its SKU to another one is written first.
    if (!(await write(store_id, [...beside, ...drafts]))) return "stale";
    replaced?.take(beside);
    return "stored";
  } catch (error) {
    const param = isApiError(error) ? (error.param ?? "") : "";
    const [root = "", index, field = ""] = /^products\[(\d+)\]\.(.+)$/.exec(param) ?? [];
    const row = drafted[Number(index)]?.row;
    if (!row || !isApiError(error)) throw error;
    return {
      row,
      fault: { line: row.line, field, message: error.message.replace(root, field) },
    };
  }
}
