import { type RawBuilder, sql } from "kysely";
import type { ProductRecord } from "#core/rules/records.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";
import type { SqlDialect } from "../../schema/dialect.ts";
import type { FacetColumns } from "../../schema/facet-columns.ts";
import { jsonInteger, jsonText } from "../../schema/json-fields.ts";
import { isUncounted } from "../../schema/migrations/0031-0040/0033-product-facets.ts";

/** A document of a product that is available has it, and no text in it has it unescaped. */
export const availableMark = '"available":true';

interface Documents {
  readonly live: string;
  readonly test: string;
}

/**
 * Gives the columns that facets are counted by. Of a document that changes by a sale, they hold
 * how long it is while the product is available: so they stay right where an older process writes
 * the document alone.
 */
export function facetColumns(record: ProductRecord, { live, test }: Documents): FacetColumns {
  return {
    price: record.price,
    category_ids: JSON.stringify(record.category_ids),
    available_live: bytesWhileAvailable(live),
    available_test: bytesWhileAvailable(test),
    facets_at: record.updated_at,
  };
}

const bytesWhileAvailable = (document: string): number =>
  Buffer.byteLength(document) - (document.includes(availableMark) ? 0 : 1);

/** Makes the condition that a product's document says that it is available. */
export function isAvailable(dialect: SqlDialect, livemode: boolean, table: string) {
  const mode = livemode ? "live" : "test";
  const document = sql.ref<string>(`${table}.document_${mode}`);
  return sql<boolean>`${dialect.bytes(document)} = ${sql.ref(`${table}.available_${mode}`)}`;
}

/** The most products that are filled in one transaction. */
const mostFilled = 500;

/**
 * Fills the columns of at most `limit` products that an older version wrote, of one store or of
 * all, and gives how many there were.
 */
export function* fillProductFacets(
  { db, dialect }: SqlEngine,
  limit: number,
  store_id?: string,
): QueryGenerator<number> {
  const products = sql.table("products");
  const uncounted = sql.raw(isUncounted(dialect.name));
  const ofStore = store_id === undefined ? sql`` : sql`and store_id = ${store_id}`;
  const integer = (field: string) => sql.raw(jsonInteger(dialect.name, "record", field));
  const available = (document: RawBuilder<string>) => sql`${dialect.bytes(document)}
    - case when ${dialect.contains(document, sql.lit(availableMark))} then 0 else 1 end`;

  const filled = yield* many(
    sql<{ id: string }>`
      with picked as materialized (
        select store_id, id from ${products}
        where ${uncounted} ${ofStore}
        order by store_id, id
        limit ${sql.lit(Math.min(limit, mostFilled))} ${dialect.skipLockedText})
      update ${products}
      set price = ${integer("price")},
        category_ids = ${sql.raw(jsonText(dialect.name, "record", "category_ids"))},
        available_live = ${available(sql.ref("document_live"))},
        available_test = ${available(sql.ref("document_test"))},
        facets_at = ${integer("updated_at")}
      where (store_id, id) in (select * from picked) ${ofStore}
      returning id`.compile(db),
  );
  return filled.length;
}
