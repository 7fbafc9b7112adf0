import type { Category, Product, Store } from "../../contract/schemas.ts";
import { renderStore } from "../../rules/catalog/render.ts";
import type { ProductQuery } from "../../storage/types.ts";
import { type Caller, partitionOf } from "../caller.ts";
import type { CatalogReader } from "../catalog/catalog-reader.ts";

/** What a feed is made of. */
export interface FeedSource {
  readonly store: Store;
  /** Gives the enabled categories of a product. */
  categoriesOf(product: Product): readonly Category[];
  /** Gives the address of a product's page. Null when nobody has told where that is. */
  readonly urlOf: ((product: Product) => string) | null;
}

/** Writes the text of a feed: its head, its products in their order, and its end. */
export interface FeedFormat {
  readonly head: string;
  item(product: Product): string;
  readonly end: string;
}

export interface FeedContext {
  readonly catalog: CatalogReader;
  /** The pattern of a product's address. Null when the host has not given one. */
  readonly productUrl: string | null;
}

const pageSize = 100;

/** Reads what a feed is made of, apart from its products. */
export async function openSource(
  { catalog, productUrl }: FeedContext,
  caller: Caller,
): Promise<FeedSource> {
  const { store } = caller.access;
  const categories = await catalog.listCategories(store.id, store.catalog_version);
  const byId = new Map(categories.map((category) => [category.id, category]));
  return {
    store: renderStore(store),
    categoriesOf: ({ category_ids }) => category_ids.flatMap((id) => byId.get(id) ?? []),
    urlOf: addressBy(productUrl, store.website_url),
  };
}

/** Makes what fills in the pattern. Gives null where the store lacks a website that it names. */
function addressBy(pattern: string | null, website_url: string | null): FeedSource["urlOf"] {
  const needsWebsite = pattern?.includes("{website_url}") ?? false;
  if (pattern === null || (needsWebsite && website_url === null)) return null;

  const website = (website_url ?? "").replace(/\/+$/, "");
  return ({ id, slug }) =>
    pattern
      .replaceAll("{website_url}", () => website)
      .replaceAll("{slug}", () => encodeURIComponent(slug))
      .replaceAll("{id}", () => encodeURIComponent(id));
}

/** Gives the text of a feed in parts, one for each page of the catalog. */
export async function* feedParts(
  { catalog }: FeedContext,
  caller: Caller,
  format: FeedFormat,
): AsyncGenerator<string> {
  let head = format.head;
  let after: ProductQuery["after"];
  for (;;) {
    const found = await catalog.listProducts({
      ...partitionOf(caller),
      catalog_version: caller.access.store.catalog_version,
      limit: pageSize,
      ...(after && { after }),
    });
    const rows = found.outcome === "listed" ? found.rows : [];
    const shown = rows.slice(0, pageSize);
    yield head + shown.map(({ document }) => format.item(JSON.parse(document))).join("");

    head = "";
    const next = found.outcome === "listed" ? found.next : undefined;
    const isLast = next === undefined ? rows.length <= pageSize : next === null;
    after = next ? { position: 0, id: next } : shown.at(-1);
    if (isLast || !after) break;
  }
  yield format.end;
}
