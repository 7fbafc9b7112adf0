import { isApiError } from "../../contract/errors.ts";
import { erasedCustomerId } from "../../rules/owner/erased-customer.ts";
import type {
  SavedMethodRecord,
  SubscriptionRecord,
} from "../../rules/payments/payment-records.ts";
import type { Partition } from "../../rules/records.ts";
import { noteForgotten } from "../../steps/subscription-steps.ts";
import type { PaymentContext } from "../context.ts";
import { findGateway } from "../gateway/find-gateway.ts";
import { askGateway } from "../gateway/gateway-calls.ts";

const perPage = 100;

/**
 * Finds the subscriptions of a customer who is to be erased, in both modes of the store. The
 * function that it gives has the gateways forget what they keep, once the erasure is written: it
 * still knows by which name the provider has the customer. What fails, or what a process that dies
 * leaves, stays noted in the subscriptions, and maintenance asks again.
 */
export async function forgetErased(
  ctx: PaymentContext,
  store_id: string,
  customer_id: string,
): Promise<() => Promise<void>> {
  const known: SubscriptionRecord[] = [];
  for (const livemode of [true, false])
    for await (const subscription of subscriptionsOf(ctx, { store_id, livemode }, customer_id))
      if (subscription.renewal ?? subscription.forget) known.push(subscription);

  return async () => {
    for (const { customer, ...named } of known) {
      const erased = await ctx.storage.orders.find("subscription", named, named.id);
      // An erasure that takes long is still under way: maintenance forgets behind it.
      if (erased?.forget && isErased(erased)) await forgetDue(ctx, { ...erased, customer });
    }
  };
}

const isErased = ({ customer }: SubscriptionRecord): boolean => customer.id === erasedCustomerId;

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

/**
 * Has the gateways forget the methods that the subscription no longer uses, and notes the result.
 * If the process dies in between, the next one does it again: forgetting twice is no error.
 */
export async function forgetDue(
  ctx: PaymentContext,
  subscription: SubscriptionRecord,
): Promise<void> {
  const { store_id, livemode, id } = subscription;
  // Nothing of an erased buyer is in use, and nobody knows which subscriptions were theirs.
  const inUse = isErased(subscription)
    ? new Set<string>()
    : await referencesInUse(ctx, subscription);

  const attempt_ids: string[] = [];
  for (const method of subscription.forget?.methods ?? []) {
    const saved_reference = await openReference(ctx, method);
    const isKept = saved_reference === null || inUse.has(nameOf(method, saved_reference));
    if (isKept || (await forgetOne(ctx, subscription, { ...method, saved_reference })))
      attempt_ids.push(method.attempt_id);
  }
  const done = { store_id, livemode, subscription_id: id, attempt_ids, now: ctx.now() };
  await noteForgotten(ctx.storage.orders, done);
}

/** Gives null for a reference whose seal key has left the ring: nobody can name it any more. */
async function openReference(
  { keyRing, onError }: PaymentContext,
  { sealed_reference, attempt_id }: SavedMethodRecord,
): Promise<string | null> {
  try {
    return await keyRing.unseal(sealed_reference, attempt_id);
  } catch (error) {
    if (!isApiError(error)) throw error;
    onError(error, "maintenance");
    return null;
  }
}

const nameOf = ({ gateway, account }: SavedMethodRecord, reference: string): string =>
  JSON.stringify([gateway, account, reference]);

/** A provider may know a means of payment that the buyer gave twice by one id. */
async function referencesInUse(
  ctx: PaymentContext,
  { store_id, livemode, customer }: SubscriptionRecord,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const all = subscriptionsOf(ctx, { store_id, livemode }, customer.id);
  for await (const { status, renewal } of all) {
    if (!renewal || status === "canceled") continue;
    const reference = await openReference(ctx, renewal.saved);
    if (reference !== null) names.add(nameOf(renewal.saved, reference));
  }
  return names;
}

interface KnownMethod extends SavedMethodRecord {
  readonly saved_reference: string;
}

/** Gives true once nothing is left to forget. `askGateway` reports a failure. */
async function forgetOne(
  ctx: PaymentContext,
  { store_id, livemode, customer }: SubscriptionRecord,
  { saved_reference, account, attempt_id, gateway: name }: KnownMethod,
): Promise<boolean> {
  const gateway = findGateway(ctx, name, livemode);
  if (!gateway) return false;
  if (!gateway.forgetSaved) return true;

  const answer = await askGateway(ctx, gateway, {
    subject: attempt_id,
    ask: async (signal) => {
      const { id, email } = customer;
      const query = { store_id, account, saved_reference, customer: { id, email }, signal };
      await gateway.forgetSaved?.(query);
    },
  });
  return answer !== null;
}
