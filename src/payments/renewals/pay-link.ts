import { fail } from "../../contract/errors.ts";
import { dayMs } from "../../domain/durations.ts";
import { iso } from "../../domain/text/iso.ts";
import { matchReturnUrl, parseReturnUrl } from "../../domain/url-rules.ts";
import { check, checkId, refuse } from "../../input/check.ts";
import { optionsField } from "../../rules/catalog/groups/product-options.ts";
import type { IdempotencyKey } from "../../rules/checkout/key-state.ts";
import { keyLifetimeMs } from "../../rules/checkout/lifetimes.ts";
import type { SubscriptionRecord } from "../../rules/payments/payment-records.ts";
import type { SessionRecord } from "../../rules/records.ts";
import { isEnding, sellsPeriod } from "../../rules/subscriptions/subscription-record.ts";
import type { PaymentContext } from "../context.ts";
import { PayLinkInput } from "../inputs.ts";
import type { PayLink } from "../subscriptions.ts";

export const linkLifetimeMs = 14 * dayMs;

/** Makes the session of a period, or gives the one that was made for it. */
export async function payLink(
  ctx: PaymentContext,
  subscription_id: string,
  input: PayLinkInput,
): Promise<PayLink> {
  const { success_url, cancel_url, ...partition } = check(PayLinkInput, input);
  if (ctx.checkoutUrls.build)
    return fail("invalid_option", {
      param: "checkout",
      message: "payLink needs this library's checkout page: leave out `checkout.url`.",
    });

  const id = checkId("subscription_id", subscription_id);
  const subscription = await ctx.storage.orders.find("subscription", partition, id);
  if (!subscription) return fail("resource_not_found");
  if (isEnding(subscription))
    return fail("invalid_transition", {
      message: "The subscription is canceled, or ends with its current period.",
    });

  const urls = {
    success_url: readUrl("success_url", success_url),
    cancel_url: readUrl("cancel_url", cancel_url ?? success_url),
  };
  const { now } = await ctx.clock.of(partition);
  const session = await storeSession(
    ctx,
    subscription,
    sessionOf(ctx, subscription, { ...urls, now }),
  );
  return {
    url: await ctx.checkoutUrls.address(session),
    expires_at: iso(session.expires_at),
  };
}

/** Reads an address of the host's choice. Unlike a registered one it may have a query. */
function readUrl(param: string, url: string): string {
  const registered = parseReturnUrl(url.split(/[?#]/, 1)[0]);
  const read = registered && matchReturnUrl(url, [registered]);
  return read ?? refuse(param, "must be an https address, or one of http://localhost");
}

/** Stores the session under a key of its period, so that two calls of one price make one link. */
async function storeSession(
  ctx: PaymentContext,
  subscription: SubscriptionRecord,
  session: SessionRecord,
): Promise<SessionRecord> {
  const { store_id, livemode, renews, created_at } = session;
  const idempotency_key = `${renews?.subscription_id}.${renews?.period_start}`;
  const operation = "payLink";
  const scope = { store_id, livemode, key_kind: "secret", operation, idempotency_key } as const;
  const realNow = ctx.now();

  const stored = await ctx.storage.checkout.step({ step: "payLink", scope }, (found) => {
    const isLive = found.key !== null && found.key.created_at > realNow - keyLifetimeMs;
    const known = isLive ? found.session : null;
    const isOpen = known?.status === "open" && created_at < known.expires_at;
    if (known && isOpen && sellsPeriod(subscription, known))
      return { result: known, key: null, session: null, is_new_session: false };
    return { result: session, key: keyOf(session, realNow), session, is_new_session: true };
  });
  if ("outcome" in stored) throw new Error("A pay link counts for no limit of sessions.");
  return stored;
}

const keyOf = (session: SessionRecord, created_at: number): IdempotencyKey => ({
  fingerprint: "payLink",
  session_id: session.id,
  reply: null,
  lock_token: null,
  locked_until: 0,
  created_at,
});

interface LinkTerms extends Pick<SessionRecord, "success_url" | "cancel_url"> {
  readonly now: number;
}

function sessionOf(
  ctx: PaymentContext,
  subscription: SubscriptionRecord,
  { now, ...urls }: LinkTerms,
): SessionRecord {
  const { amount, customer, interval, interval_count } = subscription;
  return {
    store_id: subscription.store_id,
    livemode: subscription.livemode,
    id: ctx.newId("cs"),
    status: "open",
    payment_status: "unpaid",
    created_at: now,
    expires_at: now + linkLifetimeMs,
    currency: subscription.currency,
    amount_subtotal: amount,
    amount_discount: 0,
    amount_total: amount,
    lines: [
      {
        id: ctx.newId("li"),
        product_id: subscription.product_id,
        product_slug: subscription.product_slug,
        name: subscription.product_name,
        image_url: subscription.image_url,
        quantity: subscription.quantity,
        unit_amount: subscription.unit_amount,
        amount_subtotal: amount,
        amount_discount: 0,
        amount_total: amount,
        variables: subscription.variables,
        ...optionsField(subscription),
        recurring: { interval, interval_count },
      },
    ],
    coupon_id: null,
    coupon_code: null,
    email: customer.email,
    discord_id: customer.discord_id,
    customer_id: customer.id,
    ...urls,
    metadata: subscription.metadata,
    seal_key_id: ctx.checkoutUrls.sealKeyId,
    checkout_url: null,
    renews: {
      subscription_id: subscription.id,
      period_start: subscription.current_period_end,
    },
  };
}
