import { remember } from "../domain/async/remember.ts";
import { isCleanText, lengthOf } from "../domain/text/plain.ts";
import { pictureUrl } from "../input/fields.ts";
import { type DecimalSigns, readAmount } from "./amounts.ts";
import {
  type ImportedCategory,
  type ImportedProduct,
  type ReadProduct,
  type RowFault,
  refusedRow,
  type SourceRow,
} from "./record.ts";
import { htmlText } from "./text/html-text.ts";

// The limits of a store. A row beyond them would stop the import, so it is refused here.
const maxName = 200;
const maxDescription = 20_000;
const maxPictures = 50;
const maxCategories = 50;
const maxStock = 1_000_000_000;
const maxSlug = 100;

/** The most entries of a list in one cell that are looked at: no shop has as many. */
export const maxListed = 1_000;

/** A reason why a row gives no product. */
export class RefusedCell extends Error {
  readonly column: string | null;

  constructor(column: string | null, message: string) {
    super(message);
    this.name = "RefusedCell";
    this.column = column;
  }
}

interface RowReader {
  readonly line: number;
  read(): Omit<Extract<ReadProduct, { readonly product: ImportedProduct }>, "line">;
  /** Gives the product's slug alone, for a row that is refused. */
  slug(): string;
}

/** Gives the product that a row is read as, or the row as refused. */
export function productOf(row: RowReader, slugs: Set<string>): ReadProduct {
  const { line } = row;
  try {
    const read = row.read();
    const { product } = read;
    if (slugs.has(product.slug)) {
      const message = `The row gives the slug ${product.slug} a second time.`;
      return refusedRow(line, null, message, product.slug);
    }
    slugs.add(product.slug);
    return { line, ...read };
  } catch (error) {
    if (!(error instanceof RefusedCell)) throw error;
    return refusedRow(line, error.column, error.message, slugIn(row));
  }
}

function slugIn(row: RowReader): string | null {
  try {
    return row.slug() || null;
  } catch (error) {
    if (error instanceof RefusedCell) return null;
    throw error;
  }
}

export const slugOf = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxSlug + 1)
    .replace(/^-|-$/g, "")
    .slice(0, maxSlug)
    .replace(/-$/, "");

export function readName(text: string, column: string): string {
  const name = text.trim();
  if (name === "") throw new RefusedCell(column, "The name is missing.");
  if (lengthOf(name) > maxName)
    throw new RefusedCell(column, `The name is longer than ${maxName} characters.`);
  requireClean(name, column);
  return name;
}

/** Reads the same text only once: each variant's row repeats the description of its product. */
const lastText = remember(1, htmlText);

export function readDescription(html: string, column: string): string | null {
  const text = lastText(html);
  if (lengthOf(text) > maxDescription)
    throw new RefusedCell(column, `The description is longer than ${maxDescription} characters.`);
  requireClean(text, column);
  return text || null;
}

function requireClean(text: string, column: string): void {
  if (!isCleanText(text))
    throw new RefusedCell(
      column,
      "The text holds a letter that cannot be read (NUL, or cut in two).",
    );
}

/** Knows a long number that a spreadsheet has cut, such as `7,89E+12`: its digits are lost. */
export const isCutNumber = (text: string): boolean => /^\d(?:[.,]\d+)?E\+\d+$/i.test(text);

/** Notes that the SKU of a row is left out, where a spreadsheet has cut it. */
export const cutSku = ({ line, cell }: SourceRow, column: string): readonly RowFault[] =>
  isCutNumber(cell(column)) ? [{ line, column, message: cutMessage(cell(column)) }] : [];

const cutMessage = (text: string): string =>
  `${text} is left out: a spreadsheet has cut a longer number. Format its column as text.`;

/** Reads a SKU. A store will keep it, so one that no store can keep is refused. */
export function readSku(text: string, column: string): string | null {
  if (isCutNumber(text)) return null;
  if (lengthOf(text) > 255) throw new RefusedCell(column, "The SKU is longer than 255 characters.");
  requireClean(text, column);
  return text || null;
}

interface Amounts {
  readonly currency: string;
  readonly signs: DecimalSigns;
}

/** Reads an amount in minor units. Gives null for an empty cell. */
export function readMoney(
  row: SourceRow,
  column: string,
  { currency, signs }: Amounts,
): number | null {
  const text = row.cell(column);
  if (text === "") return null;
  const amount = readAmount(text, currency, signs.get(column) ?? null);
  if (typeof amount === "string") throw new RefusedCell(column, amount);
  return amount;
}

export function requirePrice(price: number | null, column: string): number {
  if (price === null) throw new RefusedCell(column, "The price is missing.");
  return price;
}

// A spreadsheet writes TRUE and FALSE anew in its own language when it saves a file.
const yes = "1 true yes sim sí si verdadeiro verdadero vero wahr vrai".split(" ");
const no = "0 false no não falso falsch faux".split(" ");

export const isYes = (text: string): boolean => yes.includes(text.toLowerCase());
export const isNo = (text: string): boolean => no.includes(text.toLowerCase());

/** Reads the pieces in stock. A number below 0 counts as 0. */
export function readStock(text: string, column: string): number {
  const pieces = /^-?\d{1,10}(?:[.,]0{1,4})?$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (!(pieces <= maxStock))
    throw new RefusedCell(column, `The stock must be a whole number up to ${maxStock}.`);
  return Math.max(0, pieces);
}

/** Keeps the pictures that a store takes, each once, and notes the others. */
export function readPictures(
  sources: readonly { readonly line: number; readonly text: string }[],
  column: string,
): { readonly images: readonly string[]; readonly notes: readonly RowFault[] } {
  const images = new Set<string>();
  const notes: RowFault[] = [];
  for (const { line, text } of sources) {
    if (text === "") continue;
    if (pictureUrl.safeParse(text).success) images.add(text);
    else {
      const message = "The picture is left out: its address is neither http(s) nor a path.";
      notes.push({ line, column, message });
    }
  }
  return { images: [...images].slice(0, maxPictures), notes };
}

/** Reads names of categories such as `A > B`. A product of B is one of A too. */
export function readCategories(paths: readonly string[]): readonly ImportedCategory[] {
  const categories = new Map<string, string>();
  for (const path of paths) {
    if (categories.size >= maxCategories) break;
    const names = path
      .split(">", maxCategories)
      .map((name) => name.trim())
      .filter((name) => slugOf(name) !== "" && name.length <= maxName && isCleanText(name));
    for (const [depth, name] of names.entries())
      categories.set(slugOf(names.slice(0, depth + 1).join("-")), name);
  }
  return [...categories].slice(0, maxCategories).map(([slug, name]) => ({ slug, name }));
}
