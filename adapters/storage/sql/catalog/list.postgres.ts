import { type RawBuilder, sql } from "kysely";
import { type ListQuery, listedProducts, shallowRows, sortingOf, wordsOf } from "./list.ts";
import { documentColumn, documentTextRow } from "./owner/document-rows.ts";

/**
 * PostgreSQL plans a statement anew for each limit and offset, unless neither can
 * change the plan. A shallow page is therefore cut from the first `shallowRows`, a
 * limit that never changes. Text rows are made of the page's rows alone, not of
 * those that the offset passes over.
 */
export const postgresListQuery: ListQuery = (engine, shape, param) => {
  if (shape.passed) return passedListQuery(engine, shape, param);

  const { place, id } = sortingOf(engine, shape);
  const { order } = wordsOf(shape);
  const limit = param<number>("limit");
  const offset = param<number>("offset");

  const sorted = listedProducts(engine, shape, param).select([
    "p.document_version",
    "p.id",
    `p.${documentColumn(shape.livemode)}`,
    place.as("sort_position"),
    id.as("sort_id"),
  ]);
  const inner = shape.shallow
    ? sorted.limit(sql.lit(shallowRows))
    : sorted.limit(limit).offset(offset);

  const page = engine.db
    .selectFrom(inner.as("page"))
    .select(documentTextRow(shape, param, "page", sql.ref("page.sort_position")))
    .orderBy("sort_position", order)
    .orderBy("sort_id", order);
  return shape.shallow ? page.limit(asSelect(limit)).offset(asSelect(offset)) : page;
};

/**
 * Finds the ids of the page in the index of the list's order, and then looks up only the products
 * of the page. The index has all that the offset needs, so the rows before the page are not read.
 */
const passedListQuery: ListQuery = (engine, shape, param) => {
  const { db, dialect } = engine;
  const { place, id } = sortingOf(engine, shape);
  const limit = param<number>("limit");
  const offset = param<number>("offset");

  const sorted = listedProducts(engine, shape, param).select([
    place.as("sort_position"),
    id.as("sort_id"),
  ]);
  const page = shape.shallow
    ? db
        .selectFrom(sorted.limit(sql.lit(shallowRows)).as("first"))
        .selectAll()
        .orderBy("sort_position")
        .orderBy("sort_id")
        .limit(asSelect(limit))
        .offset(asSelect(offset))
    : sorted.limit(limit).offset(offset);

  const { rows, on } = dialect.lookUp(param("store_id"), sql.ref("page.sort_id"));
  return db
    .selectFrom(page.as("page"))
    .innerJoin(rows.as("p") as unknown as "products as p", (join) => join.on(on))
    .select(documentTextRow(shape, param, "p", sql.ref("page.sort_position")))
    .orderBy("page.sort_position")
    .orderBy("page.sort_id");
};

/** Writes a number as a select: as a plain number it would have the statement planned anew. */
const asSelect = (number: RawBuilder<number>) => sql<number>`(select cast(${number} as bigint))`;
