import type { CatalogStore } from "#core/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { sqlCatalogReads } from "./reads.ts";

/**
 * Reads the catalog from a replica while it is as new as the caller's last answer.
 * When it is behind or cannot answer, the primary is asked.
 */
export function readFromReplica(replica: SqlEngine, primary: CatalogStore): CatalogStore {
  const reads = sqlCatalogReads(replica, { replica: true });
  return {
    ...primary,
    findProduct: (...query) =>
      reads.findProduct(...query).catch(() => primary.findProduct(...query)),
    listProducts: (...query) =>
      reads.listProducts(...query).catch(() => primary.listProducts(...query)),
    listCategories: (...query) =>
      reads.listCategories(...query).catch(() => primary.listCategories(...query)),
  };
}
