export const placeColumns = [
  "date",
  "time",
  "kind",
  "order_number",
  "order_id",
  "reference",
] as const;
export const itemColumns = ["product", "product_slug", "quantity", "unit_amount"] as const;
export const moneyColumns = [
  "currency",
  "subtotal",
  "discount",
  "gross",
  "refunded",
  "charged_back",
  "net",
  "fee",
  "after_fees",
] as const;
export const partyColumns = ["method", "coupon", "customer", "email", "tax_id", "country"] as const;

/** A column of the books. */
export type BooksColumn =
  | (typeof placeColumns)[number]
  | (typeof itemColumns)[number]
  | (typeof moneyColumns)[number]
  | (typeof partyColumns)[number];
