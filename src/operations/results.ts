import type { OperationResult } from "./operation.ts";

/** Makes the result of an operation that answers with one resource. */
export const single = (data: unknown): OperationResult => ({
  data: JSON.stringify(data),
  page: null,
});

/** Makes the result of an operation that answers with a whole list at once. */
export const completeList = (rows: readonly unknown[]): OperationResult => ({
  data: JSON.stringify(rows),
  page: { has_more: false, next_cursor: null },
});

interface PageParts<Row> {
  /** There is one row more than `limit` when another page follows. */
  readonly rows: readonly Row[];
  readonly limit: number;
  /** Gives the JSON text of a row. */
  document(row: Row): string;
  /** Gives the cursor of the page after this row. */
  cursor(last: Row): string;
}

interface PageResult extends OperationResult {
  readonly page: { readonly has_more: boolean; readonly next_cursor: string | null };
}

/** Makes the result of an operation that answers with one page of a list. */
export function pageOf<Row>({ rows, limit, document, cursor }: PageParts<Row>): PageResult {
  const has_more = rows.length > limit;
  const shown = has_more ? rows.slice(0, limit) : rows;
  const last = shown.at(-1);
  const next_cursor = has_more && last !== undefined ? cursor(last) : null;

  return { data: `[${shown.map(document).join(",")}]`, page: { has_more, next_cursor } };
}
