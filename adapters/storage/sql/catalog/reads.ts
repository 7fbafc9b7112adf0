import { sql } from "kysely";
import type {
  CategoryRecord,
  Partition,
  PaymentMethodRecord,
  ProductRecord,
} from "../../../../src/rules/records.ts";
import { DOCUMENT_VERSION, productDocument } from "../../../../src/rules/render.ts";
import type { CatalogStore, ProductRow } from "../../../../src/storage/types.ts";
import type { Db, SqlEngine } from "../engine/engine.ts";
import { fromJson, own } from "../engine/json.ts";
import { many, one, prepare, prepareLinesEach, type Step } from "../engine/step.ts";
import {
  type DocumentRow,
  type ListShape,
  lineOf,
  listQuery,
  nameOfShape,
  nearRows,
  readLines,
  upToDate,
  versionOf,
} from "./list.ts";
import { indexedSearch } from "./search.ts";

/** What the API reads. Of a replica each answer is as new as the caller asks, or the read fails. */
export function sqlCatalogReads(
  engine: SqlEngine,
  replica: boolean,
): Pick<CatalogStore, "findProduct" | "listProducts" | "listCategories" | "listPaymentMethods"> {
  const { db } = engine;
  const find = prepareLinesEach(
    (livemode: boolean) => String(livemode),
    (livemode, place) => {
      // By each index for itself: `or` with an order made a sorter for one row.
      const by = (column: "id" | "slug") =>
        db
          .selectFrom("products")
          .select(lineOf({ livemode, replica }, place))
          .where("store_id", "=", place<string>("store_id"))
          .where(column, "=", place<string>("name"))
          .where("active", "=", sql.lit(1));
      return by("id").unionAll(by("slug"));
    },
  );
  const list = prepareLinesEach(nameOfShape, (shape: ListShape, place) =>
    listQuery(engine, shape, place),
  );
  const search = indexedSearch(engine);
  const named = prepare((place) =>
    db
      .selectFrom("categories")
      .select(["id", "slug", ...versionOf(replica, place)])
      .where("store_id", "=", place<string>("store_id"))
      .where("enabled", "=", 1)
      .where((eb) =>
        eb.or([eb("slug", "=", place<string>("slug")), eb("id", "=", place<string>("id"))]),
      ),
  );
  const categories = prepare((place) =>
    db
      .selectFrom("categories")
      .select(["record", ...versionOf(replica, place)])
      .where("store_id", "=", place<string>("store_id"))
      .where("enabled", "=", 1)
      .orderBy("position")
      .orderBy("id")
      .limit(1_000),
  );
  const methods = prepare((place) =>
    db
      .selectFrom("payment_methods")
      .select("record")
      .where("store_id", "=", place<string>("store_id"))
      .orderBy("position")
      .orderBy("id")
      .limit(1_000),
  );
  const current = upToDate(replica);

  return {
    async findProduct(partition, id_or_slug, catalog_version) {
      const lines = await engine.sharedLines(
        find(partition.livemode, { store_id: partition.store_id, name: id_or_slug }),
      );
      const rows = current(readLines(lines), catalog_version);
      const row = rows.find(({ id }) => id === id_or_slug) ?? rows[0];
      return row
        ? { document: isCurrent(row) ? row.document : await renderAnew(engine, partition, row) }
        : null;
    },
    async listProducts(query) {
      const {
        store_id,
        livemode,
        search: term,
        after,
        offset = 0,
        limit,
        category_slug,
        category_id,
        catalog_version,
      } = query;
      if (category_slug !== undefined && category_id !== undefined) {
        const asked = { store_id, slug: category_slug, id: category_id };
        const categories = current(await engine.read(() => many(named(asked))), catalog_version);
        const same = sameCategory(categories, category_slug, category_id);
        if (same !== "same")
          return same === "conflict"
            ? { outcome: "category_conflict" }
            : { outcome: "listed", rows: [] };
      }
      const category =
        category_slug !== undefined
          ? ("slug" as const)
          : category_id !== undefined
            ? ("id" as const)
            : null;
      const near = offset + limit < nearRows;
      const shape = {
        livemode,
        replica,
        category,
        search: term !== undefined,
        after: after !== undefined,
        near,
      };
      const values = {
        store_id,
        category: category_slug ?? category_id,
        search: term,
        position: after?.position,
        id: after?.id,
        offset,
        limit: limit + 1,
      };
      const found =
        term === undefined ? null : await engine.read(() => search(shape, values, term));
      const rows: ProductRow[] = [];
      for (const row of current(
        found ?? readLines(await engine.sharedLines(list(shape, values))),
        catalog_version,
      )) {
        const document = isCurrent(row) ? row.document : await renderAnew(engine, query, row);
        rows.push({ id: row.id, position: row.position, document });
      }
      return { outcome: "listed", rows };
    },
    listCategories: (store_id, catalog_version) =>
      engine.read(function* (): Step<readonly CategoryRecord[]> {
        const rows = current(yield* many(categories({ store_id })), catalog_version);
        return rows.map((row) => fromJson<CategoryRecord>(row.record));
      }),
    listPaymentMethods: (store_id) =>
      engine.read(function* (): Step<readonly PaymentMethodRecord[]> {
        return (yield* many(methods({ store_id }))).map((row) =>
          fromJson<PaymentMethodRecord>(row.record),
        );
      }),
  };
}

/** Do slug and id name one enabled category? */
function sameCategory(
  rows: readonly { id: string; slug: string }[],
  slug: string,
  id: string,
): "same" | "conflict" | "unknown" {
  const bySlug = rows.find((row) => row.slug === slug);
  const byId = rows.find((row) => row.id === id);
  if (!bySlug && !byId) return "unknown";
  return bySlug && bySlug.id === byId?.id ? "same" : "conflict";
}

const isCurrent = (row: DocumentRow): boolean => row.document_version === DOCUMENT_VERSION;

/** A document of an older format is rendered anew from its record. */
const renderAnew = (
  { db, read }: SqlEngine,
  partition: Partition,
  row: DocumentRow,
): Promise<string> =>
  read(function* (): Step<string> {
    const { store_id } = partition;
    const product = yield* one(
      db
        .selectFrom("products")
        .select("record")
        .where("store_id", "=", store_id)
        .where("id", "=", row.id),
    );
    return product
      ? productDocument(
          fromJson<ProductRecord>(product.record),
          yield* onHand(db, partition, row.id),
        )
      : row.document;
  });

function* onHand(db: Db, partition: Partition, product_id: string): Step<number | null> {
  const { store_id, livemode } = own(partition);
  const row = yield* one(
    db
      .selectFrom("stock")
      .select(["stock", "held"])
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("product_id", "=", product_id),
  );
  return row ? row.stock - row.held : null;
}
