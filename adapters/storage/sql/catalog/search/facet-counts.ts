import { type RawBuilder, sql } from "kysely";
import type { AllProductFacets } from "#core/contract/catalog/facets-schema.ts";
import { compareFacets, maxFacetHits } from "#core/rules/catalog/facets.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import type { Param } from "../../engine/queries.ts";
import type { NamedColumns, SqlDialect } from "../../schema/dialect.ts";
import { isUncounted } from "../../schema/migrations/0031-0040/0033-product-facets.ts";
import { categoryId, type ListShape } from "../list.ts";
import { isAvailable } from "../owner/product-facets.ts";
import { isOfStore } from "./hits.ts";

/** A row of counts: of all products, or of a category. */
export interface FacetRow {
  /** Empty in the row of all products. */
  readonly category_id: string;
  readonly count: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly available: number | null;
  /** The number of rows found. Products of other stores are among them. */
  readonly found: number;
  /** The number of rows that are products of the store. */
  readonly own: number;
  /** 1 when the columns of a product are older than its record. */
  readonly outdated: number;
  readonly catalog_version?: number;
}

/** The names of a row's counts, as `facetRows` selects them. */
export const facetRowColumns = [
  "category_id",
  "count",
  "low",
  "high",
  "available",
  "found",
  "own",
  "outdated",
] as const satisfies readonly (keyof FacetRow)[];

export const isTooMany = (rows: readonly FacetRow[], of: "found" | "own" = "found"): boolean =>
  rows.some((row) => Number(row[of]) > maxFacetHits);

/** Tells whether the rows were counted by columns of which some are older than their records. */
export const hasOutdated = (rows: readonly FacetRow[]): boolean =>
  rows.some(({ outdated }) => Number(outdated) === 1);

/** Gives the facets of counted rows. Null when there are too many products. */
export function facetsIn(rows: readonly FacetRow[]): AllProductFacets | null {
  if (isTooMany(rows)) return null;
  const all = rows.find(({ category_id }) => category_id === "");
  const count = Number(all?.count ?? 0);
  const available = Number(all?.available ?? 0);
  return {
    category: rows
      .filter((row) => row !== all)
      .map((row) => ({ category_id: row.category_id, count: Number(row.count) }))
      .sort(compareFacets),
    price: count === 0 ? null : { min: Number(all?.low), max: Number(all?.high) },
    available: { true: available, false: count - available },
  };
}

/** Gives what facets count of a product `p`. */
export const countedColumns = (dialect: SqlDialect, livemode: boolean): NamedColumns => ({
  price: sql.ref("p.price"),
  category_ids: sql.ref("p.category_ids"),
  available: oneWhere(isAvailable(dialect, livemode, "p")),
});

/** Selects 1 where the condition is true, and 0 elsewhere. */
export const oneWhere = (condition: RawBuilder<boolean>) =>
  sql`case when ${condition} then 1 else 0 end`;

/**
 * Writes the tables that products are counted in. Those of the same categories are counted
 * together, so that a list of categories is read once for all of them.
 */
export function countedKinds(
  { dialect }: SqlEngine,
  shape: ListShape,
  products: RawBuilder<unknown>,
  param: Param,
): RawBuilder<unknown> {
  const categories = dialect.jsonValues(sql.ref("category_ids"));
  const wanted = shape.category !== null && isOfStore(shape);
  const ofCategory = wanted
    ? sql`and exists (
        select 1 from ${categories}
        where ${sql.ref("value")} = ${categoryId(shape.category, param)})`
    : sql``;

  return sql`
    kinds as materialized (
      select category_ids, count(*) as found, count(id) as own,
        min(price) as low, max(price) as high, sum(available) as available
      from (${products}) as product
      group by category_ids
    ),
    shown as (select * from kinds where own > 0 ${ofCategory}),
    in_categories as (
      select value as category_id, sum(own) as count
      from shown cross join ${categories}
      group by value
    )`;
}

/** Selects the counts of `countedKinds`: of all products, then of each enabled category. */
export const facetRows = (
  param: Param,
  {
    found,
    own,
    outdated,
    version = sql``,
  }: Readonly<Record<"found" | "own" | "outdated", RawBuilder<unknown>>> & {
    readonly version?: RawBuilder<unknown>;
  },
): RawBuilder<unknown> => sql`
    select '' as category_id, sum(own) as count, min(low) as low, max(high) as high,
      sum(available) as available, ${found} as found, ${own} as own, ${outdated} as outdated
      ${version}
    from shown
    union all
    select c.id, in_categories.count, cast(null as bigint), cast(null as bigint),
      cast(null as bigint), cast(0 as bigint), cast(0 as bigint), 0 ${version}
    from in_categories
    join ${sql.table("categories")} as c
      on c.store_id = ${param("store_id")} and c.id = in_categories.category_id and c.enabled = 1`;

/** Tells whether an older version wrote a product of the store, so that its record must be read. */
export const isOutdated = ({ dialect }: SqlEngine, param: Param): RawBuilder<unknown> =>
  oneWhere(sql<boolean>`exists (
    select 1 from ${sql.table("products")}
    where store_id = ${param("store_id")} and ${sql.raw(isUncounted(dialect.name))})`);
