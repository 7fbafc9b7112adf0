import { parse } from "csv-parse/sync";

/** A product as the owner's service takes it, with category slugs in place of ids. */
export interface ImportedProduct {
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly images: readonly string[];
  /** Minor units. */
  readonly price: number;
  readonly compare_at_price: number | null;
  readonly category_slugs: readonly string[];
  readonly active: boolean;
  readonly stock: number | null;
  readonly position: number;
}

export interface Import {
  readonly products: readonly ImportedProduct[];
  readonly categories: readonly { readonly slug: string; readonly name: string }[];
  /** Rows that were skipped, by the line they start on. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

type Row = Readonly<Record<string, string>>;
interface Placed {
  readonly row: Row;
  readonly line: number;
}

/** Reads a product export of Shopify: variants become products, the type (else the tags) categories, unpublished ones drafts. */
export function readShopifyCsv(text: string): Import {
  const problems: { line: number; message: string }[] = [];
  const products: ImportedProduct[] = [];
  const categories = new Map<string, string>();
  const slugs = new Set<string>();
  for (const group of byHandle(readRows(text, problems), problems)) {
    const [first] = group;
    if (!first) continue;
    const variants = group.filter(({ row }) => row["Variant Price"] !== "" || row["Option1 Value"] !== "");
    const names = categoryNames(first.row);
    for (const placed of variants) {
      const product = readVariant(first.row, placed.row, variants.length > 1, images(group), [...names.keys()], products.length);
      if (typeof product === "string") problems.push({ line: placed.line, message: product });
      else if (slugs.has(product.slug))
        problems.push({ line: placed.line, message: `the handle and options give the slug ${product.slug} a second time` });
      else {
        slugs.add(product.slug);
        products.push(product);
        for (const [slug, name] of names) if (!categories.has(slug)) categories.set(slug, name);
      }
    }
    if (variants.length === 0) problems.push({ line: first.line, message: "the product has no price" });
  }
  return {
    products,
    categories: [...categories].map(([slug, name]) => ({ slug, name })),
    problems: problems.sort((a, b) => a.line - b.line),
  };
}

function readRows(text: string, problems: { line: number; message: string }[]): Placed[] {
  const records: { record: Row; info: { lines: number } }[] = parse(text, {
    bom: true,
    columns: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => void problems.push({ line: Number(error?.["lines"] ?? 0), message: error?.message ?? "the row cannot be read" }),
  });
  const [first] = records;
  if (first && !("Handle" in first.record && "Variant Price" in first.record)) {
    throw new Error("This is not a product export of Shopify: the columns Handle and Variant Price are missing.");
  }
  // The parser tells the line a record ends on; one that spans several lines starts above it.
  return records.map(({ record, info }) => ({ row: filled(record), line: info.lines - lineBreaks(record) }));
}

const filled = (record: Row): Row =>
  new Proxy(record, { get: (target, name) => (typeof name === "string" ? (target[name] ?? "").trim() : undefined) });

const lineBreaks = (record: Row): number => Object.values(record).reduce((sum, value) => sum + (value?.match(/\n/g)?.length ?? 0), 0);

/** Rows of one product stand together and share its handle. */
function byHandle(rows: readonly Placed[], problems: { line: number; message: string }[]): Placed[][] {
  const groups = new Map<string, Placed[]>();
  for (const placed of rows) {
    const handle = placed.row["Handle"] ?? "";
    if (handle === "") {
      problems.push({ line: placed.line, message: "the handle is missing" });
      continue;
    }
    const group = groups.get(handle) ?? [];
    groups.set(handle, group);
    group.push(placed);
  }
  return [...groups.values()];
}

function readVariant(
  product: Row,
  variant: Row,
  several: boolean,
  pictures: readonly string[],
  category_slugs: readonly string[],
  position: number,
): ImportedProduct | string {
  const title = product["Title"] ?? "";
  if (title === "") return "the title is missing";
  const options = [1, 2, 3]
    .map((index) => variant[`Option${index} Value`] ?? "")
    .filter((value) => value !== "" && value !== "Default Title");
  const slug = slugOf([product["Handle"] ?? "", ...(several ? options : [])].join("-"));
  if (slug === "") return "the handle has no letter or digit";
  const price = minorUnits(variant["Variant Price"] ?? "");
  if (price === null) return "the price is not an amount like 9.99";
  const compare = minorUnits(variant["Variant Compare At Price"] ?? "");
  const quantity = Number(variant["Variant Inventory Qty"]);
  const counted = variant["Variant Inventory Tracker"] !== "" && variant["Variant Inventory Policy"] !== "continue";
  if (counted && !Number.isSafeInteger(quantity)) return "the inventory quantity is not a whole number";
  const own = variant["Variant Image"] ?? "";
  return {
    slug,
    name: several && options.length > 0 ? `${title} – ${options.join(" / ")}` : title,
    description: plainText(product["Body (HTML)"] ?? "") || null,
    images: own === "" ? pictures : [own, ...pictures.filter((picture) => picture !== own)],
    price,
    compare_at_price: compare !== null && compare > price ? compare : null,
    category_slugs,
    active:
      (product["Published"] ?? "").toLowerCase() !== "false" && !["draft", "archived"].includes((product["Status"] ?? "").toLowerCase()),
    stock: counted ? Math.max(0, quantity) : null,
    position,
  };
}

/** Text to minor units by its digits: no floating point. */
function minorUnits(text: string): number | null {
  const [, whole, cents = ""] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole === undefined ? null : Number(whole + cents.padEnd(2, "0"));
}

function categoryNames(row: Row): Map<string, string> {
  const names = row["Type"] ? [row["Type"]] : (row["Tags"] ?? "").split(",").map((tag) => tag.trim());
  return new Map(names.map((name) => [slugOf(name), name] as const).filter(([slug]) => slug !== ""));
}

const images = (group: readonly Placed[]): string[] => [
  ...new Set(group.map(({ row }) => row["Image Src"] ?? "").filter((source) => source !== "")),
];

const slugOf = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 100);

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": " " };

const plainText = (html: string): string =>
  html
    .replace(/<(br|\/p|\/li|\/h\d)[^>]*>/gi, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity)
    .replace(/[ \t]+/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim();
