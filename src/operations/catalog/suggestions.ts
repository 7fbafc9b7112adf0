import { suggestedFrom, suggestionsOf } from "../../rules/catalog/search/suggestions.ts";
import { partitionOf } from "../caller.ts";
import type { Handler } from "../operation.ts";
import { completeList } from "../results.ts";

/** Suggests products among the first hits of a search. */
export const listSuggestions: Handler<"listSuggestions"> = async ({ ctx, caller, input }) => {
  const { q } = input.query;
  const found = await ctx.catalog.listProducts({
    ...partitionOf(caller),
    catalog_version: caller.access.store.catalog_version,
    search: q,
    sort: "relevance",
    limit: suggestedFrom,
  });

  const rows = found.outcome === "listed" ? found.rows : [];
  return completeList(
    suggestionsOf(
      q,
      rows.map(({ document }) => document),
    ),
  );
};
