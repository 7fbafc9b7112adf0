import { z } from "zod";
import type { Category, Product } from "../../contract/schemas.ts";
import type { WireReply } from "../../http/wire.ts";
import { json } from "../shared/json.ts";
import { faultOf } from "./api-faults.ts";
import { type Correlation, showProduct } from "./catalog-view.ts";
import { call, type Desk, readRequest } from "./desk.ts";
import { type Message, notFound, ProtocolFault, success } from "./replies.ts";

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
const ProductBody = z.object({ id, filters, context });

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
  const fits = filterOf(category ? withoutCategories(wanted) : wanted, categories);
  const cursor = page.next_cursor;
  const next = cursor ? { has_next_page: true, cursor } : { has_next_page: false };
  return found(
    desk,
    page.data.filter(fits).map((product) => showProduct(product, categories)),
    next,
  );
}

const found = (desk: Desk, products: readonly object[], pagination: object): WireReply =>
  json(200, { ucp: success(desk.active, "dev.ucp.shopping.catalog.search"), products, pagination });

const withoutCategories = ({ context, filters: given }: Filters): Filters => ({
  context,
  filters: { price: given?.price },
});

/** Resolves ids and slugs. What is not found is told, and the rest is given. */
export async function lookUpCatalog(desk: Desk): Promise<WireReply> {
  const wanted = await readRequest(desk, LookupBody);
  const ids = [...new Set(wanted.ids)];
  if (ids.length > mostIds)
    throw new ProtocolFault(400, "request_too_large", `Send at most ${mostIds} ids.`);

  const categories = await readCategories(desk, wanted);
  const answers = await Promise.all(ids.map((each) => findProduct(desk, each)));
  const byProduct = new Map<string, { product: Product; inputs: Correlation[] }>();
  const messages: Message[] = [];

  for (const [index, product] of answers.entries()) {
    const asked = ids[index] ?? "";
    if (!product) {
      messages.push({ type: "info", code: "not_found", content: asked });
      continue;
    }
    const entry = byProduct.get(product.id) ?? { product, inputs: [] };
    entry.inputs.push({ id: asked, match: asked === product.id ? "exact" : "featured" });
    byProduct.set(product.id, entry);
  }
  const fits = filterOf(wanted, categories);
  const products = [...byProduct.values()]
    .filter(({ product }) => fits(product))
    .map(({ product, inputs }) => showProduct(product, categories, inputs));
  return json(200, {
    ucp: success(desk.active, "dev.ucp.shopping.catalog.lookup"),
    products,
    messages,
  });
}

/** Gives one product, by its id or slug. */
export async function getCatalogProduct(desk: Desk): Promise<WireReply> {
  const wanted = await readRequest(desk, ProductBody);
  const categories = await readCategories(desk, wanted);
  const product = await findProduct(desk, wanted.id);
  if (!product || !filterOf(wanted, categories)(product)) throw notFound();

  const ucp = success(desk.active, "dev.ucp.shopping.catalog.lookup");
  return json(200, { ucp, product: showProduct(product, categories) });
}

async function findProduct({ api }: Desk, asked: string): Promise<Product | null> {
  const answer = await api({ method: "GET", path: `/products/${encodeURIComponent(asked)}` });
  if (answer.ok) return answer.body["data"] as Product;
  if (answer.error["code"] === "resource_not_found") return null;
  throw faultOf(answer.error);
}

/** A key without the scope of categories shows none, and then none can be asked for. */
async function readCategories({ api }: Desk, { filters: given }: Filters): Promise<Category[]> {
  const answer = await api({ method: "GET", path: "/categories" });
  if (answer.ok) return answer.body["data"] as Category[];
  if (answer.error["code"] === "insufficient_scope" && !given?.categories) return [];
  throw faultOf(answer.error);
}

const named =
  (asked: string | undefined) =>
  ({ id: own, slug, name }: Category): boolean =>
    asked !== undefined && [own, slug, name].includes(asked);

/** Prices of another currency than the agent's cannot be compared, so they are not judged. */
function filterOf({ filters: given, context: about }: Filters, categories: readonly Category[]) {
  const { categories: asked, price } = given ?? {};
  const wanted = asked?.flatMap((each) => categories.filter(named(each)).map((one) => one.id));

  return ({ price: own, currency, category_ids }: Product): boolean => {
    if (wanted && !category_ids.some((one) => wanted.includes(one))) return false;
    if (about?.currency !== undefined && about.currency !== currency) return true;
    return own >= (price?.min ?? 0) && own <= (price?.max ?? Number.POSITIVE_INFINITY);
  };
}
