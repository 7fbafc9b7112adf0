import { sql } from "kysely";
import type { AllProductFacets } from "#core/contract/catalog/facets-schema.ts";
import { maxRowsPerStore } from "#core/rules/catalog/catalog-writes.ts";
import { resolveCategory } from "#core/rules/catalog/category-filter.ts";
import { noFacets } from "#core/rules/catalog/facets.ts";
import { groupIn } from "#core/rules/catalog/groups/group-documents.ts";
import { listCorrected } from "#core/rules/catalog/search/corrections.ts";
import { rankStep, ranks } from "#core/rules/catalog/search/product-rank.ts";
import { readSearch } from "#core/rules/catalog/search/product-search.ts";
import type { CategoryRecord, PaymentMethodRecord } from "#core/rules/records.ts";
import type { CatalogStore, ProductQuery } from "#core/storage/types.ts";
import { fromJson } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, prepare, prepareTextRowsEach, type QueryGenerator } from "../engine/queries.ts";
import { currentRows, isCurrent, renderDocument } from "./current-document.ts";
import { prepareGroups } from "./groups.ts";
import { postgresListQuery } from "./list.postgres.ts";
import { sqliteListQuery } from "./list.sqlite.ts";
import { type ListShape, nameOfShape, nearRows, shallowRows } from "./list.ts";
import {
  documentTextRow,
  readDocumentRows,
  replicaVersion,
  requireFreshness,
} from "./owner/document-rows.ts";
import { prepareIndexedCheck } from "./product-places.ts";
import { prepareFacets } from "./search/facets.ts";
import { prepareKnownWords } from "./search/known-words.ts";
import { prepareSearch, type SearchPage } from "./search/search.ts";
import { searchValues } from "./search/search-match.ts";

type CatalogReads = Pick<
  CatalogStore,
  "findProduct" | "listProducts" | "listCategories" | "listPaymentMethods"
>;

const listQueries = { sqlite: sqliteListQuery, postgres: postgresListQuery };

/** Reads for the API. A replica's answer is as new as the caller asks, or the read fails. */
export function sqlCatalogReads(
  engine: SqlEngine,
  { replica }: { readonly replica: boolean },
): CatalogReads {
  const queries = prepareQueries(engine, replica);
  const fresh = requireFreshness(replica);
  const listPage = preparePageReads(engine, replica);
  const findWords = prepareKnownWords(engine);
  const groups = prepareGroups(engine, replica);
  const countFacets = prepareFacets(engine, replica);

  return {
    async findProduct(partition, id_or_slug, catalog_version) {
      const { livemode, store_id } = partition;
      const query = queries.product(livemode, { store_id, id_or_slug });
      const textRows = await engine.readSharedTextRows(query);
      const rows = fresh(readDocumentRows(textRows), catalog_version);

      const row = rows.find(({ id }) => id === id_or_slug) ?? rows[0];
      if (!row) return null;

      // An await of what is there already would be a further promise for each read.
      const document = isCurrent(row) ? row.document : await renderDocument(engine, partition, row);
      const group = groupIn(document);
      if (group === null) return { document };
      return {
        document: await groups.withGroup({ ...partition, catalog_version }, group, document),
      };
    },

    async listProducts(query) {
      const { store_id, category_slug: slug, category_id: id, catalog_version } = query;

      if (slug !== undefined && id !== undefined) {
        const named = await engine.read(() =>
          many(queries.namedCategories({ store_id, slug, id })),
        );
        const { outcome } = resolveCategory(fresh(named, catalog_version), { slug, id });
        if (outcome === "conflict") return { outcome: "category_conflict" };
        if (outcome === "unknown") return { outcome: "listed", rows: [], ...noFacets(query) };
      }

      const counted = new Map<string | undefined, AllProductFacets | null>();
      const readRows = async (page: ProductQuery) => {
        const { rows, facets } = await listPage(page);
        if (facets !== undefined) counted.set(page.search, facets);
        return fresh(rows, catalog_version);
      };
      const { livemode } = query;
      const { rows: found, ...correction } = await listCorrected(query, readRows, {
        isFound: async (search) =>
          (await readRows({ store_id, livemode, search, limit: 1 })).length > 0,
        findWords: (lookup) => findWords(store_id, lookup),
      });

      const current = await currentRows(engine, query, found);
      const rows = current.map(({ id, position, document }) => ({ id, position, document }));
      const shown = query.group === "first" ? await groups.withCards(query, rows) : rows;
      if (!query.facets) return { outcome: "listed", rows: shown, ...correction };

      const { corrected_to: search = query.search } = correction;
      const known = counted.get(search);
      const asked = search === undefined ? query : { ...query, search };
      const facets = known === undefined ? await countFacets(asked) : known;
      return { outcome: "listed", rows: shown, ...correction, facets };
    },

    listCategories: (store_id, catalog_version) =>
      engine.read(function* (): QueryGenerator<readonly CategoryRecord[]> {
        const rows = fresh(yield* many(queries.categories({ store_id })), catalog_version);
        return rows.map((row) => fromJson<CategoryRecord>(row.record));
      }),

    listPaymentMethods: (store_id) =>
      engine.read(function* (): QueryGenerator<readonly PaymentMethodRecord[]> {
        const rows = yield* many(queries.paymentMethods({ store_id }));
        return rows.map((row) => fromJson<PaymentMethodRecord>(row.record));
      }),
  };
}

function prepareQueries({ db }: SqlEngine, replica: boolean) {
  return {
    product: prepareTextRowsEach(
      (livemode: boolean) => String(livemode),
      (livemode, param) => {
        // A union asks each of the two indexes; `or` would make SQLite sort for a single row.
        const by = (column: "id" | "slug") =>
          db
            .selectFrom("products")
            .select(documentTextRow({ livemode, replica }, param))
            .where("store_id", "=", param<string>("store_id"))
            .where(column, "=", param<string>("id_or_slug"))
            .where("active", "=", sql.lit(1));
        return by("id").unionAll(by("slug"));
      },
    ),

    namedCategories: prepare((param) =>
      db
        .selectFrom("categories")
        .select(["id", "slug", ...replicaVersion(replica, param)])
        .where("store_id", "=", param<string>("store_id"))
        .where("enabled", "=", 1)
        .where((eb) =>
          eb.or([eb("slug", "=", param<string>("slug")), eb("id", "=", param<string>("id"))]),
        ),
    ),

    categories: prepare((param) =>
      db
        .selectFrom("categories")
        .select(["record", ...replicaVersion(replica, param)])
        .where("store_id", "=", param<string>("store_id"))
        .where("enabled", "=", 1)
        .orderBy("position")
        .orderBy("id")
        .limit(maxRowsPerStore),
    ),

    paymentMethods: prepare((param) =>
      db
        .selectFrom("payment_methods")
        .select("record")
        .where("store_id", "=", param<string>("store_id"))
        .orderBy("position")
        .orderBy("id")
        .limit(maxRowsPerStore),
    ),
  };
}

/** Reads a page through the search index where that helps, and otherwise by walking the list. */
function preparePageReads(engine: SqlEngine, replica: boolean) {
  const listQuery = listQueries[engine.dialect.name];
  const list = prepareTextRowsEach(nameOfShape, (shape: ListShape, param) =>
    listQuery(engine, shape, param),
  );
  const searchPage = prepareSearch(engine);
  const isIndexed = prepareIndexedCheck(engine);

  return async (query: ProductQuery): Promise<SearchPage> => {
    const { store_id, livemode, sort = "position", after, offset = 0, limit } = query;
    const search = query.search === undefined ? null : readSearch(query.search);
    const category = namedBy(query);
    // An index alone gives the order of all products by position, and of no other list.
    const hasOrderInIndex = category === null && search === null && sort === "position";
    const shape: ListShape = {
      livemode,
      replica,
      category,
      search: search && (search.words.length === 1 ? "one" : "several"),
      bounded: search !== null && !search.ranked,
      sort,
      groups: query.group === "first",
      indexed: true,
      after: after !== undefined,
      shallow: offset + limit < shallowRows,
      passed: hasOrderInIndex && offset >= nearRows,
    };
    const values = {
      store_id,
      category: query.category_slug ?? query.category_id,
      ...(search && searchValues(search)),
      position: after?.position,
      id: after?.id,
      offset,
      limit: limit + 1, // One row more tells whether there is a next page.
    };
    const reach = {
      place: after?.position,
      rest_position: after && after.position - ranks.rest * rankStep,
      reach: offset + limit + 1,
    };

    if (search) {
      const asked = { ...search, facets: query.facets === true };
      const found = await engine.read(() => searchPage(shape, { ...values, ...reach }, asked));
      if (found) return found;
    }
    const indexed = await isIndexed(shape, values);
    const textRows = await engine.readSharedTextRows(list({ ...shape, indexed }, values));
    return { rows: readDocumentRows(textRows) };
  };
}

function namedBy({ category_slug, category_id }: ProductQuery): ListShape["category"] {
  if (category_slug !== undefined) return "slug";
  return category_id === undefined ? null : "id";
}
