import { z } from "zod";
import { fail } from "../contract/errors.ts";
import type { Page } from "../contract/routes.ts";
import { type CursorPlace, decodeCursor, encodeCursor } from "../domain/text/cursor.ts";
import { refuse } from "../input/check.ts";
import { foreignId, moment, pageSize } from "../input/fields.ts";
import type { AgeOrder, CreatedRange } from "../storage/reads/listing-store.ts";
import type { OwnerContext } from "./context.ts";
import { requireKnownStore } from "./known-store.ts";
import { readPage } from "./page.ts";

/** The orders of a list that begins with its newest row. */
export const ageSorts = ["newest", "oldest"] as const;

export const sortField = {
  /** The order of the list. It is `newest` by default. */
  sort: z.enum(ageSorts).nullish(),
};

/** Gives the direction of a list. */
export const ageOrder = ({ sort }: { readonly sort?: string | null | undefined }): AgeOrder =>
  sort === "oldest" ? { oldest_first: true } : {};

/** The fields that every list of a store and mode takes. */
export const listFields = {
  store_id: foreignId,
  livemode: z.boolean(),
  ...sortField,
  /** The limit is from 1 to 100, and 20 by default. */
  limit: pageSize.nullish(),
  /** The `next_cursor` of the page before, with the same filters. */
  starting_after: z.string().nullish(),
};

/** A time is a `Date`, milliseconds since 1970, or ISO 8601 text with an offset. */
export const createdFields = {
  /** The earliest time of creation, this time included. */
  created_from: moment.nullish(),
  /** The end of the times of creation, this time left out. */
  created_to: moment.nullish(),
};

interface CheckedQuery {
  readonly store_id: string;
  readonly sort?: string | null | undefined;
  readonly limit?: number | null | undefined;
  readonly starting_after?: string | null | undefined;
}

interface Listing<Row, Out> {
  /** Tells the lists apart: a cursor of one list is refused in another. */
  readonly name: string;
  read(after: CursorPlace | null, limit: number): Promise<readonly Row[]>;
  placeOf(row: Row): CursorPlace;
  render(row: Row): Out;
}

/** Reads a page as `readPlaces` does. Throws `resource_not_found` for an unknown store. */
export async function readListing<Row, Out>(
  ctx: OwnerContext,
  query: CheckedQuery,
  listing: Listing<Row, Out>,
): Promise<Page<Out>> {
  // The order by default has the same cursors whether it is named or not.
  const sort = query.sort === ageSorts[0] ? null : query.sort;
  const page = await readPlaces({ ...query, sort }, listing);
  if (page.data.length === 0) await requireKnownStore(ctx, query.store_id);
  return page;
}

/**
 * Reads a page whose cursor tells the place of its last row. Throws `invalid_cursor`
 * for one of another list, store, mode or filter.
 */
export async function readPlaces<Row, Out>(
  query: CheckedQuery,
  { name, read, placeOf, render }: Listing<Row, Out>,
): Promise<Page<Out>> {
  const { limit = null, starting_after = null, ...filters } = query;
  const filterText = JSON.stringify([name, present(filters)]);
  const after = starting_after === null ? null : readCursor(starting_after, filterText);

  const readRows = async (page: { readonly limit: number }) => {
    const rows = await read(after, page.limit);
    return rows.map((row) => ({ id: encodeCursor({ ...placeOf(row), filters: filterText }), row }));
  };
  return readPage({ limit }, readRows, ({ row }) => render(row));
}

/** The longest cursor holds the reference of a dispute: 255 characters, each escaped. */
const maxCursorLength = 8_000;

function readCursor(cursor: string, filters: string): CursorPlace {
  const place = cursor.length > maxCursorLength ? null : decodeCursor(cursor, filters);
  return place ?? refuseCursor();
}

export const refuseCursor = (): never => fail("invalid_cursor", { param: "starting_after" });

interface IdListing<Row, Out> {
  find(id: string): Promise<Row | null>;
  /** Reads one row beyond the limit, so that the page knows of a next one. */
  read(after: string | undefined, limit: number): Promise<readonly Row[]>;
  render(row: Row): Out;
}

/**
 * Reads a page whose cursor is the id of its last row. Throws `invalid_cursor` for an
 * id that the store and mode do not have.
 */
export async function readIdListing<Row extends { readonly id: string }, Out>(
  ctx: OwnerContext,
  { store_id, limit = null, starting_after = null }: CheckedQuery,
  { find, read, render }: IdListing<Row, Out>,
): Promise<Page<Out>> {
  if (starting_after !== null) {
    const isId = foreignId.safeParse(starting_after).success;
    if (!isId || !(await find(starting_after))) refuseCursor();
  }

  const readRows = (page: { readonly limit: number }) =>
    read(starting_after ?? undefined, page.limit - 1);
  const page = await readPage({ limit }, readRows, render);
  if (page.data.length === 0) await requireKnownStore(ctx, store_id);
  return page;
}

/** Keeps the filters that were given. */
export function present<T extends object>(filters: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(filters).filter(([, value]) => value != null);
  // Object.fromEntries forgets the keys' types; the filter above makes exactly the declared type.
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}

interface CheckedRange {
  readonly created_from?: number | null | undefined;
  readonly created_to?: number | null | undefined;
}

/**
 * Gives the range of creation. Throws `parameter_invalid` when it ends before it
 * begins.
 */
export function rangeOf({ created_from, created_to }: CheckedRange): CreatedRange {
  const range = present({ created_from, created_to });
  if (range.created_from !== undefined && range.created_to !== undefined)
    if (range.created_to <= range.created_from) refuse("created_to", "must be after created_from");
  return range;
}
