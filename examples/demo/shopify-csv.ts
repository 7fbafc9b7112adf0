import { parse } from "csv-parse/sync";
import { parseMoney } from "vitrine/money";

/** A product for `owner.products`, with slugs of categories in place of their ids. */
export interface ImportedProduct {
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly images: readonly string[];
  /** It is in minor units. */
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
  /** These rows were skipped. Each has the line on which it begins. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

// These are the limits of a store. A row beyond them would stop the import, so it
// is skipped and reported.
const maxName = 200;
const maxDescription = 20_000;
const maxPictures = 50;
const maxCategories = 1_000;
const maxCategoriesOfProduct = 50;
const maxStock = 1_000_000_000;

type Row = Readonly<Record<string, string>>;
interface Placed {
  readonly row: Row;
  readonly line: number;
}

/**
 * Reads a product export of Shopify. Each variant becomes a product, the type or else the tags
 * become categories, and an unpublished product becomes a draft. The file names no currency: its
 * prices are amounts of `currency`.
 */
export function readShopifyCsv(text: string, currency: string): Import {
  const problems: { line: number; message: string }[] = [];
  const products: ImportedProduct[] = [];
  const categories = new Map<string, string>();
  const slugs = new Set<string>();
  for (const group of byHandle(readRows(text, problems), problems)) {
    const [first] = group;
    if (!first) continue;
    const variants = group.filter(
      ({ row }) => row["Variant Price"] !== "" || row["Option1 Value"] !== "",
    );
    const names = categoryNames(first.row);
    const images = readImages(group, problems);
    for (const [index, placed] of variants.entries()) {
      const number = variants.length > 1 ? index + 1 : null;
      const product = readVariant({
        product: first.row,
        variant: placed.row,
        number,
        pictures: images,
        category_slugs: [...names.keys()],
        position: products.length,
        currency,
      });
      if (typeof product === "string") problems.push({ line: placed.line, message: product });
      else if (slugs.has(product.slug))
        problems.push({
          line: placed.line,
          message: `the handle and options give the slug ${product.slug} a second time`,
        });
      else {
        slugs.add(product.slug);
        products.push(product);
        for (const [slug, name] of names) {
          if (categories.has(slug)) continue;
          if (categories.size < maxCategories) categories.set(slug, name);
          else
            problems.push({
              line: placed.line,
              message: `the category ${slug}: a store has at most ${maxCategories}`,
            });
        }
      }
    }
    if (variants.length === 0)
      problems.push({ line: first.line, message: "the product has no price" });
  }
  return {
    products,
    categories: [...categories].map(([slug, name]) => ({ slug, name })),
    problems: problems.sort((a, b) => a.line - b.line),
  };
}

function readRows(text: string, problems: { line: number; message: string }[]): Placed[] {
  let isExport = false;
  let broken = false;
  // The parser counts a CRLF inside quotes as two lines, so all line ends become LF.
  const records: { record: Row; info: { lines: number } }[] = parse(text.replaceAll("\r\n", "\n"), {
    bom: true,
    columns: (names: string[]) => {
      isExport = names.includes("Handle") && names.includes("Variant Price");
      return names;
    },
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: () => {
      broken = true;
    },
  });
  if (!isExport)
    throw new Error(
      "This is not a product export of Shopify: the columns Handle and Variant Price are missing.",
    );
  // With relaxed quotes only the last row can be unreadable: its quote spans the rest of the file.
  const end = records.at(-1)?.info.lines ?? 1;
  if (broken)
    problems.push({
      line: end + 1,
      message: "a quote is opened and never closed: the file cannot be read from here on",
    });
  // The parser gives the last line of a record, which may have begun on an earlier line.
  return records.map(({ record, info }) => ({
    row: filled(record),
    line: info.lines - lineBreaks(record),
  }));
}

const filled = (record: Row): Row =>
  new Proxy(record, {
    get: (target, name) => (typeof name === "string" ? (target[name] ?? "").trim() : undefined),
  });

const lineBreaks = (record: Row): number =>
  Object.values(record).reduce((sum, value) => sum + (value?.match(/\n/g)?.length ?? 0), 0);

/** The rows of one product follow each other and have the same handle. */
function byHandle(
  rows: readonly Placed[],
  problems: { line: number; message: string }[],
): Placed[][] {
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

interface Variant {
  readonly product: Row;
  readonly variant: Row;
  /** It is null when the product has no other variant. */
  readonly number: number | null;
  readonly pictures: readonly string[];
  readonly category_slugs: readonly string[];
  readonly position: number;
  readonly currency: string;
}

/** Gives the product, or says what is wrong with the row. */
function readVariant({
  product,
  variant,
  number,
  pictures,
  category_slugs,
  position,
  currency,
}: Variant): ImportedProduct | string {
  const title = product["Title"] ?? "";
  if (title === "") return "the title is missing";
  const options = [1, 2, 3]
    .map((index) => variant[`Option${index} Value`] ?? "")
    .filter((value) => value !== "" && value !== "Default Title");
  const handle = slugOf(product["Handle"] ?? "");
  if (handle === "") return "the handle has no letter of a-z and no digit";
  // An option without such a letter gives no slug, so the number of the variant is used.
  const slug =
    number === null
      ? handle
      : slugOf(options.length === 0 ? handle : `${handle}-${slugOf(options.join("-")) || number}`);
  const name = number !== null && options.length > 0 ? `${title} – ${options.join(" / ")}` : title;
  if (name.length > maxName) return `the title is longer than ${maxName} characters`;
  const description = plainText(product["Body (HTML)"] ?? "");
  if (description.length > maxDescription)
    return `the body is longer than ${maxDescription} characters`;
  if (`${name}${description}`.includes("\0")) return "the title or the body holds a NUL character";
  const price = parseMoney(variant["Variant Price"] ?? "", currency);
  if (price === null) return `the price is not an amount of ${currency}`;
  const compare = parseMoney(variant["Variant Compare At Price"] ?? "", currency);
  const counted =
    variant["Variant Inventory Tracker"] !== "" &&
    variant["Variant Inventory Policy"] !== "continue";
  const quantity = variant["Variant Inventory Qty"] || "0";
  if (counted && !(/^-?\d{1,10}$/.test(quantity) && Number(quantity) <= maxStock))
    return `the inventory quantity is not a whole number up to ${maxStock}`;
  const own = variant["Variant Image"] ?? "";
  return {
    slug,
    name,
    description: description || null,
    images: isPicture(own)
      ? [own, ...pictures.filter((picture) => picture !== own)].slice(0, maxPictures)
      : pictures,
    price,
    compare_at_price: compare !== null && compare > price ? compare : null,
    category_slugs,
    active:
      (product["Published"] ?? "").toLowerCase() !== "false" &&
      !["draft", "archived"].includes((product["Status"] ?? "").toLowerCase()),
    stock: counted ? Math.max(0, Number(quantity)) : null,
    position,
  };
}

function categoryNames(row: Row): Map<string, string> {
  const names = row["Type"]
    ? [row["Type"]]
    : (row["Tags"] ?? "").split(",").map((tag) => tag.trim());
  const known = names.filter(
    (name) => slugOf(name) !== "" && name.length <= maxName && !name.includes("\0"),
  );
  return new Map(known.slice(0, maxCategoriesOfProduct).map((name) => [slugOf(name), name]));
}

function readImages(
  group: readonly Placed[],
  problems: { line: number; message: string }[],
): string[] {
  const images = new Set<string>();
  for (const { row, line } of group) {
    const source = row["Image Src"] ?? "";
    if (isPicture(source)) images.add(source);
    else if (source !== "")
      problems.push({
        line,
        message: "the picture alone: its address is neither http(s) nor a path that begins with /",
      });
  }
  return [...images].slice(0, maxPictures);
}

const isPicture = (source: string): boolean =>
  source.length <= 2_048 &&
  !/[\s\\\p{Cc}]/u.test(source) &&
  (/^\/(?!\/)/.test(source) || (/^https?:\/\/[^/?#]/i.test(source) && isUrl(source)));

/**
 * Tells whether the text is a URL. It does not use URL.canParse: in Node 20, once
 * it is optimised, it refuses letters such as ü.
 */
function isUrl(text: string): boolean {
  try {
    return new URL(text) instanceof URL;
  } catch {
    return false;
  }
}

const slugOf = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 101)
    .replace(/^-|-$/g, "")
    .slice(0, 100);

// These are the named entities that Shopify's editor writes. It writes accented
// letters as they are.
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
};

const plainText = (html: string): string =>
  html
    .replace(/<(script|style)\b[^<]*<\/\1>|<!--[^<]*-->/gi, "")
    .replace(/<(br|\/p|\/li|\/h\d)[^<>]*>/gi, "\n")
    .replace(/<[^<>]*>/g, "")
    .replace(
      /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi,
      (entity, decimal?: string, hex?: string, name?: string) =>
        name === undefined
          ? letterOf(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal))
          : (entities[name] ?? entity),
    )
    .replace(/[ \t]+/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim();

/**
 * Reads a letter by its number. It gives an empty text for NUL, half a surrogate
 * pair and numbers beyond Unicode.
 */
const letterOf = (code: number): string =>
  code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
    ? ""
    : String.fromCodePoint(code);
