import type { PaymentRequest } from "#core/payments/gateway/gateway.ts";
import { callOf, type StripeClient } from "./client.ts";

/** The field for the buyer's id in the metadata of the customer at Stripe. */
const buyerKey = "vitrine_customer";

/**
 * Finds the customer that stands for the buyer of a store at Stripe, or makes one. A card is
 * charged later only through the customer that it was saved for.
 */
export async function customerOf(
  stripe: StripeClient,
  {
    id,
    store_id,
    account,
    customer,
  }: Pick<PaymentRequest, "id" | "store_id" | "account" | "customer">,
): Promise<string> {
  const { email, name } = customer;
  const buyer = `${store_id}:${customer.id}`.slice(0, 500);

  if (email !== null)
    for await (const known of stripe.customers.list({ email, limit: 100 }, callOf(account)))
      if (known.metadata[buyerKey] === buyer) return known.id;

  const params = {
    ...(email !== null && { email }),
    ...(name !== null && { name }),
    metadata: { [buyerKey]: buyer },
  };
  return (await stripe.customers.create(params, callOf(account, `${id}.customer`))).id;
}
