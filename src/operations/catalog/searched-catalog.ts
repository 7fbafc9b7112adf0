import type { CatalogSearch } from "../../storage/reads/catalog-search.ts";
import type { Storage } from "../../storage/types.ts";
import { type CatalogReader, ownCatalog } from "./catalog-reader.ts";

/** Reads our own product tables, and has the host's engine search them. */
export function searchedCatalog(
  engine: Required<CatalogSearch>,
  storage: Storage,
  onError: (error: unknown, where: string) => void,
): CatalogReader {
  const own = ownCatalog(storage);
  return {
    ...own,
    searched: true,
    async listProducts(query) {
      const { search, after, by_engine } = query;
      // The pages of a list that the built-in search began are its own.
      if (search === undefined || (after && !by_engine)) return own.listProducts(query);

      // Only a host with an engine needs this code.
      const { listByEngine } = await import("./engine-search.ts");
      return listByEngine({ engine, own, onError }, { ...query, search });
    },
  };
}
