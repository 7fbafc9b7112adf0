import type { ProductSearch } from "./product-search.ts";

/**
 * The most hits in the store that are ranked. Of more hits, names that equal the search come first,
 * then those that begin with it, then the rest by position.
 */
export const mostRanked = 10_000;

/**
 * The most products of the list, in its order, that a search reads when no index can find its
 * words. By relevance it also finds every name that equals it or begins with it.
 */
export const mostScanned = 10_000;

/** The number of names that equal or begin with the search above which they do not come first. */
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
