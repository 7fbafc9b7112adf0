import { type RawBuilder, sql } from "kysely";
import type { Partition } from "#core/rules/records.ts";
import type { CreatedRange } from "#core/storage/reads/listing-store.ts";
import { partitionColumns } from "../engine/columns.ts";
import { directionOf } from "../engine/direction.ts";
import type { Tables } from "../schema/tables.ts";

type Condition = RawBuilder<unknown>;

export interface NewestList {
  readonly table: keyof Tables;
  /** The parts of an index that hold the rows, one condition for each: see `partsOf`. */
  readonly parts: readonly Condition[];
  /** A row must fit these conditions too. */
  readonly where: readonly Condition[];
  /**
   * The time of creation comes first, then what tells rows of one time apart. The
   * id alone is enough too, because it begins with the time.
   */
  readonly sortedBy: readonly [first: Condition, ...Condition[]];
  /** The values of `sortedBy` in the last row that the caller has seen. */
  readonly after: readonly (string | number)[] | undefined;
  /** True reads each part of the index from its other end. */
  readonly oldest_first: true | undefined;
  readonly limit: number;
}

interface PartChoice {
  /** The column, or the expression, that tells the state. */
  readonly state: Condition;
  /** The page shows these states. */
  readonly states: readonly string[];
  /** True when the page shows all states. */
  readonly isWhole: boolean;
  /** Selects the rows of one order, where the page shows those alone. */
  readonly ofOrder: Condition | null;
  readonly sortedBy: NewestList["sortedBy"];
}

/**
 * Gives the parts of the index to read. The rows of an order are few: its own index
 * finds them. Otherwise each state is a part of the index that begins with state,
 * store and mode and goes on in the order of the list: that one index serves both
 * the list of a state and that of all of them.
 */
export function partsOf({
  state,
  states,
  isWhole,
  ofOrder,
  sortedBy,
}: PartChoice): Pick<NewestList, "parts" | "where" | "sortedBy"> {
  if (ofOrder === null)
    return { parts: states.map((name) => sql`${state} = ${name}`), where: [], sortedBy };

  // Neither the state inside `coalesce` nor the sum leads a planner away from the index of the
  // order: PostgreSQL would rather walk a million events by their time to find those of one order.
  const ofStates = sql`coalesce(${state}, '') in (${sql.join(states)})`;
  const [created_at, ...rest] = sortedBy;
  return {
    parts: [ofOrder],
    where: isWhole ? [] : [ofStates],
    sortedBy: [sql`${created_at} + 0`, ...rest],
  };
}

/**
 * Reads the rows of a page, the newest first, with the columns `place_1`,
 * `place_2`, … that it is sorted by. Each part of the index is read up to the
 * limit.
 */
export function newestPage(query: Partition & CreatedRange, list: NewestList): Condition {
  const parts = list.parts.map((part) => {
    const rows = sql`select ${placeColumns(list)}, t.* from ${sql.table(list.table)} as t
      where ${sql.join(conditionsOf(query, list, part), sql` and `)}
      order by ${inOrder(list, list.sortedBy)}
      limit ${list.limit}`;
    return sql`select * from (${rows}) as of_part`;
  });

  return sql`${sql.join(parts, sql` union all `)}
    order by ${inOrder(list, placesOf(list))} limit ${list.limit}`;
}

/** Sorts what was joined to the page as the page itself is sorted. */
export const pageOrder = (list: Pick<NewestList, "sortedBy" | "oldest_first">): Condition =>
  inOrder(
    list,
    placesOf(list).map((place) => sql`page.${place}`),
  );

/**
 * Joins rows of the page's store and mode. It names the store itself, not that of the
 * page: Citus would otherwise look for them on every shard.
 */
export function isInPartition(alias: string, partition: Partition): Condition {
  const { store_id, livemode } = partitionColumns(partition);
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql`${column("store_id")} = ${store_id} and ${column("livemode")} = ${livemode}`;
}

function conditionsOf(
  query: Partition & CreatedRange,
  list: NewestList,
  part: Condition,
): readonly Condition[] {
  const { where, sortedBy } = list;
  const { store_id, livemode } = partitionColumns(query);
  const [created_at] = sortedBy;
  const { created_from, created_to } = query;

  return [
    sql`store_id = ${store_id}`,
    sql`livemode = ${livemode}`,
    part,
    ...(created_from === undefined ? [] : [sql`${created_at} >= ${created_from}`]),
    ...(created_to === undefined ? [] : [sql`${created_at} < ${created_to}`]),
    ...isBehind(list),
    ...where,
  ];
}

/**
 * Compares a row with the cursor. The first comparison is what the index is entered
 * by; the second one is exact.
 */
function isBehind({ sortedBy, after, oldest_first }: NewestList): readonly Condition[] {
  if (after === undefined) return [];
  const beyond = sql.raw(directionOf(oldest_first).sign);
  return [
    sql`${sortedBy[0]} ${beyond}= ${after[0]}`,
    sql`(${sql.join(sortedBy)}) ${beyond} (${sql.join(after)})`,
  ];
}

function inOrder(
  { oldest_first }: Pick<NewestList, "oldest_first">,
  places: readonly Condition[],
): Condition {
  const way = sql.raw(directionOf(oldest_first).way);
  return sql.join(
    places.map((place) => sql`${place} ${way}`),
    sql`, `,
  );
}

const placesOf = ({ sortedBy }: Pick<NewestList, "sortedBy">): readonly Condition[] =>
  sortedBy.map((_, index) => sql.raw(`place_${index + 1}`));

const placeColumns = (list: NewestList): Condition =>
  sql.join(
    list.sortedBy.map((expression, index) => sql`${expression} as ${placesOf(list)[index]}`),
  );
