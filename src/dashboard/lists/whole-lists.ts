import type { Table } from "../frame/elements.ts";
import type { Visit } from "../screen.ts";
import { filtersOf } from "./filters.ts";
import { sortFilter, sortHead } from "./sorts.ts";

/** What a row is sorted by. Rows without it come last in both directions. */
type SortKey = string | number | null;

/** Makes the key of a time in ISO 8601. */
export const timeOf = (time: string | null): SortKey => (time === null ? null : Date.parse(time));

/** A column of a list that is read whole. Without a key the list is not sorted by it. */
interface WholeColumn<Row> {
  readonly label: string;
  readonly keyOf?: (row: Row) => SortKey;
}

/**
 * Sorts all rows of a list by the column that the address names. Rows with equal values keep their
 * order.
 */
export function wholeList<Row>(
  visit: Visit,
  all: readonly Row[],
  columns: Readonly<Record<string, WholeColumn<Row>>>,
): { readonly columns: Table["columns"]; readonly rows: readonly Row[] } {
  const filters = filtersOf(visit, [sortFilter]);
  const wanted = filters[sortFilter] ?? "";
  const name = wanted.replace(/^-/, "");
  const keyOf = Object.hasOwn(columns, name) ? columns[name]?.keyOf : undefined;
  const heads = Object.entries(columns).map(([each, column]) =>
    column.keyOf === undefined
      ? column.label
      : sortHead(visit, filters, {
          label: column.label,
          orders: [each, `-${each}`],
          ascending: each,
        }),
  );
  if (keyOf === undefined) return { columns: heads, rows: all };

  const compare = comparing(visit.language.locale, wanted === name ? 1 : -1);
  return { columns: heads, rows: all.toSorted((a, b) => compare(keyOf(a), keyOf(b))) };
}

function comparing(locale: string, sign: number): (one: SortKey, other: SortKey) => number {
  const texts = new Intl.Collator(locale, { numeric: true });
  return (one, other) => {
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    if (typeof one === "number" && typeof other === "number") return sign * Math.sign(one - other);
    return sign * texts.compare(String(one), String(other));
  };
}
