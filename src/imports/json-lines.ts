import { z } from "zod";
import { LineReader, UnreadableRow } from "../domain/text/row-reader.ts";
import { given, validate } from "../input/check.ts";
import { money, optionalText, pictureUrl, slug, text } from "../input/fields.ts";
import type { ImportedProduct } from "../owner/imports/imported-product.ts";
import { maxOptions, maxOptionText } from "../rules/catalog/groups/product-groups.ts";
import { productOf, RefusedCell, slugOf } from "./product.ts";
import { type ReadProduct, refusedRow } from "./record.ts";

const passedOver = z.unknown().optional();

/**
 * One line: the record of a product, with prices in minor units. Our own feed and a file of
 * refused rows have further fields, which are not read.
 */
const Line = z.strictObject({
  id: passedOver,
  category_ids: passedOver,
  available: passedOver,
  created_at: passedOver,
  url: passedOver,
  refused_column: passedOver,
  refused_reason: passedOver,
  slug: slug.nullish(),
  sku: optionalText(255),
  external_id: optionalText(255),
  group: optionalText(100),
  options: z
    .array(z.strictObject({ name: text(maxOptionText.name), value: text(maxOptionText.value) }))
    .max(maxOptions)
    .readonly()
    .nullish(),
  name: text(200),
  description: optionalText(20_000),
  images: z.array(pictureUrl).max(50).readonly().nullish(),
  price: money,
  compare_at_price: money.nullish(),
  /** Judged where products are stored. */
  recurring: z.custom<ImportedProduct["recurring"]>().optional(),
  currency: z.string().nullish(),
  categories: z
    .array(z.strictObject({ slug, name: text(200) }))
    .max(50)
    .readonly()
    .nullish(),
  active: z.boolean().nullish(),
  stock: z.int().min(0).max(1_000_000_000).nullish(),
});

export async function* readJsonLines(
  parts: AsyncIterable<string>,
  currency: string,
): AsyncGenerator<ReadProduct> {
  const slugs = new Set<string>();
  const reader = new LineReader();
  const read = ({ line, cells }: { line: number; cells: readonly string[] }): ReadProduct =>
    productOf(
      {
        line,
        read: () => readLine(cells[0] ?? "", currency),
        slug: () => slugIn(parseObject(cells[0] ?? "")),
      },
      slugs,
    );
  try {
    for await (const part of parts) for (const row of reader.push(part)) yield read(row);
    for (const row of reader.end()) yield read(row);
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error;
    const message = `The file cannot be read from here on: ${error.message}.`;
    yield { ...refusedRow(error.line, null, message), is_end: true };
  }
}

/** Gives the slug of a line that was refused, where one can be told. */
function slugIn(line: object): string {
  const { slug, sku } = line as { readonly slug?: unknown; readonly sku?: unknown };
  if (typeof slug === "string") return slug;
  return typeof sku === "string" ? slugOf(sku) : "";
}

function readLine(json: string, currency: string) {
  const checked = validate(Line, parseObject(json));
  if (!checked.ok) throw new RefusedCell(checked.error.param ?? null, checked.error.message);

  const { value } = checked;
  if (value.currency && value.currency !== currency)
    throw new RefusedCell("currency", `The price is in ${value.currency}, and not in ${currency}.`);
  const ownSlug = value.slug ?? slugOf(value.sku ?? "");
  if (ownSlug === "") throw new RefusedCell("slug", "slug or sku is required.");
  return {
    product: {
      slug: ownSlug,
      sku: value.sku ?? null,
      ...(value.external_id && { external_id: value.external_id }),
      ...(value.group && { group: value.group }),
      ...(value.options && { options: value.options }),
      name: value.name,
      price: value.price,
      currency,
      ...given({
        description: value.description,
        images: value.images === null ? [] : value.images,
        compare_at_price: value.compare_at_price,
        recurring: value.recurring,
        categories: value.categories === null ? [] : value.categories,
        active: value.active === null ? true : value.active,
        stock: value.stock,
      }),
    },
    notes: [],
  };
}

function parseObject(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The sentence below says the same of both.
  }
  throw new RefusedCell(null, "The line is not a JSON object.");
}
