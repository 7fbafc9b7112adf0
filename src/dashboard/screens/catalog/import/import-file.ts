import { base64url, fromBase64url } from "../../../../domain/keys/hash.ts";
import { detectFormat } from "../../../../imports/detect.ts";
import type { ProductFile } from "../../../../imports/record.ts";
import { separatorOf, textRows } from "../../../../imports/table.ts";
import { encodingOf, textOf } from "../../../../imports/text/decode.ts";
import { currency as isCurrency } from "../../../../input/fields.ts";
import type { TextName } from "../../../language.ts";
import type { StoreVisit } from "../../../screen.ts";
import { importField, maxImportBytes, namedFormats } from "./import-limits.ts";

type NamedFormat = (typeof namedFormats)[number];
export type ImportFormat = NamedFormat | "own_jsonl";

/** A chosen file, with what was said of it. */
export interface ImportFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly format: ImportFormat;
  readonly currency: string;
  readonly decimal: "." | "," | null;
}

/** Opens bytes as the readers do: anew each time. */
export const opener =
  (bytes: Uint8Array): ProductFile["open"] =>
  () =>
    (async function* () {
      yield bytes;
    })();

/** The file is carried by the page from its preview to its import, as this field of a form. */
export const packedField = "packed";

/** Packs a file for a page. */
export async function packed({ bytes }: ImportFile): Promise<string> {
  const whole = new Blob([bytes as Uint8Array<ArrayBuffer>]);
  const stream = whole.stream().pipeThrough(new CompressionStream("gzip"));
  return base64url(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** Unpacks a file, and stops where it is larger than any that was packed. */
async function unpacked(text: string): Promise<Uint8Array | null> {
  const bytes = fromBase64url(text);
  if (bytes === null || bytes.length === 0) return null;

  const whole = new Blob([bytes as Uint8Array<ArrayBuffer>]);
  const reader = whole.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
      parts.push(value);
      size += value.length;
      if (size > maxImportBytes) return null;
    }
  } catch {
    return null;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Reads the file that a form carries. Says what is wrong with it. */
export async function fileIn(
  { files, store }: StoreVisit,
  fields: URLSearchParams,
): Promise<ImportFile | TextName> {
  const file = files.get(importField);
  if (file && file.size > maxImportBytes) return "import_fault_large";
  const bytes = file
    ? new Uint8Array(await file.arrayBuffer())
    : await unpacked(fields.get(packedField) ?? "");
  if (bytes === null) return "import_fault_none";

  const currency = fields.get("currency")?.trim().toUpperCase() || store.currency;
  if (!isCurrency.safeParse(currency).success) return "import_fault_currency";
  const decimal = [".", ","].find((sign) => sign === fields.get("decimal")) as "." | "," | null;
  const format = await formatOf(bytes, fields.get("format") ?? "");
  if (format === null) return "import_fault_format";
  const name = file?.name ?? fields.get("file_name") ?? "";
  return { name: name.slice(-200), bytes, format, currency, decimal: decimal ?? null };
}

async function formatOf(bytes: Uint8Array, said: string): Promise<ImportFormat | null> {
  const named = namedFormats.find((name) => name === said) ?? null;
  if (named !== null && named !== "jsonl") return named;
  const found = await detectFormat(opener(bytes));
  return found === "own_jsonl" ? found : (named ?? found);
}

/** Reads a file as one text. */
export async function wholeText(open: ProductFile["open"]): Promise<string> {
  let whole = "";
  for await (const text of textOf(open(), await encodingOf(open()))) whole += text;
  return whole;
}

/** Reads the rows of a table as they stand in the file, with the sign between its cells. */
export async function openTable({ bytes }: ImportFile) {
  const open = opener(bytes);
  const text = await wholeText(open);
  const rows = textRows(textOf(open(), await encodingOf(open())));
  return { rows, separator: separatorOf(text), text };
}
