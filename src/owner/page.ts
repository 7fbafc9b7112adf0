import { z } from "zod";
import { defaultPageSize } from "../contract/query-parameters.ts";
import type { Page } from "../contract/routes.ts";
import { check } from "../input/check.ts";
import { foreignId, pageSize } from "../input/fields.ts";

export const PageQuery = z.strictObject({
  limit: pageSize.nullish(),
  starting_after: foreignId.nullish(),
});
/**
 * Selects a page of a list. `starting_after` takes the `next_cursor` of the page
 * before. A page has 20 rows unless `limit` (1 to 100) says otherwise.
 */
export interface PageQuery extends z.input<typeof PageQuery> {}

/** Reads one row more than the page shows. That row tells that there is a next page. */
export async function readPage<Row extends { readonly id: string }, Out>(
  query: PageQuery,
  read: (page: { after: string | null; limit: number }) => Promise<readonly Row[]>,
  render: (row: Row) => Out,
): Promise<Page<Out>> {
  const { limit, starting_after } = check(PageQuery, query);
  const size = limit ?? defaultPageSize;

  const rows = await read({ after: starting_after ?? null, limit: size + 1 });
  return pageOf(rows, size, render);
}

/** Makes a page of rows that are one more than it shows when there is a next page. */
export function pageOf<Row extends { readonly id: string }, Out>(
  rows: readonly Row[],
  size: number,
  render: (row: Row) => Out,
): Page<Out> {
  const shown = rows.slice(0, size);
  const has_more = rows.length > size;
  return {
    data: shown.map(render),
    has_more,
    next_cursor: has_more ? (shown.at(-1)?.id ?? null) : null,
  };
}
