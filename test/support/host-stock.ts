import type { CatalogSource } from "vitrine";
import { ownArticle } from "./own-article.ts";

/** The host's own books of one article: free pieces, and those of each order. */
export interface StockBook {
  readonly free: number;
  readonly kept: Readonly<Record<string, number>>;
  readonly sold: Readonly<Record<string, number>>;
}

type Step = "reserve" | "confirm" | "release";
/** A moment around a change of the books: before it, or after its commit. */
export type Moment = `${"before" | "after"} ${Step}`;

export interface HostStock {
  read(): StockBook;
  write(book: StockBook): void;
  /** What happens at a moment: the process dies, or the answer is lost. */
  at(moment: Moment): void | Promise<void>;
}

/** A catalog whose three calls are each one change of the books, idempotent by order. */
export function hostCatalog({ read, write, at }: HostStock): CatalogSource {
  const article = ownArticle("42");
  const change = async <T>(step: Step, work: (book: StockBook) => readonly [T, StockBook?]) => {
    await at(`before ${step}`);
    const [answer, book] = work(read());
    if (book) write(book);
    await at(`after ${step}`);
    return answer;
  };
  const piecesOf = (lines: readonly { readonly quantity: number }[]): number =>
    lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const without = (kept: StockBook["kept"], order_id: string): StockBook["kept"] =>
    Object.fromEntries(Object.entries(kept).filter(([id]) => id !== order_id));

  return {
    list: async () => ({ products: [article], next: null }),
    find: async () => article,
    categories: async () => [],
    cart: async () => [{ product: article, on_hand: read().free }],
    reserve: ({ order_id, lines }) =>
      change("reserve", (book) => {
        const { free, kept, sold } = book;
        if (order_id in kept || order_id in sold) return [true];
        const pieces = piecesOf(lines);
        if (free < pieces) return [false];
        return [true, { ...book, free: free - pieces, kept: { ...kept, [order_id]: pieces } }];
      }),
    confirm: ({ order_id, lines }) =>
      change("confirm", ({ free, kept, sold }) => {
        if (order_id in sold) return [undefined];
        const pieces = piecesOf(lines);
        const left = order_id in kept ? free : free - pieces;
        const after = { free: left, kept: without(kept, order_id) };
        return [undefined, { ...after, sold: { ...sold, [order_id]: pieces } }];
      }),
    release: ({ order_id }) =>
      change("release", (book) => {
        const { free, kept } = book;
        const after = { free: free + (kept[order_id] ?? 0), kept: without(kept, order_id) };
        return [undefined, { ...book, ...after }];
      }),
  };
}
