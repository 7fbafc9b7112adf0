import { DOCUMENT_VERSION, productDocument } from "#core/rules/catalog/render.ts";
import { onHandOf } from "#core/rules/catalog/stock.ts";
import type { Partition, ProductRecord } from "#core/rules/records.ts";
import { fromJson, ofPartition } from "../engine/columns.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { one, type QueryGenerator } from "../engine/queries.ts";
import type { DocumentRow } from "./owner/document-rows.ts";
import { countColumns, readCount } from "./stock/stock-count.ts";

/** Tells whether a stored document has the format of this version of the library. */
export const isCurrent = (row: DocumentRow): boolean => row.document_version === DOCUMENT_VERSION;

/** Renders a product from its record, because its stored document has an older format. */
export const renderDocument = (
  { db, read }: SqlEngine,
  partition: Partition,
  row: DocumentRow,
): Promise<string> =>
  read(function* (): QueryGenerator<string> {
    const product = yield* one(
      db
        .selectFrom("products")
        .select("record")
        .where("store_id", "=", partition.store_id)
        .where("id", "=", row.id),
    );
    if (!product) return row.document;

    const record = fromJson<ProductRecord>(product.record);
    return productDocument(record, yield* readOnHand(db, partition, row.id));
  });

/** Gives the rows with documents of the current format. */
export async function currentRows<Row extends DocumentRow>(
  engine: SqlEngine,
  partition: Partition,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  if (rows.every(isCurrent)) return rows;

  const current: Row[] = [];
  for (const row of rows)
    current.push(
      isCurrent(row) ? row : { ...row, document: await renderDocument(engine, partition, row) },
    );
  return current;
}

function* readOnHand(
  db: Db,
  partition: Partition,
  product_id: string,
): QueryGenerator<number | null> {
  const stock = yield* one(
    db
      .selectFrom("stock")
      .select(countColumns)
      .where(ofPartition(partition))
      .where("product_id", "=", product_id),
  );
  return onHandOf(stock && readCount(stock));
}
