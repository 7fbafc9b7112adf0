import { fail } from "../contract/errors.ts";
import { matchReturnUrl } from "../domain/url-rules.ts";
import { takesLocalhost } from "../rules/checkout/accepted-origin.ts";
import { sessionLifetimeMs } from "../rules/checkout/lifetimes.ts";
import type { AccessRecord, SessionRecord } from "../rules/records.ts";
import { partitionOf } from "./caller.ts";
import { priceGoods } from "./goods.ts";
import type { IdempotentCall, IdempotentHandler } from "./operation.ts";
import type { PricedGoods } from "./wanted-goods.ts";

/**
 * Drafts the session of a cart: the amounts come from the stored products alone,
 * never from the request. The caller writes the draft together with its idempotency
 * key.
 */
export const createCheckoutSession: IdempotentHandler<"createCheckoutSession"> = async (call) => {
  const { body } = call.input;
  const urls = readReturnUrls(body, call.caller.access);
  const { items, coupon_code = null, trial = true } = body;
  const partition = partitionOf(call.caller);
  const goods = await priceGoods({ ...call, partition }, { items, coupon_code, trial });
  return draftOf(call, urls, goods);
};

interface ReturnUrls {
  readonly success_url: string;
  readonly cancel_url: string;
}

function readReturnUrls({ success_url, cancel_url }: ReturnUrls, access: AccessRecord): ReturnUrls {
  const read = (url: string, param: string): string =>
    matchReturnUrl(url, access.return_urls, takesLocalhost(access)) ??
    fail("redirect_url_not_allowed", { param });

  return {
    success_url: read(success_url, "success_url"),
    cancel_url: read(cancel_url, "cancel_url"),
  };
}

function draftOf(
  { ctx, caller, input, now }: IdempotentCall<"createCheckoutSession">,
  urls: ReturnUrls,
  { coupon, priced, lines }: PricedGoods,
): SessionRecord {
  const { customer, metadata } = input.body;
  const { store_id, livemode } = partitionOf(caller);
  // Every field is named, because V8 builds an object that begins with a spread a microsecond
  // slower for each field.
  const session: SessionRecord = {
    store_id,
    livemode,
    id: ctx.newId("cs"),
    status: "open",
    payment_status: "unpaid",
    created_at: now,
    expires_at: now + sessionLifetimeMs,
    currency: priced.currency,
    amount_subtotal: priced.amount_subtotal,
    amount_discount: priced.amount_discount,
    amount_total: priced.amount_total,
    lines,
    coupon_id: coupon?.id ?? null,
    coupon_code: coupon?.code ?? null,
    email: customer?.email ?? null,
    discord_id: customer?.discord_id ?? null,
    customer_id: caller.buyer?.customer_id ?? null,
    success_url: urls.success_url,
    cancel_url: urls.cancel_url,
    metadata: metadata ?? {},
    seal_key_id: ctx.checkoutUrls.build ? null : ctx.checkoutUrls.sealKeyId,
    checkout_url: null,
  };
  return caller.channel === undefined ? session : { ...session, channel: caller.channel };
}
