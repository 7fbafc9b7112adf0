import type { CatalogStore } from "../../../../src/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { sqlOwnerEntries } from "./entries.ts";
import { sqlOwnerProducts } from "./owner.ts";
import { sqlCatalogReads } from "./reads.ts";

export const sqlCatalog = (engine: SqlEngine): CatalogStore => ({
  ...sqlOwnerProducts(engine),
  ...sqlOwnerEntries(engine),
  ...sqlCatalogReads(engine, false),
});
