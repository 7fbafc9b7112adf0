import { fail } from "../../contract/errors.ts";
import { defaultPageSize } from "../../contract/query-parameters.ts";
import type { Buyer } from "../../rules/checkout/buyer.ts";
import type { SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import { renderSubscription } from "../../rules/subscriptions/render-subscription.ts";
import { cancelSubscription, changeSubscription } from "../../steps/subscription-steps.ts";
import { partitionOf } from "../caller.ts";
import type { Handler, OperationCall, PlainOperation } from "../operation.ts";
import { pageOf, single } from "../results.ts";

type BuyerCall = Pick<OperationCall<PlainOperation>, "ctx" | "caller">;

/** Renders a subscription for its buyer. What the store notes about it is left out. */
const show = (subscription: SubscriptionRecord) => ({
  ...renderSubscription(subscription),
  metadata: {},
});

/** Lists the subscriptions of the buyer whom the token names, and of no one else. */
export const listMySubscriptions: Handler<"listMySubscriptions"> = async ({
  ctx,
  caller,
  input,
}) => {
  const { limit = defaultPageSize, starting_after } = input.query;
  const buyer = caller.buyer ?? fail("missing_customer_token");
  if (starting_after !== undefined) {
    const last = await findOwn({ ctx, caller }, buyer, starting_after);
    if (!last) fail("invalid_cursor");
  }

  const rows = await ctx.storage.orders.listSubscriptions({
    ...partitionOf(caller),
    customer_id: buyer.customer_id,
    limit,
    ...(starting_after && { after: starting_after }),
  });
  await refuseRevoked({ ctx, caller }, buyer);

  return pageOf({
    rows,
    limit,
    document: (subscription) => JSON.stringify(show(subscription)),
    cursor: (last) => last.id,
  });
};

/** Ends the buyer's subscription with the paid period. A repeat changes nothing. */
export const cancelMySubscription: Handler<"cancelMySubscription"> = async ({
  ctx,
  caller,
  input,
}) => {
  const own = await requireOwn({ ctx, caller }, input.params.id);
  const result = await cancelSubscription(ctx.storage.orders, {
    ...partitionOf(caller),
    ...own,
    when: "at_period_end",
    ids: { events: [ctx.newId("evt")], alerts: [] },
    now: ctx.now(),
  });
  if (result.outcome === "unknown_subscription") return fail("resource_not_found");

  ctx.committed(partitionOf(caller));
  return single(show(result.subscription));
};

/** Takes back the end that the buyer, or the store, has asked for. A repeat changes nothing. */
export const keepMySubscription: Handler<"keepMySubscription"> = async ({ ctx, caller, input }) => {
  const own = await requireOwn({ ctx, caller }, input.params.id);
  const result = await changeSubscription(ctx.storage.orders, {
    ...partitionOf(caller),
    ...own,
    change: { kind: "keep" },
    ids: { events: [ctx.newId("evt")], alerts: [] },
    now: ctx.now(),
  });
  if (result.outcome === "unknown_subscription") return fail("resource_not_found");
  if (result.outcome === "invalid_transition") return fail("subscription_ended");

  ctx.committed(partitionOf(caller));
  return single(show(result.subscription));
};

/** Names a subscription of the buyer's own. Another buyer's is as unknown as one that is not. */
async function requireOwn(call: BuyerCall, id: string) {
  const buyer = call.caller.buyer ?? fail("missing_customer_token");
  const found = await findOwn(call, buyer, id);
  await refuseRevoked(call, buyer);
  if (!found) return fail("resource_not_found");
  return { subscription_id: found.id };
}

async function findOwn({ ctx, caller }: BuyerCall, buyer: Buyer, id: string) {
  const found = await ctx.storage.orders.find("subscription", partitionOf(caller), id);
  return found?.customer.id === buyer.customer_id ? found : null;
}

/**
 * Refuses a token that was revoked after it was issued. Call it after the buyer's data is read: a
 * token that is revoked meanwhile then shows nothing.
 */
async function refuseRevoked({ ctx, caller }: BuyerCall, buyer: Buyer): Promise<void> {
  const { outcome } = await ctx.storage.orders.listCustomerOrders({
    ...partitionOf(caller),
    customer_id: buyer.customer_id,
    customer_keys: await ctx.customerKeys(caller.access.store.id, buyer.customer_id),
    token_issued_at: buyer.issued_at,
    limit: 1,
  });
  if (outcome === "token_revoked") fail("invalid_customer_token");
}
