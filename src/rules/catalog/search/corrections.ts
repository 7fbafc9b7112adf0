import { editDistance } from "../../../domain/text/nearest.ts";
import { wordsOf } from "../../../domain/text/words.ts";
import { otherNumbers } from "./plurals.ts";
import { readSearch } from "./product-search.ts";

/** A word of the names of a store's active products. */
export interface KnownWord {
  readonly word: string;
  /** The active products that have the word in their name. */
  readonly products: number;
}

/** What a storage looks for in its words: those that equal a form, or share a deletion. */
export interface WordLookup {
  readonly term: string;
  /** The words that may be meant as they are, such as the term in the other number. */
  readonly forms: readonly string[];
  /** The beginnings of the term and of its forms, each without some of its letters. */
  readonly deletions: readonly string[];
}

const lengthOf = { least: 3, most: 40 } as const;

/**
 * Deletions are made of this many letters at the beginning of a word. The rest of the word needs no
 * rows, because similar words begin alike.
 */
const beginning = 7;

/** A search of more words is not corrected. */
const mostTerms = 6;

/** Gives the words of a folded name, each once. A word with digits is a code, and is none. */
export const wordsOfName = (folded: string): readonly string[] => [
  ...new Set(
    wordsOf(folded)
      .filter((word) => /^\p{L}+$/u.test(word))
      .filter(({ length }) => length >= lengthOf.least && length <= lengthOf.most),
  ),
];

/** Counts the words of folded names. */
export function countWords(names: Iterable<string>): ReadonlyMap<string, number> {
  const products = new Map<string, number>();
  for (const name of names)
    for (const word of wordsOfName(name)) products.set(word, (products.get(word) ?? 0) + 1);
  return products;
}

/** Gives how many edits a term may have. Two neighbours that changed places are one edit. */
function mostEdits({ length }: string): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/** Gives the deletions by which a word is found. A word of six letters is two from one of eight. */
export const deletionsOfWord = (word: string): readonly string[] =>
  deletionsOf(word, word.length < 6 ? 1 : 2);

function deletionsOf(word: string, most: number): readonly string[] {
  const all = new Set([word.slice(0, beginning)]);
  let last = [...all];
  for (let edits = 0; edits < most; edits += 1) {
    last = last.flatMap((text) =>
      Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1)),
    );
    for (const text of last) all.add(text);
  }
  return [...all];
}

/** Gives what to look for in place of a term. Null means that a term stays as it is. */
function lookupOf(term: string): WordLookup | null {
  if (wordsOfName(term)[0] !== term) return null;
  const forms = otherNumbers(term);
  const deletions = [term, ...forms].flatMap((text) => {
    const edits = mostEditsOf(text, term);
    return edits === 0 ? [] : deletionsOf(text, edits);
  });
  return { term, forms, deletions: [...new Set(deletions)] };
}

/** A form may have as many edits as its term, and never more than its own length allows. */
const mostEditsOf = (form: string, term: string): number =>
  Math.min(mostEdits(form), mostEdits(term));

/** The cost of the other number. An edit costs 1, so that a word with one more edit comes later. */
const otherNumber = 0.5;

/** Tells whether a word is within the edits that its term may have, in either number. */
export const isNear = (lookup: WordLookup, word: string): boolean =>
  costOf(lookup, word) < Infinity;

/** Gives the edits between a term and a word, and what is added where the numbers differ. */
function costOf({ term, forms }: WordLookup, word: string): number {
  if (forms.includes(word)) return 0;
  const edits = editsOf(term, word);
  let least = edits <= mostEdits(term) ? edits : Infinity;
  for (const form of forms) {
    const ofForm = editsOf(form, word);
    if (ofForm <= mostEditsOf(form, term)) least = Math.min(least, ofForm + otherNumber);
  }
  return least;
}

/** Counts edits. The length and the letters alone rule most words out, which is cheaper. */
function editsOf(term: string, word: string): number {
  const difference = Math.abs(word.length - term.length);
  // An edit takes one letter away and adds one at most.
  const least = Math.max(difference, lettersApart(term, word) / 2);
  return least > mostEdits(term) ? least : editDistance(term, word);
}

/** Counts the letters that one of two texts has, with those that share their last five bits. */
function lettersApart(one: string, other: string): number {
  let apart = 0;
  for (let bits = lettersOf(one) ^ lettersOf(other); bits !== 0; bits &= bits - 1) apart += 1;
  return apart;
}

function lettersOf(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at += 1) bits |= 1 << (text.charCodeAt(at) & 31);
  return bits;
}

/**
 * Gives the words that the buyer may have meant by a term: singulars and plurals of it first, then
 * the words with the fewest edits, then those in the most products, then by the alphabet. A term
 * that is a word itself may stand for its other number alone.
 */
function nearWords(lookup: WordLookup, words: Iterable<KnownWord>): readonly Candidate[] {
  const { term } = lookup;
  const known = [...words].filter(({ products }) => products > 0);
  const isWord = known.some(({ word }) => word === term);
  return known
    .map((each) => ({ ...each, cost: costOf(lookup, each.word) }))
    .filter(({ word, cost }) => word !== term && (isWord ? cost === 0 : cost < Infinity))
    .sort(compareCandidates);
}

type Candidate = KnownWord & { readonly cost: number };

function compareCandidates(one: Candidate, other: Candidate): number {
  const first = one.cost - other.cost || other.products - one.products;
  return first || (one.word < other.word ? -1 : 1);
}

/** What is asked of a storage for a correction. */
export interface Corrector {
  /** Tells whether a search of this one term finds a product of the store. */
  isFound(term: string): Promise<boolean>;
  /** Gives at least the words that are near, with the products that have each. */
  findWords(lookup: WordLookup): Promise<Iterable<KnownWord>>;
}

/** The most known beginnings of a term behind which it is split, and its most characters. */
const mostSplits = 8;
const longestSplit = 40;

/**
 * Splits a term that joins two words of the store, such as `guardachuva`. The longest known
 * beginning is taken first, and the second word may be in the other number. Gives undefined where
 * there are no such words.
 */
async function splitOf(term: string, corrector: Corrector): Promise<string | undefined> {
  if (term.length > longestSplit || wordsOfName(term)[0] !== term) return;

  const { least } = lengthOf;
  const beginnings = Array.from({ length: Math.max(0, term.length - 2 * least + 1) }, (_, at) =>
    term.slice(0, term.length - least - at),
  );
  const known = await knownOf(term, beginnings, corrector);
  const pairs = beginnings
    .filter((word) => known.has(word))
    .slice(0, mostSplits)
    .flatMap((word) => {
      const rest = term.slice(word.length);
      return [rest, ...otherNumbers(rest)].map((other) => [word, other] as const);
    });
  const others = await knownOf(
    term,
    pairs.map(([, other]) => other),
    corrector,
  );
  return pairs.find(([, other]) => others.has(other))?.join(" ");
}

/** Gives which of the forms are words of the store. */
async function knownOf(
  term: string,
  forms: readonly string[],
  { findWords }: Corrector,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  if (forms.length === 0) return known;
  for (const { word, products } of await findWords({ term, forms, deletions: [] }))
    if (products > 0) known.add(word);
  return known;
}

/** The most texts that are tried with another word in place of one term. */
const mostTexts = 8;

/**
 * Gives what may have been meant by a search that finds nothing, the likeliest first. A term that
 * finds nothing by itself is replaced by its nearest word, or else by the two words that it joins.
 * Where a term has neither, there is no correction. The second text is the same with blanks in
 * place of the signs between the terms. Each later text replaces one term by its next nearest word:
 * a term with a typing error may still be part of a longer word, and is found then.
 */
async function* correctedTexts(search: string, corrector: Corrector): AsyncGenerator<string> {
  const { phrase } = readSearch(search);
  if (wildcards.test(phrase)) return;
  const terms = phrase.match(termPattern) ?? [];
  if (terms.length > mostTerms || !terms.some(({ length }) => length >= lengthOf.least)) return;

  const nearest = async (term: string): Promise<readonly Candidate[]> => {
    const lookup = lookupOf(term);
    return lookup === null ? [] : nearWords(lookup, await corrector.findWords(lookup));
  };
  const likeliest: string[] = [];
  const others: (readonly Candidate[] | null)[] = [];
  for (const term of terms) {
    const isRight = term !== phrase && (await corrector.isFound(term));
    const [word, ...rest] = isRight ? [] : await nearest(term);
    const better = word?.word ?? (isRight ? term : await splitOf(term, corrector));
    if (better === undefined) return;
    likeliest.push(better);
    others.push(word ? rest : null);
  }
  for (const text of new Set([insteadOfTerms(phrase, likeliest), likeliest.join(" ")]))
    if (text !== phrase) yield text;

  const changes: (Candidate & { readonly at: number })[] = [];
  for (const [at, term] of terms.entries())
    for (const word of others[at] ?? (await nearest(term))) changes.push({ ...word, at });
  changes.sort((one, other) => one.cost - other.cost);
  for (const { at, word } of changes.slice(0, mostTexts))
    yield insteadOfTerms(phrase, likeliest.with(at, word));
}

/** Signs that other searches give a meaning: here they are text, and nobody mistypes them. */
const wildcards = /[%_*\\]/;

/** Signs separate terms (`shirt,blue`, `o’brien`), and a number ends before its unit (`1kg`). */
const termPattern = /\p{N}+(?=\p{L})|[\p{L}\p{N}]+/gu;

/** Replaces the terms of a phrase by words. What stands between them stays. */
function insteadOfTerms(phrase: string, words: readonly string[]): string {
  let at = 0;
  return phrase.replace(termPattern, (term) => words[at++] ?? term);
}

interface CorrectedQuery {
  readonly search?: string;
  /** True when a search that finds nothing is to be corrected. */
  readonly correct?: boolean;
  readonly after?: unknown;
  readonly offset?: number;
  readonly limit: number;
}

/**
 * Lists what a query finds and, when its search finds nothing on any page, what the corrected
 * search finds. A page of a corrected search is corrected in the same way.
 */
export async function listCorrected<Query extends CorrectedQuery, Row>(
  query: Query,
  list: (query: Query) => Promise<readonly Row[]>,
  corrector: Corrector,
): Promise<{ readonly rows: readonly Row[]; readonly corrected_to?: string }> {
  const rows = await list(query);
  const { search, correct, after, offset = 0 } = query;
  if (rows.length > 0 || !correct || search === undefined) return { rows };

  const isFirst = after === undefined && offset === 0;
  if (!isFirst && (await list(firstOf(query, search))).length > 0) return { rows };

  for await (const corrected_to of correctedTexts(search, corrector)) {
    const found = await list({ ...query, search: corrected_to });
    if (found.length > 0) return { rows: found, corrected_to };
    // All pages of a list come from one text. Behind its last page the list is over.
    if (!isFirst && (await list(firstOf(query, corrected_to))).length > 0) return { rows };
  }
  return { rows };
}

function firstOf<Query extends CorrectedQuery>(query: Query, search: string): Query {
  const { after: _, ...first } = query;
  return { ...first, search, offset: 0, limit: 1 } as Query;
}
