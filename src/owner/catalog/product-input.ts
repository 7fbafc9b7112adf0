import { z } from "zod";
import { intervals } from "../../contract/schemas.ts";
import { compilePattern, maxSteps, stepsOf } from "../../domain/text/pattern.ts";
import { emptyFields } from "../../input/check.ts";
import {
  currency,
  defaultMaxLength,
  deliveredFile,
  discountFault,
  foreignId,
  money,
  optionalText,
  ownId,
  pageSize,
  pictureUrl,
  position,
  slug,
  text,
  webUrl,
} from "../../input/fields.ts";
import { maxOptions, maxOptionText } from "../../rules/catalog/groups/product-groups.ts";
import { ownSorts } from "../../rules/catalog/own-sort.ts";
import { stockLevels } from "../../rules/catalog/stock.ts";
import type { ProductRecord } from "../../rules/records.ts";

const Promotion = z
  .strictObject({ discount_type: z.enum(["percentage", "fixed"]), discount_amount: z.number() })
  .superRefine((promotion, issues) => {
    const message = discountFault(promotion);
    if (message) issues.addIssue({ code: "custom", path: ["discount_amount"], message });
  });

const Variable = z
  .strictObject({
    key: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,64}$/, "must be 1 to 64 characters of A-Z, a-z, 0-9, _, . and -")
      .refine((key) => key !== "__proto__", "is not accepted as a key"),
    label: text(200),
    type: z.enum(["text", "number", "select"]),
    required: z
      .boolean()
      .nullish()
      .transform((value) => value ?? false),
    pattern: z
      .string()
      .min(1)
      .max(500)
      .refine(
        isPattern,
        "must be made of literals and [...] classes with ? * + {m,n} up to 500, " +
          "without groups or alternation",
      )
      .nullish()
      .transform((value) => value ?? null),
    max_length: z
      .int()
      .min(1)
      .max(10_000)
      .nullish()
      .transform((value) => value ?? null),
    options: z
      .array(z.strictObject({ value: text(200), label: text(200) }))
      .max(200)
      .readonly()
      .nullish()
      .transform((value) => [...(value ?? [])]),
  })
  .superRefine(({ type, pattern, max_length, options }, issues) => {
    const issue = (path: string, message: string) =>
      issues.addIssue({ code: "custom", path: [path], message });
    const compiled = pattern === null ? null : compilePattern(pattern);
    if (compiled && stepsOf(compiled, max_length ?? defaultMaxLength) > maxSteps)
      issue(
        "pattern",
        "takes too long for texts of max_length: write a shorter one, or allow less",
      );
    if (type !== "select" && options.length > 0)
      issue("options", "belong to variables of type select only");
    if (type !== "select") return;

    if (options.length === 0) issue("options", "must have at least 1 entries");
    if (pattern !== null)
      issue("pattern", "has no place in a select: its options are the only values");
    if (indexOfRepeat(options.map(({ value }) => value)) !== null)
      issue("options", "must have different values");
  });

const Delivery = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: text(10_000) }),
  z.strictObject({ type: z.literal("link"), url: webUrl }),
  z.strictObject({
    type: z.literal("file"),
    file: deliveredFile,
    name: text(200).nullish(),
    max_downloads: z.int().min(1).max(1_000_000).nullish(),
  }),
  z.strictObject({
    type: z.literal("license_key"),
    activations: z.int().min(1).max(1_000).nullish(),
    source: z.enum(["made", "uploaded"]).optional(),
  }),
]);

/** An index holds the combination of a group's options, so that their texts are short. */
const optionText = (max: number) =>
  text(max).refine((value) => value.trim() === value, "must not begin or end with a blank");

/** An import reads these fields and an export has them, in this order. */
const fields = {
  slug: slug.optional(),
  name: text(200),
  description: optionalText(20_000),
  price: money,
  compare_at_price: money.nullish(),
  currency,
  stock: z.int().min(0).max(1_000_000_000).nullish(),
  active: z.boolean().optional(),
  blocked: z.boolean().optional(),
  position: position.optional(),
  max_quantity: z.int().min(1).max(1_000_000).nullish(),
  promotion: Promotion.nullish(),
  recurring: z
    .strictObject({
      interval: z.enum(intervals),
      interval_count: z.int().min(1).max(1000),
      /** The number of days before the first payment. Left out, the buyer pays at once. */
      trial_days: z.int().min(1).max(730).optional(),
    })
    .nullish(),
  /** The buyer gets this once the order is paid. Nobody is shown it before. */
  delivery: Delivery.nullish(),
  category_ids: z
    .array(foreignId)
    .max(50)
    .refine((ids) => indexOfRepeat(ids) === null, "must not name a category twice")
    .readonly()
    .optional(),
  images: z.array(pictureUrl).max(50).readonly().optional(),
  variables: z
    .array(Variable)
    .max(50)
    .refine(
      (variables) => indexOfRepeat(variables.map(({ key }) => key)) === null,
      "must have different keys",
    )
    .readonly()
    .optional(),
  sku: optionalText(255),
  external_id: optionalText(255),
  group: optionalText(100),
  options: z
    .array(
      z.strictObject({
        name: optionText(maxOptionText.name),
        value: optionText(maxOptionText.value),
      }),
    )
    .max(maxOptions)
    .refine(
      (options) => indexOfRepeat(options.map(({ name }) => name)) === null,
      "must have different names",
    )
    .readonly()
    .optional(),
};

/** A new product has these values where its input leaves a field out. */
export const emptyProduct = {
  ...emptyFields(fields),
  images: [],
  category_ids: [],
  variables: [],
  options: [],
  active: true,
  blocked: false,
  position: 0,
} as const satisfies Partial<ProductRecord>;

export const ProductInput = z.strictObject(fields);
export const ProductPut = z.strictObject({ id: ownId("prod").optional(), ...fields });
/** One call is one transaction: a larger catalog takes several calls. */
export const ProductPuts = z.array(ProductPut).max(10_000);
export const ProductChanges = ProductInput.partial();

export const OwnerProductQuery = z.strictObject({
  limit: pageSize.nullish(),
  /** The `next_cursor` of the page before. */
  starting_after: z.string().max(2_000).nullish(),
  /** The order of the list. By default it is that of the ids, which is the order of creation. */
  sort: z.enum(ownSorts).nullish(),
  /**
   * Finds a part of the name or slug, whatever its case and accents, the beginning of an SKU, and a
   * whole external id. It has 1 to 100 characters.
   */
  search: text(100).nullish(),
  /** Lists the products of this group. */
  group: foreignId.nullish(),
  /** False lists drafts alone. */
  active: z.boolean().nullish(),
  category_id: foreignId.nullish(),
  /** Lists products that cost this or more, in minor units of whatever currency they have. */
  min_price: z.int().min(0).nullish(),
  /** Lists products that cost this or less. */
  max_price: z.int().min(0).nullish(),
  /** Lists products with this much left to sell. `uncounted` means that no pieces are counted. */
  stock: z.enum(stockLevels).nullish(),
  /** The mode of the pieces that `stock` looks at. Default: the live one. */
  livemode: z.boolean().nullish(),
});
/** Selects the products of a list. A filter that is left out, or null, lists all. */
export interface OwnerProductQuery extends z.input<typeof OwnerProductQuery> {}
/** Selects the products that are counted. A filter that is left out, or null, counts all. */
export interface OwnerFacetQuery
  extends Omit<OwnerProductQuery, "limit" | "starting_after" | "sort"> {}

/**
 * Describes a new product. Amounts are in minor units of `currency`. Without a slug
 * one is made from the name. `stock` is what is on hand in each of the two modes.
 * `null` means that pieces are not counted. `group` names what the product is a variant of, and
 * `options` what tells it from the others, such as `[{ name: "Size", value: "M" }]`.
 */
export interface ProductInput extends z.input<typeof ProductInput> {}
/**
 * Describes a product that is created or replaced. An `id` of your own begins with
 * `prod_`.
 */
export interface ProductPut extends z.input<typeof ProductPut> {}
/**
 * Changes a product. A field that is left out stays as it is. `null` empties one
 * that may be empty.
 */
export interface ProductChanges extends z.input<typeof ProductChanges> {}

/**
 * Gives the index of the first value that is equal to one before it. Gives null
 * when all values differ.
 */
export function indexOfRepeat(values: readonly unknown[]): number | null {
  const seen = new Set<unknown>();
  const index = values.findIndex((value) => seen.size === seen.add(value).size);
  return index < 0 ? null : index;
}

function isPattern(source: string): boolean {
  return compilePattern(source) !== null;
}
