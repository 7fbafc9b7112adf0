import { readFileSync } from "node:fs";
import { namesOf } from "./catalog.ts";

/** A search, and the product that a person would expect first. */
export interface JudgedQuery {
  /** `edit` is one wrong letter, or two that changed places; `edits` is more. */
  readonly kind: "words" | "accents" | "plural" | "edit" | "edits";
  readonly text: string;
  readonly first: string;
}

/** What a search found. */
interface Found {
  /** The names of the first page. */
  readonly names: readonly string[];
  readonly corrected_to: string | null;
}

export type Judged = Found & { readonly query: JudgedQuery };

const linesOf = (file: string): readonly string[] =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .trim()
    .split("\n");

/** The products that are asked for, and others that share their words. */
const judgedProducts = linesOf("products.txt");

/**
 * The queries were written from the names alone, before any search had answered them. A new one
 * says what a person expects: it is never taken from an answer.
 */
export const queries: readonly JudgedQuery[] = linesOf("queries.tsv")
  .slice(1)
  .map((line) => {
    const [kind, text = "", first = ""] = line.split("\t");
    return { kind: kind as JudgedQuery["kind"], text, first };
  });

/** Makes the products of a catalog, as `owner.products.putMany` takes them. */
export const judgedCatalog = (count: number) =>
  namesOf(judgedProducts, count).map((name, position) => ({
    name,
    slug: `p-${position}`,
    price: 100,
    currency: "BRL",
    position,
  }));

/** Searches all queries, one after the other. */
export async function judge(find: (text: string) => Promise<Found>): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const query of queries) judged.push({ query, ...(await find(query.text)) });
  return judged;
}

export const isRight = ({ query, names }: Judged): boolean => names[0] === query.first;

/** Gives the part of the queries whose first hit is the right one, in percent. */
export function precision(judged: readonly Judged[], kind?: JudgedQuery["kind"]): number {
  const asked = judged.filter(({ query }) => kind === undefined || query.kind === kind);
  return (100 * asked.filter(isRight).length) / asked.length;
}
