import { z } from "zod";

const id = z.string();
const money = z.int().min(0).describe("Minor units of `currency`");
const timestamp = z.iso.datetime({ precision: 3 });
const nullableText = z.string().nullable();
export const intervals = ["day", "week", "month", "year"] as const;

/** The orders of a product list. */
export const productSorts = ["relevance", "position", "price", "-price", "newest"] as const;
/** An order of a product list: `-price` is the dearest first, and `relevance` needs a search. */
export type ProductSort = (typeof productSorts)[number];

export const Promotion = z.strictObject({
  discount_type: z.enum(["percentage", "fixed"]),
  discount_amount: z.number(),
});
export const Recurring = z.strictObject({
  interval: z.enum(intervals),
  interval_count: z.int().min(1),
  trial_days: z.int().min(1).optional(),
});
export const Variable = z.strictObject({
  key: z.string(),
  label: z.string(),
  type: z.enum(["text", "number", "select"]),
  required: z.boolean(),
  pattern: nullableText,
  max_length: z.int().nullable(),
  options: z.array(z.strictObject({ value: z.string(), label: z.string() })),
});

/** One choice by which a product differs from the others of its group: a name and its value. */
export const ProductOption = z.strictObject({ name: z.string(), value: z.string() });

/** One product of a group, as a choice beside the others. */
const Variant = z.strictObject({
  id,
  slug: z.string(),
  options: z.array(ProductOption),
  price: money,
  available: z.boolean(),
});

/**
 * The group that a product belongs to. Every answer gives its id. A list with `group=first` adds
 * the lowest and highest price and whether any variant is available. A single product has all
 * fields.
 */
export const ProductGroup = z.strictObject({
  id,
  price_from: money.optional(),
  price_to: money.optional(),
  available: z.boolean().optional(),
  options: z.array(z.strictObject({ name: z.string(), values: z.array(z.string()) })).optional(),
  variants: z.array(Variant).optional(),
});

/** A product of the catalog, as the public API shows it. Prices are in minor units. */
export const Product = z.strictObject({
  id,
  slug: z.string(),
  name: z.string(),
  description: nullableText,
  images: z.array(z.string()),
  price: money,
  compare_at_price: money.nullable(),
  currency: z.string(),
  available: z.boolean(),
  promotion: Promotion.nullable(),
  category_ids: z.array(z.string()),
  variables: z.array(Variable),
  recurring: Recurring.nullable(),
  max_quantity: z.int().nullable(),
  options: z.array(ProductOption).optional(),
  group: ProductGroup.optional(),
  created_at: timestamp,
  updated_at: timestamp,
});

export interface Product extends z.output<typeof Product> {}
/** An input that the buyer fills in for a product. */
export interface ProductVariable extends z.output<typeof Variable> {}
export interface ProductOption extends z.output<typeof ProductOption> {}
export interface ProductGroup extends z.output<typeof ProductGroup> {}
