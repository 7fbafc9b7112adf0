import type { StockCount } from "#core/rules/catalog/stock.ts";

/** The columns of a stock row that say how many pieces there are. */
export const countColumns = ["stock", "held", "counted"] as const;
export type CountColumn = (typeof countColumns)[number];

/** A row of stock with these columns. */
export interface CountRow {
  readonly stock: number;
  readonly held: number;
  readonly counted: 0 | 1;
}

export const readCount = ({ stock, held, counted }: CountRow): StockCount => ({
  stock,
  held,
  counted: counted === 1,
});
