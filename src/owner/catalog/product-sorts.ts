import type { Page } from "../../contract/routes.ts";
import type { CursorPlace } from "../../domain/text/cursor.ts";
import { type OwnPlaced, type OwnSort, ownPlaceOf } from "../../rules/catalog/own-sort.ts";
import type { ProductRecord } from "../../rules/records.ts";
import type { OwnProductQuery } from "../../storage/types.ts";
import type { OwnerContext } from "../context.ts";
import { readPlaces } from "../listing.ts";

interface SortedQuery extends Omit<OwnProductQuery, "sorted" | "after" | "limit"> {
  readonly store_id: string;
  readonly sort: OwnSort;
  readonly limit?: number | null | undefined;
  readonly starting_after?: string | null | undefined;
}

/** A name has no number as its place: it stands behind the id, which has no blank. */
const cursorOf = ({ place, id }: OwnPlaced): CursorPlace =>
  typeof place === "number" ? { position: place, id } : { position: 0, id: `${id} ${place}` };

function placedOf({ position, id: text }: CursorPlace, sort: OwnSort): OwnPlaced {
  if (sort !== "name" && sort !== "-name") return { place: position, id: text };
  const at = text.indexOf(" ");
  return { id: text.slice(0, at), place: text.slice(at + 1) };
}

/**
 * Reads a page of products in an order. The cursor tells the place of the last row, so that a
 * product whose price changes between two pages moves no other one.
 */
export const readSorted = <Out>(
  ctx: OwnerContext,
  query: SortedQuery,
  render: (record: ProductRecord) => Out,
): Promise<Page<Out>> => {
  const { store_id, sort, limit: _, starting_after: __, ...filters } = query;
  return readPlaces(query, {
    name: "products",
    read: (after, limit) => {
      const sorted = { by: sort, after: after && placedOf(after, sort) };
      const page = { ...filters, sorted, after: null, limit };
      return ctx.storage.catalog.listProductRecords(store_id, page);
    },
    placeOf: (record) => cursorOf({ place: ownPlaceOf(record, sort), id: record.id }),
    render,
  });
};
