import { z } from "zod";

/** A product to suggest while a buyer types its name. */
export const ProductSuggestion = z.strictObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
});

export interface ProductSuggestion extends z.output<typeof ProductSuggestion> {}
