import type { Page } from "../contract/routes.ts";
import { isNamedBy, storeMatcher } from "../rules/owner/store-search.ts";
import type { StoreRecord } from "../rules/records.ts";

type Named = Pick<StoreRecord, "id" | "slug" | "name">;

interface StoreSearch {
  readonly search: string;
  readonly limit: number;
  /** The cursor of the page before. */
  readonly after: string | null;
}

interface StoreSource<Store extends Named> {
  /**
   * Gives the store with exactly this id or slug. Null means that the source has no
   * index of them.
   */
  readonly findNamed: ((search: string) => Promise<Store | null>) | null;
  /** Gives the stores behind `after` in the order of their ids. */
  readonly read: (page: { after: string | null; limit: number }) => Promise<Page<Store>>;
  /** The most stores that a page looks at, however few of them fit. */
  readonly most: number;
}

const chunkSize = 500;

/** Every id of a store comes after this text. */
const beforeAll = "str_";

/**
 * Finds a page of stores. The one with exactly this id or slug comes first; the others
 * follow by id. The cursor is the id of the last store that was looked at, so that a
 * page may end before it is full.
 */
export async function searchStores<Store extends Named>(
  { search, limit, after }: StoreSearch,
  { findNamed, read, most }: StoreSource<Store>,
): Promise<Page<Store>> {
  const named = after === null && findNamed ? await findNamed(search) : null;
  const data: Store[] = named ? [named] : [];
  const fits = storeMatcher(search);
  const isShown = (store: Store): boolean => findNamed !== null && isNamedBy(store, search);
  let cursor = after ?? beforeAll;

  for (let looked = 0; looked < most && data.length < limit; looked += chunkSize) {
    const chunk = await read({ after: cursor, limit: Math.min(chunkSize, most - looked) });
    for (const store of chunk.data) {
      if (data.length === limit) return { data, has_more: true, next_cursor: cursor };
      if (fits(store) && !isShown(store)) data.push(store);
      cursor = store.id;
    }
    if (chunk.next_cursor === null) return { data, has_more: false, next_cursor: null };
    cursor = chunk.next_cursor;
  }
  return { data, has_more: true, next_cursor: cursor };
}
