import { type RawBuilder, sql } from "kysely";
import type { MovedRange } from "#core/storage/reads/listing-store.ts";

type Expression = RawBuilder<unknown>;

interface MovedList {
  /** The expression of the index that tells when money moved. */
  readonly at: string;
  /** The columns that tell rows of one time apart. */
  readonly columns: readonly string[];
  /** The values of these columns in the last row that the caller has seen. */
  readonly after: readonly (string | number)[];
}

/** Gives the conditions and the order of a walk of the index of moved money. */
export function movedIn(
  { from, to, after }: MovedRange<object>,
  list: MovedList,
): { readonly where: Expression; readonly order: Expression } {
  const at = sql.raw(list.at);
  const columns = list.columns.map((name) => sql.ref(name));
  const isBehind = after
    ? sql`${at} >= ${after.at}
      and (${sql.join([at, ...columns])}) > (${sql.join([after.at, ...list.after])})`
    : sql`${at} >= ${from}`;
  return {
    where: sql`${at} is not null and ${at} < ${to} and ${isBehind}`,
    order: sql.join([at, ...columns]),
  };
}
