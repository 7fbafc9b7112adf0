import { z } from "zod";
import { ProductFacets } from "../../contract/catalog/facets-schema.ts";
import { fail } from "../../contract/errors.ts";
import type { Product } from "../../contract/schemas.ts";
import { untilAborted } from "../../domain/async/time-box.ts";
import { isCleanText } from "../../domain/text/plain.ts";
import { resolveCategory } from "../../rules/catalog/category-filter.ts";
import { compareFacets, noFacets } from "../../rules/catalog/facets.ts";
import { groupIn, withCard } from "../../rules/catalog/groups/group-documents.ts";
import { productDocument } from "../../rules/catalog/render.ts";
import type { CatalogSearch, EngineQuery } from "../../storage/reads/catalog-search.ts";
import type { ProductRow } from "../../storage/types.ts";
import type { CatalogQuery, CatalogReader } from "./catalog-reader.ts";

interface EngineContext {
  readonly engine: Required<CatalogSearch>;
  readonly own: CatalogReader;
  onError(error: unknown, where: string): void;
}

type Search = CatalogQuery & { readonly search: string };

/** The most bytes of a cursor: encoded, it must fit into `starting_after`. */
const mostCursorBytes = 1_400;

const Answer = z.object({
  ids: z.array(z.string()),
  next: z
    .string()
    .min(1)
    .refine((next) => new TextEncoder().encode(JSON.stringify(next)).length <= mostCursorBytes)
    .nullable(),
  corrected_to: z.string().nullish(),
  facets: ProductFacets.nullish(),
});

type Answer = z.output<typeof Answer>;

/**
 * Lists what the host's engine finds, in the engine's order, with the products as our tables have
 * them. When the engine fails or is late, the built-in search answers. It does not know the places
 * of the engine's cursors, so a page behind one of them is `service_unavailable` then.
 */
export async function listByEngine(
  context: EngineContext,
  query: Search,
): ReturnType<CatalogReader["listProducts"]> {
  const { own, onError } = context;
  const categories = await own.listCategories(query.store_id, query.catalog_version ?? 0);
  const { category_slug: slug, category_id: id } = query;
  const category = resolveCategory(categories, { slug, id });
  if (category.outcome === "conflict") return { outcome: "category_conflict" };
  if (category.outcome === "unknown")
    return { outcome: "listed", rows: [], next: null, ...noFacets(query) };

  let answer: Answer;
  try {
    answer = await ask(context.engine, query, category.outcome === "category" ? category.id : null);
  } catch (cause) {
    onError(cause, "catalog.search");
    if (query.by_engine) return fail("service_unavailable", { retry_after: 1, cause });
    return own.listProducts(query);
  }

  const { next, corrected_to, facets } = answer;
  const enabled = new Set(categories.map((each) => each.id));
  return {
    outcome: "listed",
    rows: await rowsOf(own, query, answer.ids),
    next,
    ...(corrected_to && { corrected_to }),
    ...(query.facets && { facets: facets ? shownFacets(facets, enabled) : null }),
  };
}

/** Asks the engine. A synchronous error of its function is a failure too. */
async function ask(
  { search, timeoutMs }: EngineContext["engine"],
  query: Search,
  category_id: string | null,
): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const asked = (async () => search(engineQuery(query, category_id, signal)))();
  const parsed = Answer.safeParse(await untilAborted(asked, signal));
  if (parsed.success) return parsed.data;

  const [issue] = parsed.error.issues;
  throw new Error(`catalog.search gave a wrong ${issue?.path.join(".")}: ${issue?.message}`);
}

function engineQuery(query: Search, category_id: string | null, signal: AbortSignal): EngineQuery {
  const { store_id, livemode, search, sort, group, facets, after, offset, limit } = query;
  return {
    store_id,
    livemode,
    search,
    ...(category_id !== null && { category_id }),
    ...(sort !== undefined && sort !== "relevance" && { sort }),
    ...(group && { group }),
    ...(facets && { facets }),
    ...(after && { after: after.id }),
    ...(offset !== undefined && { offset }),
    limit,
    signal,
  };
}

/** Reads the hits in their order: active products of this store alone, each once. */
async function rowsOf(
  own: CatalogReader,
  query: Search,
  ids: readonly string[],
): Promise<readonly ProductRow[]> {
  // A text that can be no id would be refused by a database.
  const asked = [...new Set(ids)].filter(isCleanText).slice(0, query.limit);
  if (asked.length === 0) return [];

  const { products } = await own.loadCart(query, asked, null);
  const documents = new Map(
    products
      .filter(({ active }) => active)
      .map((product) => [product.id, productDocument(product, product.on_hand)]),
  );
  const rows = asked.flatMap((id) => {
    const document = documents.get(id);
    return document === undefined ? [] : [{ id, position: 0, document }];
  });
  return query.group === "first" ? cardsOf(own, query, rows) : rows;
}

/** Keeps the first product of each group, and adds the prices of its group. */
async function cardsOf(
  own: CatalogReader,
  query: Search,
  rows: readonly ProductRow[],
): Promise<readonly ProductRow[]> {
  const shown = new Set<string>();
  const firsts = rows.filter(({ document }) => {
    const group = groupIn(document);
    const isFirst = group === null || !shown.has(group);
    if (group !== null) shown.add(group);
    return isFirst;
  });
  return Promise.all(
    firsts.map(async (row) => {
      if (groupIn(row.document) === null) return row;
      const whole = await own.findProduct(query, row.id, query.catalog_version ?? 0);
      const group = whole && (JSON.parse(whole.document) as Product).group;
      if (!group) return row;
      const { price_from = 0, price_to = 0, available = false } = group;
      return { ...row, document: withCard(row.document, { price_from, price_to, available }) };
    }),
  );
}

/** Shows counts of enabled categories alone, the largest first. */
function shownFacets(facets: ProductFacets, enabled: ReadonlySet<string>): ProductFacets {
  const { category, ...others } = facets;
  const shown = category?.filter(({ category_id }) => enabled.has(category_id)).sort(compareFacets);
  return { ...others, ...(shown && { category: shown }) };
}
