import type { ProductRecord } from "../../records.ts";

/** What a buyer looks for. */
export interface ProductSearch {
  /** The words with one blank between them. */
  readonly phrase: string;
  /** All of them must be found, each in the name or the slug. */
  readonly words: readonly string[];
  /**
   * True when a word has three letters or digits in a row. An index can find such a word. Shorter
   * words are in very many products: their hits are not ranked, and only the first `mostScanned`
   * products of the list are read.
   */
  readonly ranked: boolean;
}

/** A product with the texts in which a search looks: its folded name, and its slug. */
export interface FoldedProduct {
  readonly record: ProductRecord;
  readonly folded: readonly [name: string, slug: string];
}

/** Splits a folded search at its blanks. A search of blanks alone is one word. */
export function readSearch(search: string): ProductSearch {
  const words = [...new Set(search.split(/\s+/u).filter((word) => word !== ""))];
  if (words.length === 0) return { phrase: search, words: [search], ranked: false };

  return {
    phrase: search.trim().replace(/\s+/gu, " "),
    words,
    ranked: words.some((word) => /[\p{L}\p{N}]{3}/u.test(word)),
  };
}

/** Tells whether a product has all words, each in one of its texts. */
export const isFound = ({ words }: ProductSearch, texts: readonly string[]): boolean =>
  words.every((word) => texts.some((text) => text.includes(word)));
