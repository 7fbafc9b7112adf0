import type { SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import type { Partition } from "../../rules/records.ts";
import type { PaymentContext } from "../context.ts";
import { askGateway, findGateway } from "../gateway/gateway-calls.ts";

const perPage = 100;

/** Has the gateways forget what they keep of a customer, in both modes of the store. */
export async function forgetSaved(
  ctx: PaymentContext,
  store_id: string,
  customer_id: string,
): Promise<void> {
  for (const livemode of [true, false])
    for await (const subscription of subscriptionsOf(ctx, { store_id, livemode }, customer_id))
      await forget(ctx, subscription);
}

async function* subscriptionsOf(
  { storage }: PaymentContext,
  partition: Partition,
  customer_id: string,
): AsyncGenerator<SubscriptionRecord> {
  let after: string | undefined;
  do {
    const page = await storage.orders.listSubscriptions({
      ...partition,
      customer_id,
      limit: perPage,
      ...(after === undefined ? {} : { after }),
    });
    const shown = page.slice(0, perPage);
    yield* shown;
    after = page.length > perPage ? shown.at(-1)?.id : undefined;
  } while (after !== undefined);
}

/** `askGateway` reports a failure. */
async function forget(ctx: PaymentContext, subscription: SubscriptionRecord): Promise<void> {
  const saved = subscription.renewal?.saved;
  const gateway = saved && findGateway(ctx, saved.gateway, subscription.livemode);
  if (!saved || !gateway?.forgetSaved) return;

  const { store_id, customer } = subscription;
  const { account, attempt_id } = saved;
  await askGateway(ctx, gateway, {
    subject: attempt_id,
    ask: async (signal) =>
      gateway.forgetSaved?.({
        store_id,
        account,
        saved_reference: await ctx.keyRing.unseal(saved.sealed_reference, attempt_id),
        customer: { id: customer.id, email: customer.email },
        signal,
      }),
  });
}
