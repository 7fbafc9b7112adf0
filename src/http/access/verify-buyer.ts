import { fail } from "../../contract/errors.ts";
import type { Buyer } from "../../rules/checkout/buyer.ts";
import { erasedCustomerId } from "../../rules/owner/erased-customer.ts";
import type { Partition } from "../../rules/records.ts";
import type { HttpContext } from "../context.ts";

/** Gives the buyer of a token. Throws `invalid_customer_token`, also for an erased buyer. */
export async function verifyBuyer(
  { buyerTokens }: Pick<HttpContext, "buyerTokens">,
  token: string,
  partition: Partition,
): Promise<Buyer> {
  const buyer = await buyerTokens.verify(token, partition);
  // All erased customers share this id.
  return buyer.customer_id === erasedCustomerId ? fail("invalid_customer_token") : buyer;
}
