import { fail } from "../contract/errors.ts";
import type { Input } from "../contract/routes.ts";
import { decodeCursor, encodeCursor } from "../domain/cursor.ts";
import { renderPaymentMethod, renderStore } from "../rules/render.ts";
import { type Handler, one, paged, whole } from "./call.ts";
import { partitionOf } from "./caller.ts";

const defaultLimit = 20;
/** Deeper pages are what the cursor is for. */
const maxOffsetEnd = 10_000;

export const getStore: Handler = async ({ caller }) => one(renderStore(caller.access.store));

export const listProducts: Handler = async ({ ctx, caller, input }) => {
  const query = input.query as Input<"listProducts">["query"];
  const { page, limit = defaultLimit, category, category_id, search, starting_after } = query;
  if (page !== undefined && starting_after !== undefined)
    fail("parameter_conflict", {
      param: "page",
      message: "page and starting_after cannot be used together.",
    });
  if (page !== undefined && page * limit > maxOffsetEnd) {
    fail("parameter_invalid", {
      param: "page",
      message: `page times limit must be at most ${maxOffsetEnd}: go on with starting_after.`,
    });
  }
  const filters = JSON.stringify([category ?? null, category_id ?? null, search ?? null]);
  const after =
    starting_after === undefined
      ? undefined
      : (decodeCursor(starting_after, filters) ?? fail("invalid_cursor"));
  const result = await ctx.catalog.listProducts({
    catalog_version: caller.access.store.catalog_version,
    limit,
    ...partitionOf(caller),
    ...(category === undefined ? {} : { category_slug: category }),
    ...(category_id === undefined ? {} : { category_id }),
    ...(search === undefined ? {} : { search }),
    ...(after === undefined ? {} : { after }),
    ...(page === undefined ? {} : { offset: (page - 1) * limit }),
  });
  if (result.outcome === "category_conflict")
    return fail("parameter_conflict", {
      param: "category_id",
      message: "category and category_id name different categories.",
    });
  return paged(
    result.rows,
    limit,
    (row) => row.document,
    (last) => encodeCursor({ position: last.position, id: last.id, filters }),
  );
};

export const getProduct: Handler = async ({ ctx, caller, input }) => {
  const product = await ctx.catalog.findProduct(
    partitionOf(caller),
    input.params["id_or_slug"] ?? "",
    caller.access.store.catalog_version,
  );
  if (!product) return fail("resource_not_found");
  return { data: product.document, page: null };
};

export const listCategories: Handler = async ({ ctx, caller }) => {
  const { store } = caller.access;
  return whole(await ctx.catalog.listCategories(store.id, store.catalog_version));
};

export const listPaymentMethods: Handler = async ({ ctx, caller }) => {
  const { store_id, livemode } = partitionOf(caller);
  const configured = livemode ? ctx.gatewayIds.live : ctx.gatewayIds.test;
  const methods = await ctx.storage.catalog.listPaymentMethods(store_id);
  return whole(
    methods
      .filter(
        (method) => method.enabled && (method.gateway === null || configured.has(method.gateway)),
      )
      .map(renderPaymentMethod),
  );
};
