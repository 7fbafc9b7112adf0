/**
 * A change of one product's stock in one mode. It leaves a product alone whose
 * stock is not counted.
 */
export interface StockChange {
  readonly product_id: string;
  readonly stock_delta: number;
  readonly held_delta: number;
  /** Applies only if `stock - held >= held_delta - stock_delta`: no piece is sold twice. */
  readonly guarded: boolean;
}

export interface StockCount {
  readonly stock: number;
  /** Pieces that open orders hold. */
  readonly held: number;
}

/** Pieces that may be sold now; null when the stock is not counted. */
export const onHandOf = (count: StockCount | undefined): number | null =>
  count ? piecesLeft(count) : null;

/** Counted pieces that may be sold now. */
export const piecesLeft = ({ stock, held }: StockCount): number => stock - held;

/** Tells whether a product can be sold by its stock alone. */
export const isInStock = (on_hand: number | null): boolean => on_hand === null || on_hand > 0;

/**
 * Tells whether a sale or return of pieces changes what `available` says of the
 * product.
 */
export const changesAvailability = (on_hand_before: number, on_hand_after: number): boolean =>
  isInStock(on_hand_before) !== isInStock(on_hand_after);
