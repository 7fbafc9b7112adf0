import { type RawBuilder, sql } from "kysely";
import { mostPromoted, rankStep, ranks } from "#core/rules/catalog/search/product-rank.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import type { Param } from "../../engine/queries.ts";
import { nameBeginning } from "../../schema/json-fields.ts";
import { inCategory, type ListShape, matchingProducts, shallowRows, sortingOf } from "../list.ts";

/**
 * Writes the tables of a page of matches that are too many to rank, the last of which is `page`:
 * names that equal the search, those that begin with it, and the rest by position. An index finds
 * the first two, and the list is walked for the rest.
 */
export function promotedPage(
  engine: SqlEngine,
  shape: ListShape,
  param: Param,
): RawBuilder<unknown> {
  // An index finds the names of the whole store. A condition of the category would hide it.
  const promoted = matchingProducts(engine, { ...shape, category: null, bounded: false }, param)
    .select(["p.id", "p.position"])
    .limit(sql.lit(mostPromoted + 1));
  const { equal, begins } = namesOf(engine, param);

  return sql`
    with equal as materialized ${promoted.where(equal)},
    begun as materialized ${promoted.where(begins)},
    top as materialized (
      select id, position from equal where ${isFew("equal")} ${inCategory(shape, param, "equal")}
      union all
      select id, ${placeAt(ranks.begins, sql.ref("position"))} from begun
      where ${isFew("begun")} ${inCategory(shape, param, "begun")}
    ),
    rest as materialized ${restOf(engine, shape, param)},
    page as materialized (
      select id, position from (
        select id, position from top
        ${shape.after ? sql`where (position, id) > (${param("place")}, ${param("id")})` : sql``}
        union all
        select id, position from rest) as listed
      order by position, id
      limit (select cast(${param("limit")} as bigint))
      offset (select cast(${param("offset")} as bigint))
    )`;
}

/** Selects the first matches by position that are not promoted: as many as the page may reach. */
function restOf(engine: SqlEngine, shape: ListShape, param: Param) {
  const { place, id } = sortingOf(engine, shape);
  const { equal, begins } = namesOf(engine, param);
  const rest = matchingProducts(engine, shape, param)
    .select([id.as("id"), placeAt(ranks.rest, place).as("position")])
    .where(sql<boolean>`not (${equal} and ${isFew("equal")})`)
    .where(sql<boolean>`not (${begins} and ${isFew("begun")})`);

  const page = shape.after
    ? rest.where(sql<boolean>`(${place}, ${id}) > (${param("rest_position")}, ${param("id")})`)
    : rest;
  const reach = sql<number>`(select cast(${param("reach")} as bigint))`;
  const sorted = page.orderBy(place).orderBy(id);
  if (!shape.shallow) return sorted.limit(reach);

  // The planner takes an unknown limit for a tenth of the list, which it would sort again.
  return engine.db
    .selectFrom(sorted.limit(sql.lit(shallowRows)).as("first"))
    .select(["id", "position"])
    .limit(reach);
}

const isFew = (table: "equal" | "begun") =>
  sql`(select count(*) from ${sql.raw(table)}) <= ${sql.lit(mostPromoted)}`;

const placeAt = (rank: number, position: RawBuilder<unknown>) =>
  sql<number>`cast(${sql.lit(rank * rankStep)} as bigint) + ${position}`;

/** Makes the conditions of names that equal the phrase, and that begin with it and go on. */
function namesOf({ dialect }: SqlEngine, param: Param) {
  const beginning = sql.raw(nameBeginning(dialect.name, "p."));
  const phrase = param<string>("phrase");

  return {
    equal: sql<boolean>`(${beginning} = ${phrase} and p.name_folded = ${phrase})`,
    begins: sql<boolean>`(${beginning} > ${phrase} and ${beginning} < ${param("phrase_end")})`,
  };
}
