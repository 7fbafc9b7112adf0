import type { Answer } from "./answer.ts";
import type { Caller } from "./caller.ts";
import type { Context } from "./context.ts";

export interface OperationCall {
  readonly ctx: Context;
  readonly caller: Caller;
  readonly input: {
    readonly params: Record<string, string>;
    readonly query: unknown;
    body: unknown;
  };
}

export type Handler = (call: OperationCall) => Promise<Answer>;

export const one = (data: unknown): Answer => ({ data: JSON.stringify(data), page: null });

/** A complete list. */
export const whole = (rows: readonly unknown[]): Answer => ({
  data: JSON.stringify(rows),
  page: { has_more: false, next_cursor: null },
});

/** A page of rows that are JSON text already; `rows` holds one more than `limit` when there are more. */
export function paged<Row>(
  rows: readonly Row[],
  limit: number,
  document: (row: Row) => string,
  cursor: (last: Row) => string,
): { data: string; page: { has_more: boolean; next_cursor: string | null } } {
  const shown = rows.length > limit ? rows.slice(0, limit) : rows;
  const has_more = rows.length > limit;
  const last = shown.at(-1);
  return {
    data: `[${shown.map(document).join(",")}]`,
    page: { has_more, next_cursor: has_more && last !== undefined ? cursor(last) : null },
  };
}
