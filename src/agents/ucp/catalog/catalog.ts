import { z } from "zod";
import type { Category, Product } from "../../../contract/schemas.ts";
import type { WireReply } from "../../../http/wire.ts";
import { json } from "../../shared/json.ts";
import {
  oneOfEachGroup,
  productIdOf,
  type Variant,
  variantOfGroupId,
  variantsOf,
  withVariants,
} from "../../shared/variants.ts";
import { faultOf } from "../api-faults.ts";
import { call, type Desk, readRequest } from "../desk.ts";
import { type Message, notFound, ProtocolFault, success } from "../replies.ts";
import { type Correlation, showProduct } from "./catalog-view.ts";
import { isSelected, relax, selectionOf, showChoices } from "./option-selection.ts";

const id = z.string().min(1).max(255);
const amount = z.number().min(0).optional();
const filters = z
  .object({
    categories: z.array(id).max(20).optional(),
    price: z.object({ min: amount, max: amount }).optional(),
  })
  .optional();
const context = z.object({ currency: z.string().optional() }).optional();

const SearchBody = z.object({
  query: z.string().max(100, "must have at most 100 characters").optional(),
  filters,
  context,
  pagination: z
    .object({ cursor: z.string().max(2048).optional(), limit: z.int().min(1).optional() })
    .optional(),
});
const LookupBody = z.object({ ids: z.array(id).min(1), filters, context });
const Selection = z
  .array(z.object({ name: id, label: id }))
  .max(20)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    message: "must name each option once",
  });
const ProductBody = z.object({
  id,
  filters,
  context,
  selected: Selection.default([]),
  preferences: z.array(id).max(20).default([]),
});

type Filters = Pick<z.output<typeof SearchBody>, "filters" | "context">;

const pageSizes = { usual: 10, most: 50 };
export const mostIds = 20;

/** Finds products by words, categories and price. */
export async function searchCatalog(desk: Desk): Promise<WireReply> {
  const wanted = await readRequest(desk, SearchBody);
  const { query = "", pagination } = wanted;
  if (query.trim() === "" && Object.keys(wanted.filters ?? {}).length === 0)
    throw new ProtocolFault(400, "invalid_request", "Send a query or filters.");

  const categories = await readCategories(desk, wanted);
  const only = wanted.filters?.categories?.length === 1 ? wanted.filters.categories[0] : undefined;
  const category = categories.find(named(only));
  if (only !== undefined && !category) return found(desk, [], { has_next_page: false });

  const asked = {
    ...oneOfEachGroup,
    search: query.trim(),
    category_id: category?.id,
    limit: String(Math.min(pagination?.limit ?? pageSizes.usual, pageSizes.most)),
    starting_after: pagination?.cursor,
  };
  const given = Object.entries(asked).filter((pair): pair is [string, string] => !!pair[1]);
  const page = await call<Product[]>(desk, {
    method: "GET",
    path: `/products?${new URLSearchParams(given)}`,
  });

  // The API does not filter by price, so this does: a page may have fewer products than asked for.
  const isIn = category ? () => true : categoryFilter(wanted, categories);
  const fits = priceFilter(wanted);
  const showing = { version: desk.agreed.version, categories };
  const products = await withVariants(page.data.filter(isIn), (one) => findProduct(desk, one));
  const shown = products.flatMap((product) => {
    const variants = featuredFirst(product).filter(fits(product));
    return variants.length === 0 ? [] : [showProduct(product, showing, variants)];
  });
  const cursor = page.next_cursor;
  return found(desk, shown, cursor ? { has_next_page: true, cursor } : { has_next_page: false });
}

/** Gives the variants of a product, the one that stands for the group first. */
function featuredFirst(product: Product): readonly Variant[] {
  const variants = variantsOf(product);
  const isOwn = ({ id: one }: Variant): boolean => one === product.id;
  return [...variants.filter(isOwn), ...variants.filter((variant) => !isOwn(variant))];
}

const found = (desk: Desk, products: readonly object[], pagination: object): WireReply =>
  json(200, { ucp: success(desk.agreed, "dev.ucp.shopping.catalog.search"), products, pagination });

/**
 * Resolves ids and slugs. What is not found is told, and the rest is given: each product once, with
 * the variants that were asked for.
 */
export async function lookUpCatalog(desk: Desk): Promise<WireReply> {
  const wanted = await readRequest(desk, LookupBody);
  const ids = [...new Set(wanted.ids)];
  if (ids.length > mostIds)
    throw new ProtocolFault(400, "request_too_large", `Send at most ${mostIds} ids.`);

  const categories = await readCategories(desk, wanted);
  const answers = await Promise.all(ids.map((each) => findProduct(desk, each)));
  const byProduct = new Map<string, { product: Product; inputs: Map<string, Correlation[]> }>();
  const messages: Message[] = [];

  for (const [index, product] of answers.entries()) {
    const asked = ids[index] ?? "";
    if (!product) {
      messages.push({ type: "info", code: "not_found", content: asked });
      continue;
    }
    const name = productIdOf(product);
    const entry = byProduct.get(name) ?? { product, inputs: new Map() };
    const match = asked === product.id ? "exact" : "featured";
    const inputs = entry.inputs.get(product.id) ?? [];
    entry.inputs.set(product.id, [...inputs, { id: asked, match }]);
    byProduct.set(name, entry);
  }
  const isIn = categoryFilter(wanted, categories);
  const fits = priceFilter(wanted);
  const showing = { version: desk.agreed.version, categories };
  const products = [...byProduct.values()].flatMap(({ product, inputs }) => {
    const variants = variantsOf(product)
      .filter(fits(product))
      .flatMap((variant) => {
        const own = inputs.get(variant.id);
        return own ? [{ ...variant, inputs: own }] : [];
      });
    return isIn(product) && variants.length > 0 ? [showProduct(product, showing, variants)] : [];
  });
  return json(200, {
    ucp: success(desk.agreed, "dev.ucp.shopping.catalog.lookup"),
    products,
    messages,
  });
}

/**
 * Gives one product, by its id or slug, with the variants that have what is selected. The id of a
 * variant selects its options, whatever the request selects.
 */
export async function getCatalogProduct(desk: Desk): Promise<WireReply> {
  const wanted = await readRequest(desk, ProductBody);
  const categories = await readCategories(desk, wanted);
  const product = await findProduct(desk, wanted.id);
  if (!product || !categoryFilter(wanted, categories)(product)) throw notFound();

  const all = variantsOf(product);
  const isOfGroup = variantOfGroupId(wanted.id) !== null;
  const kept = isOfGroup ? relax(all, wanted.selected, wanted.preferences) : [];
  const own = all.find(({ id: one }) => one === product.id);
  const featured = isOfGroup ? (bestOf(all, kept) ?? own) : own;
  const selected = kept.length > 0 || !featured ? kept : selectionOf(featured);

  const matching = all.filter((variant) => variant !== featured && isSelected(variant, selected));
  const shown = [...(featured ? [featured] : []), ...matching].filter(priceFilter(wanted)(product));
  if (shown.length === 0) throw notFound();

  const options = showChoices(product, selected);
  return json(200, {
    ucp: success(desk.agreed, "dev.ucp.shopping.catalog.lookup"),
    product: {
      ...showProduct(product, { version: desk.agreed.version, categories }, shown),
      ...(options.length > 0 && { options, selected }),
    },
  });
}

/** Finds the first variant that has what is selected, an available one where there is any. */
function bestOf(variants: readonly Variant[], selected: Parameters<typeof isSelected>[1]) {
  const matching = variants.filter((variant) => isSelected(variant, selected));
  return matching.find(({ available }) => available) ?? matching[0];
}

/** Finds a product by its id, its slug, or the id of its group. */
async function findProduct({ api }: Desk, asked: string): Promise<Product | null> {
  const name = variantOfGroupId(asked) ?? asked;
  const answer = await api<Product>({
    method: "GET",
    path: `/products/${encodeURIComponent(name)}`,
  });
  if (answer.ok) {
    const product = answer.body.data;
    return name === asked || product.group ? product : null;
  }
  if (answer.error["code"] === "resource_not_found") return null;
  throw faultOf(answer.error);
}

/** Reads the categories. A key without their scope sees none, and no request may name one. */
async function readCategories({ api }: Desk, { filters: given }: Filters): Promise<Category[]> {
  const answer = await api<Category[]>({ method: "GET", path: "/categories" });
  if (answer.ok) return answer.body.data;
  if (answer.error["code"] === "insufficient_scope" && !given?.categories) return [];
  throw faultOf(answer.error);
}

const named =
  (asked: string | undefined) =>
  ({ id: own, slug, name }: Category): boolean =>
    asked !== undefined && [own, slug, name].includes(asked);

type Fits<Thing> = (thing: Thing) => boolean;

function categoryFilter({ filters: given }: Filters, all: readonly Category[]): Fits<Product> {
  const wanted = given?.categories?.flatMap((each) => all.filter(named(each)).map((one) => one.id));
  return ({ category_ids }) => !wanted || category_ids.some((one) => wanted.includes(one));
}

/** Makes a filter by price. A price in another currency than the agent's always passes. */
function priceFilter({ filters: given, context: about }: Filters) {
  const { min = 0, max = Number.POSITIVE_INFINITY } = given?.price ?? {};

  return ({ currency }: Product): Fits<Variant> =>
    about?.currency !== undefined && about.currency !== currency
      ? () => true
      : ({ price }) => price >= min && price <= max;
}
