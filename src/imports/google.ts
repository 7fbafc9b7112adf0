import type { ProductOption } from "../contract/schemas.ts";
import { UnreadableRow } from "../domain/text/row-reader.ts";
import type { DecimalSigns } from "./amounts.ts";
import {
  isCutNumber,
  productOf,
  RefusedCell,
  readCategories,
  readDescription,
  readMoney,
  readName,
  readPictures,
  readSku,
  requirePrice,
  slugOf,
} from "./product.ts";
import { type ReadProduct, type ReadSourceRow, refusedRow, type SourceRow } from "./record.ts";
import { foldName, readTable, type TableFormat } from "./table.ts";
import { XmlItemReader } from "./text/xml-items.ts";

const columns = [
  "id",
  "title",
  "description",
  "image_link",
  "additional_image_link",
  "availability",
  "price",
  "sale_price",
  "sale_price_effective_date",
  "product_type",
  "item_group_id",
];

export const google: TableFormat = {
  title: "a product feed of Google",
  columns: new Map(columns.map((column) => [foldName(column), column])),
  required: ["id", "title", "price"],
  repeated: ["additional_image_link", "product_type"],
};

export const googleAmounts = ["price", "sale_price"];

/** Reads the rows of a feed, which is XML when it begins with a tag, and a table otherwise. */
export async function* googleRows(text: AsyncIterable<string>): AsyncGenerator<ReadSourceRow> {
  const parts = text[Symbol.asyncIterator]();
  try {
    let head = "";
    let isDone = false;
    while (head.trim() === "" && !isDone) {
      const next = await parts.next();
      isDone = next.done === true;
      head += next.value ?? "";
    }
    const all = partsOf(head, parts);
    yield* head.trimStart().startsWith("<") ? xmlRows(all) : readTable(all, google);
  } finally {
    await parts.return?.();
  }
}

async function* partsOf(head: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* xmlRows(text: AsyncIterable<string>): AsyncGenerator<ReadSourceRow> {
  const reader = new XmlItemReader();
  try {
    for await (const part of text) {
      for (const { line, values } of reader.push(part)) {
        const cells = (column: string): readonly string[] =>
          (values.get(column) ?? []).filter((value) => value !== "");
        // An item that lacks an element says that there is none.
        yield { line, has: () => true, cells, cell: (column) => cells(column)[0] ?? "" };
      }
    }
    reader.end();
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error;
    const message = `The file cannot be read from here on: ${error.message}.`;
    yield { ...refusedRow(error.line, null, message), is_end: true };
  }
}

interface Context {
  readonly currency: string;
  readonly signs: DecimalSigns;
}

export async function* readGoogle(
  rows: AsyncIterable<ReadSourceRow>,
  ctx: Context,
): AsyncGenerator<ReadProduct> {
  const slugs = new Set<string>();
  for await (const row of rows)
    if ("refused" in row) yield row;
    else {
      const read = () => readItem(row, ctx);
      yield productOf({ line: row.line, read, slug: () => slugOfItem(row) }, slugs);
    }
}

// Our own feed has the slug beside an id where Google takes no id of its length.
const slugOfItem = (row: SourceRow): string => slugOf(row.cell("slug") || row.cell("id"));

const groupOfItem = (row: SourceRow): string | null =>
  row.cell("group") || row.cell("item_group_id") || null;

function readItem(row: SourceRow, ctx: Context) {
  const sku = readSku(row.cell("id"), "id");
  if (isCutNumber(row.cell("id")))
    throw new RefusedCell("id", "A spreadsheet has cut this number: format its column as text.");
  const slug = slugOfItem(row);
  if (slug === "") throw new RefusedCell("id", "The id has no letter of a-z and no digit.");

  const regular = requirePrice(readMoney(row, "price", ctx), "price");
  // A sale price with dates ends by itself, and a price of the store does not.
  const isDated = row.cell("sale_price_effective_date") !== "";
  const sale = isDated ? null : readMoney(row, "sale_price", ctx);
  const isReduced = sale !== null && sale < regular;
  const addresses = [...row.cells("image_link"), ...additional(row)];
  const { images, notes } = readPictures(
    addresses.map((text) => ({ line: row.line, text })),
    "image_link",
  );

  const options = row.cells("option").map(readOption);
  return {
    product: {
      slug,
      sku,
      ...(options.length > 0 && { group: groupOfItem(row), options }),
      name: readName(row.cell("title"), "title"),
      price: isReduced ? sale : regular,
      currency: ctx.currency,
      active: true,
      ...(row.has("description") && {
        description: readDescription(row.cell("description"), "description"),
      }),
      ...(row.has("image_link", "additional_image_link") && { images }),
      ...(row.has("sale_price") && { compare_at_price: isReduced ? regular : null }),
      ...(row.has("product_type") && { categories: readCategories(row.cells("product_type")) }),
      ...(row.has("availability") && { stock: stockOf(row) }),
    },
    notes,
  };
}

/**
 * Reads an option of our own feed, such as `Size: M`. Google has no names for them all. A colon
 * inside the name stands there twice.
 */
function readOption(text: string): ProductOption {
  const [, name = text, value = ""] = /^((?:[^:]|::)*): (.*)$/s.exec(text) ?? [];
  return { name: name.replaceAll("::", ":"), value };
}

/** A table has all further pictures in one cell, separated by commas. */
const additional = (row: SourceRow): readonly string[] =>
  row
    .cells("additional_image_link")
    .flatMap((cell) => cell.split(/,(?=\s*https?:)/i))
    .map((text) => text.trim());

/** A feed does not say how many pieces there are, only whether there are any. */
function stockOf(row: SourceRow): number | null {
  const availability = row.cell("availability").toLowerCase().replaceAll(" ", "_");
  if (availability === "out_of_stock") return 0;
  if (["", "in_stock", "preorder", "backorder"].includes(availability)) return null;
  throw new RefusedCell(
    "availability",
    "The availability must be in_stock, out_of_stock, preorder or backorder.",
  );
}
