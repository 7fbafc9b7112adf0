import { z } from "zod";

/** Counts the products that a list would show, over all of its pages. */
export const ProductFacets = z.object({
  category: z.array(z.object({ category_id: z.string(), count: z.int() })).optional(),
  price: z.object({ min: z.int(), max: z.int() }).nullable().optional(),
  available: z.object({ true: z.int(), false: z.int() }).optional(),
});
/**
 * How many of the found products are in each category and can be bought, and their lowest and
 * highest price. It has what was asked for.
 */
export interface ProductFacets extends z.output<typeof ProductFacets> {}
/** All facets at once, as a storage counts them. */
export type AllProductFacets = {
  readonly [Name in keyof ProductFacets]-?: Exclude<ProductFacets[Name], undefined>;
};
