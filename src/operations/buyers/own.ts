import { fail } from "../../contract/errors.ts";
import type { Buyer } from "../../rules/checkout/buyer.ts";
import type { SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import type { OrderRecord, Partition } from "../../rules/records.ts";
import { cancelSubscription, changeSubscription } from "../../steps/subscription-steps.ts";
import type { OperationContext } from "../context.ts";

/** A buyer who asks for what is the buyer's own. */
export interface OwnCall {
  readonly ctx: OperationContext;
  readonly partition: Partition;
  readonly buyer: Buyer;
}

/** Reads a page of the buyer's orders. A token that was revoked after it was issued is refused. */
export async function listOwnOrders(
  { ctx, partition, buyer }: OwnCall,
  page: { readonly limit: number; readonly after?: string },
): Promise<readonly OrderRecord[]> {
  const result = await ctx.storage.orders.listCustomerOrders({
    ...partition,
    customer_id: buyer.customer_id,
    customer_keys: await ctx.customerKeys(partition.store_id, buyer.customer_id),
    token_issued_at: buyer.issued_at,
    ...page,
  });
  if (result.outcome === "token_revoked") return fail("invalid_customer_token");
  if (result.outcome === "unknown_cursor") return fail("invalid_cursor");
  return result.orders;
}

/**
 * Refuses a token that was revoked after it was issued. Call it after the buyer's data is read: a
 * token that is revoked meanwhile then shows nothing.
 */
export async function refuseRevoked(call: OwnCall): Promise<void> {
  await listOwnOrders(call, { limit: 1 });
}

/** Gives null for a subscription of another buyer, as for one that is not. */
export async function findOwnSubscription(
  { ctx, partition, buyer }: OwnCall,
  id: string,
): Promise<SubscriptionRecord | null> {
  const found = await ctx.storage.orders.find("subscription", partition, id);
  return found?.customer.id === buyer.customer_id ? found : null;
}

/** Names a subscription of the buyer's own. Another buyer's is as unknown as one that is not. */
export async function requireOwnSubscription(call: OwnCall, id: string) {
  const found = await findOwnSubscription(call, id);
  await refuseRevoked(call);
  if (!found) return fail("resource_not_found");
  return { subscription_id: found.id };
}

/** Ends the buyer's subscription with the paid period. A repeat changes nothing. */
export async function cancelOwn(call: OwnCall, id: string): Promise<SubscriptionRecord> {
  const { ctx, partition } = call;
  const own = await requireOwnSubscription(call, id);
  const result = await cancelSubscription(ctx.storage.orders, {
    ...partition,
    ...own,
    when: "at_period_end",
    ids: { events: [ctx.newId("evt")], alerts: [] },
    now: ctx.now(),
  });
  if (result.outcome === "unknown_subscription") return fail("resource_not_found");

  ctx.committed(partition);
  return result.subscription;
}

/** Takes back the end that the buyer, or the store, has asked for. A repeat changes nothing. */
export async function keepOwn(call: OwnCall, id: string): Promise<SubscriptionRecord> {
  const { ctx, partition } = call;
  const own = await requireOwnSubscription(call, id);
  const result = await changeSubscription(ctx.storage.orders, {
    ...partition,
    ...own,
    change: { kind: "keep" },
    ids: { events: [ctx.newId("evt")], alerts: [] },
    now: ctx.now(),
  });
  if (result.outcome === "unknown_subscription") return fail("resource_not_found");
  if (result.outcome === "invalid_transition") return fail("subscription_ended");
  ctx.committed(partition);
  return result.subscription;
}
