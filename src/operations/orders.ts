import { fail } from "../contract/errors.ts";
import { defaultPageSize } from "../contract/query-parameters.ts";
import { renderOrder } from "../rules/catalog/render-order.ts";
import { showOrder } from "../rules/entitlements/show-order.ts";
import { listOwnOrders } from "./buyers/own.ts";
import { partitionOf } from "./caller.ts";
import type { Handler } from "./operation.ts";
import { pageOf, single } from "./results.ts";

export const listOrders: Handler<"listOrders"> = async ({ ctx, caller, input }) => {
  const { limit = defaultPageSize, status, checkout_session_id, starting_after } = input.query;
  const result = await ctx.storage.orders.listOrders({
    ...partitionOf(caller),
    limit,
    ...(status && { status }),
    ...(checkout_session_id && { session_id: checkout_session_id }),
    ...(starting_after && { after: starting_after }),
  });
  if (result.outcome === "unknown_cursor") return fail("invalid_cursor");

  return pageOf({
    rows: result.orders,
    limit,
    document: (order) => JSON.stringify(renderOrder(order)),
    cursor: (last) => last.id,
  });
};

export const getOrder: Handler<"getOrder"> = async ({ ctx, caller, input }) => {
  const order = await ctx.storage.orders.find("order", partitionOf(caller), input.params.id);
  if (!order) return fail("resource_not_found");
  return single(await showOrder(ctx, order));
};

/**
 * Lists the orders of the buyer whom the token names, and of no one else. The
 * storage checks in the same read that the token has not been revoked.
 */
export const listMyOrders: Handler<"listMyOrders"> = async ({ ctx, caller, input }) => {
  const { limit = defaultPageSize, starting_after } = input.query;
  const buyer = caller.buyer ?? fail("missing_customer_token");
  const orders = await listOwnOrders(
    { ctx, partition: partitionOf(caller), buyer },
    { limit, ...(starting_after && { after: starting_after }) },
  );

  return pageOf({
    rows: await Promise.all(orders.map((each) => showOrder(ctx, each, "buyer"))),
    limit,
    document: (order) => JSON.stringify(order),
    cursor: (last) => last.id,
  });
};

export const listEvents: Handler<"listEvents"> = async ({ ctx, caller, input }) => {
  const { limit = defaultPageSize, starting_after } = input.query;
  const result = await ctx.storage.webhooks.listEvents({
    ...partitionOf(caller),
    limit,
    ...(starting_after && { after: starting_after }),
  });
  if (result.outcome === "cursor_expired") return fail("cursor_expired");
  if (result.outcome !== "listed") return fail("invalid_cursor");

  const { data, page } = pageOf({
    rows: result.events,
    limit,
    document: (event) => event.body ?? "null",
    cursor: (last) => last.id,
  });
  // The last page has a cursor too, so that a client that polls can go on from there: the last id
  // shown, or the client's own cursor when there is nothing new.
  const next_cursor = result.events.slice(0, limit).at(-1)?.id ?? starting_after ?? null;
  return { data, page: { has_more: page.has_more, next_cursor } };
};
