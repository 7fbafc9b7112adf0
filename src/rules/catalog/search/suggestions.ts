import { fold } from "../../../domain/text/fold.ts";
import { readSearch } from "./product-search.ts";

/** What is shown while a buyer types. */
interface Suggestion {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

export const mostSuggested = 8;

/** The most hits that are looked at. A search ranks those first that can be suggested. */
export const suggestedFrom = 24;

/**
 * Chooses products to suggest from the hits of the search for `text`: those whose name begins with
 * it, or has a word that it begins. The order of the hits is kept.
 */
export function suggestionsOf(text: string, documents: readonly string[]): readonly Suggestion[] {
  const { phrase } = readSearch(fold(text));
  // A lone accent folds to an empty text, and every name begins with an empty text.
  if (phrase.trim() === "") return [];

  return documents
    .map((document): Suggestion => {
      const { id, slug, name } = JSON.parse(document);
      return { id, slug, name };
    })
    .filter(({ name }) => ` ${fold(name)}`.includes(` ${phrase}`))
    .slice(0, mostSuggested);
}
