import { type Compilable, sql } from "kysely";
import type { SqlEngine } from "../engine/engine.ts";
import type { Param, TextRow } from "../engine/queries.ts";
import type { DocumentShape } from "./owner/document-rows.ts";

/** Tells which clauses a product list needs; their values come with each run. */
export interface ListShape extends DocumentShape {
  /** Says by what the category is named. It is null for products of all categories. */
  readonly category: "slug" | "id" | null;
  readonly search: boolean;
  readonly after: boolean;
  /** True when the page ends within the first `shallowRows`. */
  readonly shallow: boolean;
}

/** PostgreSQL reads a page that ends within these by a statement whose plan is kept. */
export const shallowRows = 1_000;

export const nameOfShape = ({ livemode, category, search, after, shallow }: ListShape): string =>
  `${livemode}${category}${search}${after}${shallow}`;

/** Builds the query of one page of a product list. */
export type ListQuery = (engine: SqlEngine, shape: ListShape, param: Param) => Compilable<TextRow>;

/**
 * Gives the columns that a list is sorted by: its place in the category, or in the
 * whole catalog.
 */
export const sortColumns = ({ category }: ListShape) =>
  category
    ? (["product_categories.position", "product_categories.product_id"] as const)
    : (["products.position", "products.id"] as const);

/**
 * Selects the list's rows in their order, without columns and page. Each row is
 * judged by itself.
 */
export function listedProducts({ db, dialect }: SqlEngine, shape: ListShape, param: Param) {
  let rows = db
    .selectFrom("products")
    .where("products.store_id", "=", param<string>("store_id"))
    .where(isListed(shape));

  if (shape.category !== null)
    rows = rows
      .innerJoin("product_categories", (join) =>
        join
          .onRef("product_categories.store_id", "=", "products.store_id")
          .onRef("product_categories.product_id", "=", "products.id"),
      )
      .where("product_categories.store_id", "=", param<string>("store_id"))
      .where("product_categories.category_id", "=", categoryId(shape.category, param));

  if (shape.search) {
    const search = param<string>("search");
    rows = rows.where((eb) =>
      eb.or([
        dialect.contains(eb.ref("name_folded"), search),
        dialect.contains(eb.ref("slug"), search),
      ]),
    );
  }

  const [positionColumn, idColumn] = sortColumns(shape);
  const [position, id] = [sql.ref(positionColumn), sql.ref(idColumn)];
  if (shape.after)
    rows = rows.where(sql<boolean>`(${position}, ${id}) > (${param("position")}, ${param("id")})`);
  return rows.orderBy(position).orderBy(id);
}

/**
 * Makes the condition that a product is listed. It writes a literal 1, as in the
 * partial index of the whole list: a parameter would hide that index from a generic
 * plan. A category's products are looked up by their ids. The sum hides the index
 * there, because PostgreSQL would read all of it for each product as long as it has
 * no statistics.
 */
const isListed = ({ category }: ListShape) =>
  category === null
    ? sql<boolean>`${sql.ref("products.active")} = 1`
    : sql<boolean>`${sql.ref("products.active")} + 0 = 1`;

/**
 * Looks an enabled category up by its slug or id, within the list's own statement.
 * A disabled category counts as unknown.
 */
export const categoryId = (by: "slug" | "id", param: Param) => sql<string>`(
  select c.id from ${sql.table("categories")} as c
  where c.store_id = ${param("store_id")} and c.enabled = 1
    and ${sql.ref(`c.${by}`)} = ${param("category")})`;
