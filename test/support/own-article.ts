import type { SourceProduct } from "vitrine";

const time = "2026-01-01T00:00:00.000Z";

/** Makes a product as a host's own catalog returns it. */
export const ownArticle = (id: string): SourceProduct => ({
  id,
  slug: "mug",
  name: "Mug",
  description: null,
  images: [],
  price: 1000,
  compare_at_price: null,
  currency: "BRL",
  available: true,
  promotion: null,
  category_ids: [],
  variables: [],
  recurring: null,
  max_quantity: null,
  created_at: time,
  updated_at: time,
});
