/** One product's pieces in one mode. Products whose stock is not counted are left alone. */
export interface StockChange {
  readonly product_id: string;
  readonly stock_delta: number;
  readonly held_delta: number;
  /** Only if `stock - held >= held_delta - stock_delta`: nothing is sold twice. */
  readonly guarded: boolean;
}
