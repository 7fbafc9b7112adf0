import type { CatalogStore } from "../../../../src/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { sqlCatalogReads } from "./reads.ts";

/** Catalog reads on a replica as long as it is as new as what the caller has seen; behind or unable to answer, on the primary. */
export function readFrom(replica: SqlEngine, primary: CatalogStore): CatalogStore {
  const reads = sqlCatalogReads(replica, true);
  return {
    ...primary,
    findProduct: (...asked) =>
      reads.findProduct(...asked).catch(() => primary.findProduct(...asked)),
    listProducts: (...asked) =>
      reads.listProducts(...asked).catch(() => primary.listProducts(...asked)),
    listCategories: (...asked) =>
      reads.listCategories(...asked).catch(() => primary.listCategories(...asked)),
  };
}
