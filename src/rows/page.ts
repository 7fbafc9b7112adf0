import type { Partition } from "../rules/records.ts";

type Comparable = string | number;

/** Says which of two places is first: below 0, the one before the other. */
export type Compare<Place> = (one: Place, other: Place) => number;

/** Compares rows by fields: `+id` is ascending and `-id` descending. */
export function by<Field extends string>(
  ...order: readonly `${"+" | "-"}${Field}`[]
): Compare<Readonly<Record<Field, Comparable>>> {
  const parts = order.map((part) => ({
    field: part.slice(1) as Field,
    sign: part.startsWith("-") ? -1 : 1,
  }));
  return (one, other) => {
    for (const { field, sign } of parts) {
      const [a, b] = [one[field], other[field]];
      if (a !== b) return a < b ? -sign : sign;
    }
    return 0;
  };
}

interface PageAt<Place> {
  /** The place before the first row of the page. */
  readonly after?: Place | null | undefined;
  readonly limit: number;
  /** True turns the order around: that of a list which begins with its newest row. */
  readonly oldest_first?: true | undefined;
}

/** Gives a page of a list in the order of `compare`. */
export function pageOf<Place, Row extends Place>(
  rows: Iterable<Row>,
  compare: Compare<Place>,
  { after, limit, oldest_first }: PageAt<Place>,
): Row[] {
  const inOrder: Compare<Place> = oldest_first ? (one, other) => compare(other, one) : compare;
  return [...rows]
    .filter((row) => after == null || inOrder(after, row) < 0)
    .sort(inOrder)
    .slice(0, limit);
}

/** Gives the place of a row in a list by ids. Null is the beginning. */
export const afterId = (id: string | null | undefined): { readonly id: string } | null =>
  id == null ? null : { id };

/** Tells whether a row belongs to a store in one mode. */
export const isIn = (partition: Partition, row: Partition): boolean =>
  row.store_id === partition.store_id && row.livemode === partition.livemode;

/** Tells whether the fields of a row have these values. An undefined one fits every row. */
export function has<Row extends object>(row: Row, wanted: Partial<Row>): boolean {
  for (const field in wanted)
    if (wanted[field] !== undefined && row[field] !== wanted[field]) return false;
  return true;
}

interface Range {
  readonly created_from?: number;
  readonly created_to?: number;
}

/** Tells whether a row was created in a range. A range without an end fits every row. */
export const isCreatedIn = (
  { created_from, created_to }: Range,
  { created_at }: { readonly created_at: number },
): boolean =>
  (created_from === undefined || created_at >= created_from) &&
  (created_to === undefined || created_at < created_to);
