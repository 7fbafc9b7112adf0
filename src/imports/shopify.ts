import type { ProductOption } from "../contract/schemas.ts";
import { given } from "../input/check.ts";
import type { DecimalSigns } from "./amounts.ts";
import {
  cutSku,
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
import {
  type ReadProduct,
  type ReadSourceRow,
  type RowFault,
  refusedRow,
  type SourceRow,
} from "./record.ts";
import { foldName, type TableFormat } from "./table.ts";
import { canBeGrouped } from "./variants.ts";

/** Each column by its name in exports until 2024, with the name that it has since. */
const names: Readonly<Record<string, string>> = {
  Handle: "URL handle",
  Title: "Title",
  "Body (HTML)": "Description",
  Type: "Type",
  Tags: "Tags",
  Published: "Published on online store",
  Status: "Status",
  "Option1 Name": "Option1 name",
  "Option2 Name": "Option2 name",
  "Option3 Name": "Option3 name",
  "Option1 Value": "Option1 value",
  "Option2 Value": "Option2 value",
  "Option3 Value": "Option3 value",
  "Variant SKU": "SKU",
  "Variant Price": "Price",
  "Variant Compare At Price": "Compare-at price",
  "Variant Inventory Tracker": "Inventory tracker",
  "Variant Inventory Qty": "Inventory quantity",
  "Variant Inventory Policy": "Continue selling when out of stock",
  "Image Src": "Product image URL",
  "Variant Image": "Variant image URL",
};

export const shopify: TableFormat = {
  title: "a product export of Shopify",
  columns: new Map(
    Object.entries(names).flatMap(([column, since]) => [
      [foldName(column), column],
      [foldName(since), column],
    ]),
  ),
  required: ["Handle", "Variant Price"],
};

export const shopifyAmounts = ["Variant Price", "Variant Compare At Price"];

interface Context {
  readonly currency: string;
  readonly signs: DecimalSigns;
}

/** Makes a product of each variant. The rows of one handle must follow each other. */
export async function* readShopify(
  rows: AsyncIterable<ReadSourceRow>,
  ctx: Context,
): AsyncGenerator<ReadProduct> {
  const slugs = new Set<string>();
  const closed = new Set<string>();
  let group: SourceRow[] = [];
  for await (const row of rows) {
    if ("refused" in row) {
      yield row;
      continue;
    }
    const handle = row.cell("Handle");
    const open = group[0]?.cell("Handle");
    if (handle !== open) {
      yield* readGroup(group, slugs, ctx);
      if (open !== undefined) closed.add(open);
      group = [];
    }

    if (handle === "") yield refusedRow(row.line, "Handle", "The handle is missing.");
    else if (closed.has(handle)) {
      const message = "The rows of a handle must follow each other.";
      yield refusedRow(row.line, "Handle", message, slugOf(handle));
    } else if (group.length === maxGroup) {
      const message = `A handle has at most ${maxGroup} rows.`;
      yield refusedRow(row.line, "Handle", message, slugOf(handle));
    } else group.push(row);
  }
  yield* readGroup(group, slugs, ctx);
}

/** Shopify allows 2,048 variants and 250 pictures: a file with more is not held in memory. */
const maxGroup = 2_500;

function* readGroup(
  group: readonly SourceRow[],
  slugs: Set<string>,
  ctx: Context,
): Generator<ReadProduct> {
  const [first] = group;
  if (!first) return;

  const variants = group.filter(
    (row) => row.cell("Variant Price") !== "" || row.cell("Option1 Value") !== "",
  );
  if (variants.length === 0) {
    const slug = slugOf(first.cell("Handle"));
    yield refusedRow(first.line, "Variant Price", "The price is missing.", slug);
    return;
  }
  const pictures = readPictures(
    group.map((row) => ({ line: row.line, text: row.cell("Image Src") })),
    "Image Src",
  );
  // What is noted of the pictures stands with the first variant that becomes a product.
  let { notes } = pictures;
  const options = variants.map((row) => optionsOf(first, row));
  const isGroup = canBeGrouped(options);
  for (const [index, row] of variants.entries()) {
    const number = variants.length > 1 ? index + 1 : null;
    const grouped = isGroup ? (options[index] ?? null) : null;
    const variant = { first, row, number, images: pictures.images, notes, grouped, slugs };
    const read = productOf(
      { line: row.line, read: () => readVariant(variant, ctx), slug: () => slugOfVariant(variant) },
      slugs,
    );
    if (!("refused" in read)) notes = [];
    yield read;
  }
}

interface Variant {
  /** The first row of the handle, which alone has the title. */
  readonly first: SourceRow;
  readonly row: SourceRow;
  /** Null when the product has no other variant. */
  readonly number: number | null;
  readonly images: readonly string[];
  readonly notes: readonly RowFault[];
  /** The slugs of the products so far. */
  readonly slugs: ReadonlySet<string>;
  /** The options that tell it from the other variants. Null when they make no group. */
  readonly grouped: readonly ProductOption[] | null;
}

/** Gives the options of a variant. Their names stand in the first row of the handle alone. */
const optionsOf = (first: SourceRow, row: SourceRow): readonly ProductOption[] =>
  [1, 2, 3].flatMap((index) => {
    const name = first.cell(`Option${index} Name`);
    const value = row.cell(`Option${index} Value`);
    return name === "" && value === "" ? [] : [{ name, value }];
  });

/** Gives the values of a variant, without the one that Shopify writes where there is no choice. */
const valuesOf = (row: SourceRow): readonly string[] =>
  [1, 2, 3]
    .map((index) => row.cell(`Option${index} Value`))
    .filter((value) => value !== "" && value !== "Default Title");

function slugOfVariant({ first, row, number, slugs }: Variant): string {
  const slug = slugOf(first.cell("Handle"));
  if (slug === "") throw new RefusedCell("Handle", "The handle has no letter of a-z and no digit.");
  const options = valuesOf(row);
  if (number === null || options.length === 0) return slug;

  // The number of the variant tells two apart whose options give no slug, or the same one: `10` and
  // `10+`.
  const named = slugOf(`${slug}-${slugOf(options.join("-")) || number}`);
  return slugs.has(named) ? slugOf(`${named.slice(0, 90)}-${number}`) : named;
}

function readVariant(variant: Variant, ctx: Context) {
  const { first, row, number, images, notes, grouped } = variant;
  const title = readName(first.cell("Title"), "Title");
  const options = valuesOf(row);
  const isNamed = number !== null && options.length > 0 && grouped === null;
  const price = requirePrice(readMoney(row, "Variant Price", ctx), "Variant Price");
  const compare = readMoney(row, "Variant Compare At Price", ctx);
  const own = readPictures([{ line: row.line, text: row.cell("Variant Image") }], "Variant Image");
  const stock = stockOf(row);
  const isCounted = row.cell("Variant Inventory Tracker") !== "";

  return {
    product: {
      slug: slugOfVariant(variant),
      sku: readSku(row.cell("Variant SKU"), "Variant SKU"),
      ...(grouped && { group: slugOf(first.cell("Handle")), options: grouped }),
      name: isNamed ? readName(`${title} – ${options.join(" / ")}`, "Title") : title,
      price,
      currency: ctx.currency,
      ...(row.has("Body (HTML)") && {
        description: readDescription(first.cell("Body (HTML)"), "Body (HTML)"),
      }),
      ...(row.has("Image Src", "Variant Image") && {
        images: [...new Set([...own.images, ...images])].slice(0, 50),
      }),
      ...(row.has("Variant Compare At Price") && {
        compare_at_price: compare !== null && compare > price ? compare : null,
      }),
      ...(row.has("Type", "Tags") && {
        categories: readCategories(
          first.cell("Type") ? [first.cell("Type")] : first.cell("Tags").split(",", maxListed),
        ),
      }),
      ...(row.has("Published", "Status") && { active: isActive(first) }),
      ...given({ stock }),
    },
    article: { slug: slugOf(first.cell("Handle")), is_variant: number !== null },
    notes: [
      ...notes,
      ...own.notes,
      ...cutSku(row, "Variant SKU"),
      ...(isCounted && stock === undefined ? [uncounted(row)] : []),
    ],
  };
}

const uncounted = ({ line }: SourceRow): RowFault => ({
  line,
  column: "Variant Inventory Qty",
  message:
    "The file has no column of pieces: they stay as they are, and a new product has no count.",
});

const isActive = (row: SourceRow): boolean =>
  !isNo(row.cell("Published")) &&
  !["draft", "archived", "unlisted"].includes(row.cell("Status").toLowerCase());

/**
 * Reads how many pieces there are. Gives null where the shop names no tracker, or sells more than
 * it has, and undefined where the file does not say, as that of a shop with several locations.
 */
function stockOf(row: SourceRow): number | null | undefined {
  const isTold = row.has("Variant Inventory Tracker");
  if (isTold && row.cell("Variant Inventory Tracker") === "") return null;
  const policy = row.cell("Variant Inventory Policy");
  if (policy.toLowerCase() === "continue" || isYes(policy)) return null;
  const pieces = row.cell("Variant Inventory Qty");
  if (pieces === "" && !(isTold && row.has("Variant Inventory Qty"))) return undefined;
  return readStock(pieces || "0", "Variant Inventory Qty");
}
