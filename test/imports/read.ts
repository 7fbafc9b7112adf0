import {
  type ImportedCategory,
  type ImportedProduct,
  type ProductFile,
  type RowFault,
  readProducts,
} from "vitrine/import";

/** All that a file gives. */
export interface ReadFile {
  readonly products: readonly ImportedProduct[];
  readonly categories: readonly ImportedCategory[];
  readonly refused: readonly RowFault[];
  readonly notes: readonly RowFault[];
  /** False means that the end of the file could not be read. */
  readonly complete: boolean;
}

type Options = Partial<Pick<ProductFile, "currency" | "decimal">>;

/** Reads a whole file, given as text or as its bytes. */
export async function readFile(
  format: ProductFile["format"],
  content: string | Uint8Array,
  { currency = "BRL", decimal }: Options = {},
): Promise<ReadFile> {
  const open = () => (typeof content === "string" ? content : partsOf(content));
  const products: ImportedProduct[] = [];
  const categories = new Map<string, ImportedCategory>();
  const refused: RowFault[] = [];
  const notes: RowFault[] = [];
  let complete = true;
  for await (const read of readProducts({ format, open, currency, decimal })) {
    if ("refused" in read) {
      refused.push(read.refused);
      if (read.is_end) complete = false;
    } else {
      products.push(read.product);
      notes.push(...read.notes);
      for (const category of read.product.categories ?? []) categories.set(category.slug, category);
    }
  }
  return { products, categories: [...categories.values()], refused, notes, complete };
}

/** Cuts bytes at odd places, as a network does. */
async function* partsOf(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const quoted = (value: string): string =>
  /[",;\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

/** Writes a CSV. */
export const csv = (
  columns: readonly string[],
  rows: readonly Readonly<Record<string, string>>[],
  separator = ",",
): string =>
  [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ""))]
    .map((cells) => cells.map(quoted).join(separator))
    .join("\n");
