import { fail } from "../contract/errors.ts";
import type { Input } from "../contract/routes.ts";
import { renderOrder } from "../rules/render.ts";
import { type Handler, one, paged } from "./call.ts";
import { partitionOf } from "./caller.ts";

const defaultLimit = 20;

export const listOrders: Handler = async ({ ctx, caller, input }) => {
  const {
    limit = defaultLimit,
    status,
    starting_after,
  } = input.query as Input<"listOrders">["query"];
  const result = await ctx.storage.orders.listOrders({
    ...partitionOf(caller),
    limit,
    ...(status && { status }),
    ...(starting_after && { after: starting_after }),
  });
  if (result.outcome === "unknown_cursor") return fail("invalid_cursor");
  return paged(
    result.orders,
    limit,
    (order) => JSON.stringify(renderOrder(order)),
    (last) => last.id,
  );
};

export const getOrder: Handler = async ({ ctx, caller, input }) => {
  const order = await ctx.storage.orders.findOrder(partitionOf(caller), input.params["id"] ?? "");
  return order ? one(renderOrder(order)) : fail("resource_not_found");
};

/** The buyer token is the authority: orders match by customer id only, and a revoked token is judged in the same read. */
export const listMyOrders: Handler = async ({ ctx, caller, input }) => {
  const { limit = defaultLimit, starting_after } = input.query as Input<"listMyOrders">["query"];
  const buyer = caller.buyer ?? fail("missing_customer_token");
  const result = await ctx.storage.orders.listCustomerOrders({
    ...partitionOf(caller),
    customer_id: buyer.customer_id,
    token_issued_at: buyer.issued_at,
    limit,
    ...(starting_after && { after: starting_after }),
  });
  if (result.outcome === "token_revoked") return fail("invalid_customer_token");
  if (result.outcome === "unknown_cursor") return fail("invalid_cursor");
  return paged(
    result.orders,
    limit,
    (order) => JSON.stringify(renderOrder(order, "buyer")),
    (last) => last.id,
  );
};

export const listEvents: Handler = async ({ ctx, caller, input }) => {
  const { limit = defaultLimit, starting_after } = input.query as Input<"listEvents">["query"];
  const result = await ctx.storage.webhooks.listEvents({
    ...partitionOf(caller),
    limit,
    ...(starting_after && { after: starting_after }),
  });
  if (result.outcome !== "listed")
    return fail(result.outcome === "cursor_expired" ? "cursor_expired" : "invalid_cursor");
  const answer = paged(
    result.events,
    limit,
    (event) => event.body ?? "null",
    (last) => last.id,
  );
  // A poller never loses its place: on the last page the cursor is the last id seen, the caller's own when nothing is new.
  const next_cursor = result.events.slice(0, limit).at(-1)?.id ?? starting_after ?? null;
  return { data: answer.data, page: { has_more: answer.page.has_more, next_cursor } };
};
