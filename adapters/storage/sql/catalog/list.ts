import { type Compilable, type RawBuilder, sql } from "kysely";
import type { ProductSort } from "#core/contract/schemas.ts";
import { sortKeyOf } from "#core/rules/catalog/product-sort.ts";
import { mostScanned } from "#core/rules/catalog/search/product-rank.ts";
import type { SqlEngine } from "../engine/engine.ts";
import type { Param, TextRow } from "../engine/queries.ts";
import { jsonInteger } from "../schema/json-fields.ts";
import type { DocumentShape } from "./owner/document-rows.ts";
import { hasWords } from "./search/search-match.ts";

/** Which clauses a product list needs; their values come with each run. */
export interface ListShape extends DocumentShape {
  /** By what the category is named. Null for products of all categories. */
  readonly category: "slug" | "id" | null;
  /** How many words are searched. Null without a search. */
  readonly search: "one" | "several" | null;
  /** True when no index can find the words: only the first `mostScanned` products are read. */
  readonly bounded: boolean;
  readonly sort: ProductSort;
  /** True when one product of each group is listed. */
  readonly groups: boolean;
  /** True when every product of the category has its price and time beside it. */
  readonly indexed: boolean;
  readonly after: boolean;
  /** True when the page ends within the first `shallowRows`. */
  readonly shallow: boolean;
  /** True when PostgreSQL passes over the rows before the page in an index of the list's order. */
  readonly passed: boolean;
}

/** PostgreSQL reads a page that ends within these by a statement whose plan is kept. */
export const shallowRows = 1_000;

/** Behind this many rows, PostgreSQL takes longer to read them than to look a page's rows up. */
export const nearRows = 60;

export const nameOfShape = (shape: ListShape): string => {
  const { livemode, category, search, bounded, sort, groups } = shape;
  const { indexed, after, shallow, passed } = shape;
  const listed = `${livemode}${category}${search}${bounded}${sort}${groups}`;
  return `${listed}${indexed}${after}${shallow}${passed}`;
};

/** Builds the query of one page of a product list. */
export type ListQuery = (engine: SqlEngine, shape: ListShape, param: Param) => Compilable<TextRow>;

/** What a list is sorted by: a number, and the ids of products with the same number. */
interface Sorting {
  readonly place: RawBuilder<number>;
  readonly id: RawBuilder<string>;
}

export const several = ({ search }: ListShape): boolean => search === "several";

/**
 * Gives what a list is sorted by. A category has all of it beside its products, unless an
 * older version wrote one: then the category is sorted by the fields of the records, without
 * an index, until maintenance has filled the rows.
 */
export function sortingOf(engine: SqlEngine, shape: ListShape): Sorting {
  if (shape.bounded) return { place: sql.ref("p.sort_place"), id: sql.ref("p.id") };

  const { category, sort, indexed } = shape;
  const { field } = sortKeyOf(sort);
  if (category === null || (field !== "position" && !indexed))
    return { place: placeOf(engine, shape, "p"), id: sql.ref("p.id") };

  return {
    place: sql.ref(`product_categories.${field}`),
    id: sql.ref("product_categories.product_id"),
  };
}

/** Reads what a list is sorted by of a product, which stands in this table or alias. */
export const placeOf = ({ dialect }: SqlEngine, { sort }: ListShape, table: string) => {
  const { field } = sortKeyOf(sort);
  return field === "position"
    ? sql.ref<number>(`${table}.position`)
    : sql.raw<number>(jsonInteger(dialect.name, `${table}.record`, field));
};

/** Gives the words that a list's order is written with. */
export const wordsOf = ({ sort }: ListShape) =>
  sortKeyOf(sort).descending
    ? { order: "desc" as const, behind: sql.raw("<") }
    : { order: "asc" as const, behind: sql.raw(">") };

/** Selects the list's rows in their order, without columns and page. */
export function listedProducts(engine: SqlEngine, shape: ListShape, param: Param) {
  const { place, id } = sortingOf(engine, shape);
  const { order, behind } = wordsOf(shape);

  const rows = matchingProducts(engine, shape, param);
  const page = shape.after
    ? rows.where(sql<boolean>`(${place}, ${id}) ${behind} (${param("position")}, ${param("id")})`)
    : rows;
  return page.orderBy(place, order).orderBy(id, order);
}

/** Selects the products of a list, in no order. Each row is judged by itself. */
export function matchingProducts(engine: SqlEngine, shape: ListShape, param: Param) {
  const rows = shape.bounded
    ? firstOfList(engine, shape, param)
    : productsOfList(engine, shape, param);
  return shape.search ? rows.where(hasWords(engine.dialect, "p", param, several(shape))) : rows;
}

/** Selects from the first products of the list, each with what the list is sorted by. */
function firstOfList(engine: SqlEngine, shape: ListShape, param: Param) {
  const whole = { ...shape, bounded: false };
  const { place, id } = sortingOf(engine, whole);
  const { order } = wordsOf(shape);
  const first = productsOfList(engine, whole, param)
    .selectAll("p")
    .select(place.as("sort_place"))
    .orderBy(place, order)
    .orderBy(id, order)
    .limit(sql.lit(mostScanned));
  // The subquery has the columns and the alias of the table, so the query around it is the same.
  return engine.db.selectFrom(first.as("p") as unknown as "products as p");
}

function productsOfList(engine: SqlEngine, shape: ListShape, param: Param) {
  const store_id = param<string>("store_id");
  const { category, groups } = shape;
  if (category === null) {
    const rows = engine.db.selectFrom("products as p").where("p.store_id", "=", store_id);
    // A literal 1, as in the partial index: a parameter would hide it from a generic plan.
    const active = rows.where("p.active", "=", sql.lit(1));
    return groups ? active.where("p.group_hidden", "is", null) : active;
  }

  const linked = linkedProducts(engine, store_id, categoryId(category, param));
  const active = linked.where("p.active", "=", sql.lit(1));
  if (!groups) return active;
  return active
    .where("product_categories.group_hidden", "is", null)
    .where("p.group_hidden", "is", null);
}

/** Selects the products `p` that are linked with a category. */
export function linkedProducts(
  { db, dialect }: SqlEngine,
  store_id: RawBuilder<string>,
  category_id: RawBuilder<string>,
) {
  const { rows, on } = dialect.lookUp(store_id, sql.ref("product_categories.product_id"));
  return db
    .selectFrom("product_categories")
    .innerJoin(rows.as("p") as unknown as "products as p", (join) => join.on(on))
    .where("product_categories.store_id", "=", store_id)
    .where("product_categories.category_id", "=", category_id);
}

/**
 * Looks an enabled category up by its slug or id, within the list's own statement.
 * A disabled category counts as unknown.
 */
export const categoryId = (by: "slug" | "id", param: Param) => sql<string>`(
  select c.id from ${sql.table("categories")} as c
  where c.store_id = ${param("store_id")} and c.enabled = 1
    and ${sql.ref(`c.${by}`)} = ${param("category")})`;

/**
 * Makes the condition that the hits in the table `hits` belong to the category. Each hit is looked
 * up, because a join could read the whole category for each. The order has the same reason as that
 * of `lookUp` in the dialect.
 */
export const inCategory = (
  { category }: ListShape,
  param: Param,
  hits: string,
): RawBuilder<unknown> =>
  category === null
    ? sql``
    : sql`and ${sql.ref(`${hits}.id`)} = (
        select pc.product_id from ${sql.table("product_categories")} as pc
        where pc.store_id = ${param("store_id")} and pc.category_id = ${categoryId(category, param)}
          and pc.product_id between ${sql.ref(`${hits}.id`)} and ${sql.ref(`${hits}.id`)}
        order by pc.product_id limit 1)`;
