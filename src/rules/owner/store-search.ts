import { fold } from "../../domain/text/fold.ts";
import type { StoreRecord } from "../records.ts";

type Named = Pick<StoreRecord, "id" | "slug" | "name">;

/** Tells whether the text is the whole id or the whole slug of the store. */
export const isNamedBy = ({ id, slug }: Omit<Named, "name">, search: string): boolean =>
  id === search || slug === search;

/**
 * Prepares a search of stores. A store fits when its name contains the text, whatever
 * the case and the accents of both, or when its slug or id begins with it.
 */
export function storeMatcher(search: string): (store: Named) => boolean {
  const folded = fold(search);
  return ({ id, slug, name }) =>
    fold(name).includes(folded) || slug.startsWith(folded) || id.startsWith(search);
}
