import type { BuyerFacts } from "../../rules/orders/order-commands.ts";
import { isIdSpent } from "../../rules/owner/erased-customer.ts";
import type { Partition } from "../../rules/records.ts";
import type { PaymentContext } from "../context.ts";
import { readBuyer } from "../inputs.ts";

/**
 * Reads who pays. The `cus_` id of a customer who was erased names nobody any more:
 * the order gets a new one.
 */
export async function readKnownBuyer(
  ctx: PaymentContext,
  { store_id, livemode }: Partition,
  customer: Parameters<typeof readBuyer>[0],
): Promise<BuyerFacts> {
  const buyer = readBuyer(customer);
  // No other id is ever spent, so that most orders need no look-up.
  if (buyer.id === null || !isIdSpent(buyer.id, true)) return buyer;

  const keys = await ctx.customerKeys(store_id, buyer.id);
  const erased = await ctx.storage.privacy.isErased({ store_id, livemode }, keys);
  return isIdSpent(buyer.id, erased) ? { ...buyer, id: null } : buyer;
}
