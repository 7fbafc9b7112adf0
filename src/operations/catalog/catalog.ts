import { fail } from "../../contract/errors.ts";
import { defaultPageSize } from "../../contract/query-parameters.ts";
import type { Input } from "../../contract/routes.ts";
import { decodeCursor, encodeCursor } from "../../domain/text/cursor.ts";
import { renderPaymentMethod, renderStore } from "../../rules/catalog/render.ts";
import { partitionOf } from "../caller.ts";
import type { Handler } from "../operation.ts";
import { completeList, pageOf, single } from "../results.ts";
import type { HostPage } from "./catalog-reader.ts";

/** `page` reaches rows up to this one. Rows beyond it are reached by the cursor. */
const maxOffsetEnd = 10_000;

export const getStore: Handler<"getStore"> = async ({ caller }) =>
  single(renderStore(caller.access.store));

export const listProducts: Handler<"listProducts"> = async ({ ctx, caller, input }) => {
  const {
    page,
    limit = defaultPageSize,
    category,
    category_id,
    search,
    sort = search === undefined ? "position" : "relevance",
    group = "all",
    facets,
    starting_after,
  } = input.query;
  checkPaging(input.query, limit);
  if (sort === "relevance" && search === undefined)
    fail("parameter_conflict", { param: "sort", message: "sort=relevance needs search." });

  // The cursor holds the filters and the order, so that a list with others refuses it. The order by
  // position and a list of all are not written: cursors of older versions have neither, and stay
  // valid.
  const filters = JSON.stringify([
    category ?? null,
    category_id ?? null,
    search ?? null,
    ...(sort === "position" ? [] : [sort]),
    ...(group === "first" ? [{ group }] : []),
  ]);
  // A page of the host's engine goes on by the engine alone.
  const ofEngine = `${filters} by the engine`;
  const isOfEngine =
    starting_after !== undefined &&
    ctx.catalog.searched &&
    decodeCursor(starting_after, ofEngine) !== null;
  const after =
    starting_after === undefined
      ? undefined
      : (decodeCursor(starting_after, isOfEngine ? ofEngine : filters) ?? fail("invalid_cursor"));

  const result = await ctx.catalog.listProducts({
    catalog_version: caller.access.store.catalog_version,
    limit,
    ...partitionOf(caller),
    ...(category === undefined ? {} : { category_slug: category }),
    ...(category_id === undefined ? {} : { category_id }),
    ...(search === undefined ? {} : { search, correct: true }),
    ...(sort === "position" ? {} : { sort }),
    ...(group === "first" ? { group } : {}),
    ...(facets === undefined ? {} : { facets: true }),
    ...(after === undefined ? {} : { after }),
    ...(isOfEngine ? { by_engine: true } : {}),
    ...(page === undefined ? {} : { offset: (page - 1) * limit }),
  });
  if (result.outcome === "category_conflict")
    return fail("parameter_conflict", {
      param: "category_id",
      message: "category and category_id name different categories.",
    });

  const { data, page: shown } =
    result.next === undefined
      ? pageOf({
          rows: result.rows,
          limit,
          document: (row) => row.document,
          cursor: (last) => encodeCursor({ position: last.position, id: last.id, filters }),
        })
      : hostPageOf(result, ctx.catalog.searched ? ofEngine : filters);
  const { corrected_to, facets: all = null } = result;
  // A host's own catalog counts nothing: its answer is null.
  const counted = all && Object.entries(all).filter(([name]) => facets?.split(",").includes(name));
  const found = facets === undefined ? undefined : counted && Object.fromEntries(counted);
  return { data, page: { ...shown, corrected_to, facets: found } };
};

/** Makes a page of the host's: its own cursor stands as the id of the last row. */
const hostPageOf = ({ rows, next }: HostPage, filters: string) => ({
  data: `[${rows.map(({ document }) => document).join(",")}]`,
  page: {
    has_more: next !== null,
    next_cursor: next === null ? null : encodeCursor({ position: 0, id: next, filters }),
  },
});

function checkPaging(
  { page, starting_after }: Input<"listProducts">["query"],
  limit: number,
): void {
  if (page === undefined) return;

  if (starting_after !== undefined)
    fail("parameter_conflict", {
      param: "page",
      message: "page and starting_after cannot be used together.",
    });
  if (page * limit > maxOffsetEnd)
    fail("parameter_invalid", {
      param: "page",
      message: `page times limit must be at most ${maxOffsetEnd}: go on with starting_after.`,
    });
}

export const getProduct: Handler<"getProduct"> = async ({ ctx, caller, input }) => {
  const product = await ctx.catalog.findProduct(
    partitionOf(caller),
    input.params.id_or_slug,
    caller.access.store.catalog_version,
  );
  if (!product) return fail("resource_not_found");
  return { data: product.document, page: null };
};

export const listCategories: Handler<"listCategories"> = async ({ ctx, caller }) => {
  const { store } = caller.access;
  return completeList(await ctx.catalog.listCategories(store.id, store.catalog_version));
};

export const listPaymentMethods: Handler<"listPaymentMethods"> = async ({ ctx, caller }) => {
  const { store_id, livemode } = partitionOf(caller);
  const configured = livemode ? ctx.gatewayIds.live : ctx.gatewayIds.test;
  const methods = await ctx.storage.catalog.listPaymentMethods(store_id);

  const usable = methods.filter(
    ({ enabled, gateway }) => enabled && (gateway === null || configured.has(gateway)),
  );
  return completeList(usable.map(renderPaymentMethod));
};
