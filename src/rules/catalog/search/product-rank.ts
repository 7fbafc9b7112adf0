import type { ProductSearch } from "./product-search.ts";

/**
 * Up to this many hits in the store are ranked. Above it, names that equal the search come first,
 * then those that begin with it, then the rest by position.
 */
export const mostRanked = 10_000;

/**
 * A search whose words no index can find reads only this many products of the list, in the order
 * of the list. By relevance it also finds every name that equals it or begins with it.
 */
export const mostScanned = 10_000;

/** With more names than this that are equal, or that begin so, they do not come first. */
export const mostPromoted = 500;

/**
 * The distance between two ranks. It is more than twice the highest position, so that a rank and
 * a position make one number.
 */
export const rankStep = 2 ** 32;

/** The ranks of a hit. The lowest number is the nearest to the search. */
export const ranks = { equal: 0, begins: 1, word_begins: 2, inside: 3, words: 4, rest: 5 } as const;

/** Ranks a product that was found by its folded name. */
export function rankOf({ phrase, words }: ProductSearch, name: string): number {
  if (name === phrase) return ranks.equal;
  if (name.startsWith(phrase)) return ranks.begins;
  if (` ${name}`.includes(` ${phrase}`)) return ranks.word_begins;
  if (name.includes(phrase)) return ranks.inside;
  return words.every((word) => name.includes(word)) ? ranks.words : ranks.rest;
}
