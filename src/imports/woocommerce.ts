import type { ProductOption } from "../contract/schemas.ts";
import { unguardCell } from "../domain/text/csv.ts";
import { given } from "../input/check.ts";
import type { DecimalSigns } from "./amounts.ts";
import {
  cutSku,
  isCutNumber,
  isNo,
  isYes,
  maxListed,
  productOf,
  RefusedCell,
  readCategories,
  readDescription,
  readMoney,
  readName,
  readPictures,
  readSku,
  readStock,
  requirePrice,
  slugOf,
} from "./product.ts";
import { type ReadProduct, type ReadSourceRow, refusedRow, type SourceRow } from "./record.ts";
import { decodeHtml } from "./text/html-text.ts";
import { canBeGrouped } from "./variants.ts";

/**
 * Reads cells as the export has written them: a quote stands before what a spreadsheet would run,
 * names have entities, as in WordPress' own tables, and `\\n` stands for a new line.
 */
export async function* writtenCells(
  rows: AsyncIterable<ReadSourceRow>,
): AsyncGenerator<ReadSourceRow> {
  for await (const row of rows)
    if ("refused" in row) yield row;
    else yield { ...row, cell: (column) => written(column, unguardCell(row.cell(column))) };
}

function written(column: string, text: string): string {
  if (/^(?:Name|Categories|Attribute)/.test(column)) return decodeHtml(text);
  if (!/description$/i.test(column)) return text;
  // A backslash before an n that is text stands there twice.
  return text.replace(/(\\?)\\n/g, (_, twice: string) => (twice ? "\\n" : "\n"));
}

/** What the variations of a product take from it. They may stand anywhere in the file. */
interface Parent {
  readonly line: number;
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly images: string;
  readonly categories: string;
  readonly isActive: boolean;
  /** The options of each of its variations, in their order in the file. */
  readonly variations: (readonly ProductOption[])[];
}

/** The products that have variations. */
export interface Parents {
  readonly all: readonly Parent[];
  /** By `id:123` and by SKU. */
  readonly byKey: ReadonlyMap<string, Parent>;
}

/** Reads the rows once, and keeps the products that have variations. */
export async function readParents(rows: AsyncIterable<ReadSourceRow>): Promise<Parents> {
  const all: Parent[] = [];
  const byKey = new Map<string, Parent>();
  const variations: { readonly parent: string; readonly options: readonly ProductOption[] }[] = [];
  for await (const row of rows) {
    if ("refused" in row) continue;
    if (typesOf(row).includes("variation"))
      variations.push({ parent: row.cell("Parent"), options: namedOptions(row) });
    if (!typesOf(row).includes("variable")) continue;
    const parent = {
      line: row.line,
      id: row.cell("ID"),
      slug: slugOf(skuOf(row)) || slugOf(`${row.cell("Name")}-${row.cell("ID")}`),
      name: row.cell("Name"),
      description: row.cell("Description") || row.cell("Short description"),
      images: row.cell("Images"),
      categories: row.cell("Categories"),
      isActive: isActive(row),
      variations: [],
    };
    for (const key of [`id:${row.cell("ID")}`, skuOf(row)])
      if (key !== "" && key !== "id:") byKey.set(key, parent);
    all.push(parent);
  }
  for (const { parent, options } of variations) byKey.get(parent)?.variations.push(options);
  return { all, byKey };
}

interface Context {
  readonly currency: string;
  readonly signs: DecimalSigns;
  readonly parents: Parents;
}

/**
 * Makes a product of each simple product and of each variation. A variable product that no row is
 * a variation of is refused at the end, so that nothing of a file is passed over silently.
 */
export async function* readWoocommerce(
  rows: AsyncIterable<ReadSourceRow>,
  ctx: Context,
): AsyncGenerator<ReadProduct> {
  const slugs = new Set<string>();
  const used = new Set<Parent | undefined>();
  for await (const row of rows) {
    if ("refused" in row) yield row;
    else {
      const types = typesOf(row);
      if (types.includes("variable")) continue;
      used.add(ctx.parents.byKey.get(row.cell("Parent")));
      const refusal = types.map(reasonNotSold).find((reason) => reason);
      const parent = ctx.parents.byKey.get(row.cell("Parent")) ?? null;
      const slug = () => slugOfRow(row, parent, slugs);
      const read = () => {
        if (refusal) throw new RefusedCell("Type", refusal);
        return readRow(row, types.includes("variation"), { ...ctx, slugs });
      };
      yield productOf({ line: row.line, read, slug }, slugs);
    }
  }

  for (const parent of ctx.parents.all)
    if (!used.has(parent)) yield refusedRow(parent.line, "Type", noVariation, parent.slug || null);
}

const noVariation = "A variable product is sold by its variations, and the file has none of it.";

/** Gives an empty text for a SKU that a spreadsheet has cut: it names no product any more. */
const skuOf = (row: SourceRow): string => (isCutNumber(row.cell("SKU")) ? "" : row.cell("SKU"));

/** A cell such as `simple, downloadable, virtual`. */
const typesOf = (row: SourceRow): readonly string[] =>
  row
    .cell("Type")
    .toLowerCase()
    .split(",")
    .map((type) => type.trim());

const notSold: ReadonlyMap<string, string> = new Map([
  ["grouped", "A grouped product is a list of others and has no price."],
  ["external", "An external product is sold by another shop."],
]);

const isRenewed = "A subscription renews, and the file does not tell how: make it in the store.";

const reasonNotSold = (type: string): string | undefined =>
  type.includes("subscription") ? isRenewed : notSold.get(type);

interface RowContext extends Context {
  /** The slugs of the products so far. */
  readonly slugs: ReadonlySet<string>;
}

function readRow(row: SourceRow, isVariation: boolean, ctx: RowContext) {
  const parent = isVariation ? parentOf(row, ctx.parents) : null;
  const isVariant = parent !== null && canBeGrouped(parent.variations);
  const ownName = row.cell("Name") || composedName(row, parent);
  const name = isVariant ? parent.name || ownName : ownName;
  const { images, notes } = readPictures(
    [row.cell("Images"), parent?.images ?? ""].flatMap((cell) =>
      cell.split(",", maxListed).map((text) => ({ line: row.line, text: text.trim() })),
    ),
    "Images",
  );
  // The parent's pictures were given once for each of its variations: they are noted there alone.
  const hasOwn = /[^,\s]/.test(row.cell("Images"));
  const description =
    row.cell("Description") || row.cell("Short description") || (parent?.description ?? "");

  const slug = slugOfRow(row, parent, ctx.slugs);
  return {
    product: {
      slug,
      sku: readSku(row.cell("SKU"), "SKU"),
      ...(row.cell("ID") !== "" && { external_id: readSku(row.cell("ID"), "ID") }),
      ...(isVariant && { group: parent.slug, options: namedOptions(row) }),
      name: readName(name, "Name"),
      ...readPrices(row, ctx),
      currency: ctx.currency,
      ...(row.has("Description", "Short description") && {
        description: readDescription(description, "Description"),
      }),
      ...(row.has("Images") && { images }),
      ...(row.has("Categories") && {
        categories: readCategories(splitList(row.cell("Categories") || (parent?.categories ?? ""))),
      }),
      ...(row.has("Published", "Visibility in catalog") && {
        active: isActive(row) && (parent?.isActive ?? true),
      }),
      ...given({ stock: stockOf(row) }),
    },
    article: {
      slug: parent?.slug ?? slug,
      external_id: parent?.id || null,
      is_variant: parent !== null,
    },
    notes: [...(hasOwn ? notes : []), ...cutSku(row, "SKU")],
  };
}

function parentOf(row: SourceRow, parents: Parents): Parent {
  const key = row.cell("Parent");
  if (key === "") throw new RefusedCell("Parent", "A variation must name its parent.");
  const parent = parents.byKey.get(key);
  if (!parent) throw new RefusedCell("Parent", "No variable product of the file is this parent.");
  return parent;
}

const optionsOf = (row: SourceRow): readonly string[] =>
  [1, 2, 3, 4, 5]
    .map((number) => row.cell(`Attribute ${number} value(s)`))
    .filter((value) => value !== "");

/** Gives the values of a row with the names of their attributes, where it has both. */
const namedOptions = (row: SourceRow): readonly ProductOption[] =>
  [1, 2, 3, 4, 5].flatMap((number) => {
    const value = row.cell(`Attribute ${number} value(s)`);
    return value === "" ? [] : [{ name: row.cell(`Attribute ${number} name`), value }];
  });

const composedName = (row: SourceRow, parent: Parent | null): string =>
  [parent?.name ?? "", optionsOf(row).join(" / ")].filter((text) => text !== "").join(" – ");

/**
 * Makes the slug of the SKU, or of the id where there is none, because a name may change. Where
 * another SKU gives the same slug, as `A-1` and `A+1` do, it is made of both.
 */
function slugOfRow(row: SourceRow, parent: Parent | null, taken: ReadonlySet<string>): string {
  const bySku = slugOf(skuOf(row));
  const id = row.cell("ID");
  if (bySku) return taken.has(bySku) && id !== "" ? slugOf(`${bySku.slice(0, 80)}-${id}`) : bySku;

  const options = slugOf(optionsOf(row).join("-"));
  if (parent?.slug && (options || id)) return slugOf(`${parent.slug}-${options || id}`);
  if (id === "") throw new RefusedCell("SKU", "The row has neither an SKU nor an ID.");
  return slugOf(`${row.cell("Name").slice(0, 80)}-${id}`);
}

/** A sale price with dates ends by itself, and a price of the store does not: it is passed over. */
function readPrices(row: SourceRow, ctx: Context) {
  const regular = requirePrice(readMoney(row, "Regular price", ctx), "Regular price");
  const isDated =
    row.cell("Date sale price starts") !== "" || row.cell("Date sale price ends") !== "";
  const sale = isDated ? null : readMoney(row, "Sale price", ctx);
  if (sale !== null && sale < regular) return { price: sale, compare_at_price: regular };
  return { price: regular, ...(row.has("Sale price") && { compare_at_price: null }) };
}

/** Reads `Published`: 1, 0 (private) or -1 (a draft). What the catalog hides is a draft here. */
function isActive(row: SourceRow): boolean {
  const published = row.cell("Published");
  if (row.cell("Visibility in catalog").toLowerCase() === "hidden") return false;
  return published === "" || isYes(published);
}

/** Gives undefined where the file does not tell the pieces. */
function stockOf(row: SourceRow): number | null | undefined {
  const stock = row.cell("Stock");
  const backorders = row.cell("Backorders allowed?");
  if (backorders.toLowerCase() === "notify" || isYes(backorders)) return null;
  if (stock.toLowerCase() === "parent") {
    const message = "The variation shares the stock of its parent: give it pieces of its own.";
    throw new RefusedCell("Stock", message);
  }
  if (stock !== "") return readStock(stock, "Stock");
  if (isNo(row.cell("In stock?"))) return 0;
  return row.has("Stock") ? null : undefined;
}

/** Splits a list at its commas. One inside a name stands behind a backslash. */
function splitList(text: string): readonly string[] {
  const names: string[] = [];
  for (const [each] of text.matchAll(/(?:[^,\\]+|\\.)+/g)) {
    if (names.length === maxListed) break;
    names.push(each.replace(/\\(.)/g, "$1").trim());
  }
  return names;
}
