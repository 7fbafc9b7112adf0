import type { CatalogStore } from "#core/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { sqlOwnReads } from "./owner/own-reads.ts";
import { sqlCatalogReads } from "./reads.ts";

export const sqlCatalog = (engine: SqlEngine): CatalogStore => ({
  ...sqlOwnReads(engine),
  ...sqlCatalogReads(engine, { replica: false }),
});
