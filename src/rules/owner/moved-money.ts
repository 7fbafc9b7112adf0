import type { DisputeRecord, RefundRecord } from "../payments/payment-records.ts";
import type { OrderRecord } from "../records.ts";

// A storage that holds all records in memory finds the money that moved by these rules.

/** The time at which money moved, then what tells rows of one time apart. */
type Place = readonly [at: number | null, ...(string | number)[]];

/** Gives the place of an order by the time of its payment. */
export const placeOfSale = ({ paid_at, number }: OrderRecord): Place => [paid_at, number];

/** Gives the time at which a refund moved its money. Null means that it moved none. */
export const refundMoved = ({ state, succeeded_at }: RefundRecord): number | null =>
  state === "succeeded" ? succeeded_at : null;

/** Gives the place of a refund by the time at which it succeeded. */
export const placeOfRefund = (refund: RefundRecord): Place => [refundMoved(refund), refund.id];

/** Gives the place of a lost dispute. The verdict is the last change of its record. */
export const placeOfLoss = ({ outcome, updated_at, order_id, id }: DisputeRecord): Place => [
  outcome === "lost" ? updated_at : null,
  order_id,
  id,
];

interface Range {
  readonly from: number;
  readonly to: number;
  /** The place of the last row that the caller has seen. */
  readonly after: Place | undefined;
}

/** Gives the rows that moved money in a range, the oldest first. */
export function movedRows<Row>(
  rows: readonly Row[],
  { from, to, after }: Range,
  placeOf: (row: Row) => Place,
): readonly Row[] {
  return rows
    .map((row) => ({ row, place: placeOf(row) }))
    .filter(({ place }) => {
      const [at] = place;
      return at !== null && at >= from && at < to && (!after || compare(after, place) < 0);
    })
    .sort((a, b) => compare(a.place, b.place))
    .map(({ row }) => row);
}

function compare(a: Place, b: Place): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    if (value !== null && value !== other) return value < other ? -1 : 1;
  }
  return 0;
}
