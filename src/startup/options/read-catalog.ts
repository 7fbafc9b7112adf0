import { invalidOption, refuseUnknownOptions } from "../../input/option-error.ts";
import { requireFunctions } from "../../input/option-kinds.ts";
import type { StorefrontOptions } from "../../options.ts";
import type { CatalogSearch } from "../../storage/reads/catalog-search.ts";
import type { CatalogSource } from "../../storage/reads/catalog-source.ts";
import { isWhole } from "./whole-numbers.ts";

/** The host's own products, or the host's engine over ours. At most one is not null. */
interface CatalogOption {
  readonly source: CatalogSource | null;
  readonly engine: Required<CatalogSearch> | null;
}

const longestMs = 30_000;

/** Reads the `catalog` option: a catalog of the host's own lists and searches by `list`. */
export function readCatalog({ catalog }: Pick<StorefrontOptions, "catalog">): CatalogOption {
  if (catalog === undefined) return { source: null, engine: null };
  if (!isEngine(catalog)) {
    requireFunctions("catalog", catalog, ["list", "find", "categories", "cart"]);
    return { source: catalog, engine: null };
  }

  requireFunctions("catalog", catalog, ["search"]);
  refuseUnknownOptions(catalog, { search: true, timeoutMs: true }, "catalog");
  const { timeoutMs = 2_000 } = catalog;
  if (!isWhole(timeoutMs, 1, longestMs))
    invalidOption("catalog.timeoutMs", `must be a whole number from 1 to ${longestMs}`);
  return { source: null, engine: { search: (query) => catalog.search(query), timeoutMs } };
}

const isEngine = (catalog: CatalogSource | CatalogSearch): catalog is CatalogSearch =>
  typeof catalog === "object" && catalog !== null && "search" in catalog && !("list" in catalog);
