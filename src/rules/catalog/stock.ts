import type { ProductRecord } from "../records.ts";

/**
 * A change of one product's stock in one mode. It leaves a product alone whose
 * stock is not counted.
 */
export interface StockChange {
  readonly product_id: string;
  readonly stock_delta: number;
  readonly held_delta: number;
  /**
   * Applies only if `stock - held >= held_delta - stock_delta`, so that no piece
   * is sold twice.
   */
  readonly guarded: boolean;
}

/** Counts the pieces of a product in one mode, and those of them that are held. */
export interface StockCount {
  readonly stock: number;
  /** The number of pieces that open orders and sessions hold. */
  readonly held: number;
  /**
   * False means that the owner has ended the counting. Held pieces are still
   * counted, so that they stay held when the counting begins again.
   */
  readonly counted: boolean;
}

/** Gives the number of pieces that may be sold now. It gives null when the stock is not counted. */
export const onHandOf = (count: StockCount | undefined): number | null =>
  count?.counted ? count.stock - count.held : null;

/** Tells whether a change by these pieces leaves none sold twice. */
export function hasPieces(
  count: StockCount | undefined,
  { held_delta, stock_delta }: StockChange,
): boolean {
  const on_hand = onHandOf(count);
  return on_hand === null || on_hand >= held_delta - stock_delta;
}

/** Tells whether buyers may buy the product, whatever its stock: it is no draft and not blocked. */
export const isOffered = ({
  active,
  blocked,
}: Pick<ProductRecord, "active" | "blocked">): boolean => active && !blocked;

export const stockLevels = ["in_stock", "sold_out", "uncounted"] as const;

/** The state of a product's stock in one mode. Pieces that are held count as sold. */
export type StockLevel = (typeof stockLevels)[number];

/** Gives the state of a product's stock. A product without a count is `uncounted`. */
export function stockLevelOf(count: StockCount | undefined): StockLevel {
  const on_hand = onHandOf(count);
  if (on_hand === null) return "uncounted";
  return isInStock(on_hand) ? "in_stock" : "sold_out";
}

/** Tells whether a product can be sold by its stock alone. */
export const isInStock = (on_hand: number | null): boolean => on_hand === null || on_hand > 0;

/**
 * Tells whether a sale or return of pieces changes what `available` says of the
 * product.
 */
export const changesAvailability = (
  before: StockCount | undefined,
  after: StockCount | undefined,
): boolean => isInStock(onHandOf(before)) !== isInStock(onHandOf(after));
