import type { SessionRecord } from "./records.ts";

/** What a client sent to get a checkout session. */
export interface SentRequest {
  readonly body: unknown;
  /** The buyer of the token that came with it. */
  readonly customer_id: string | null;
}

/** A request by which the session can have been made: it keeps all that counted in it. */
export const sentFor = (session: SessionRecord): SentRequest => ({
  body: {
    items: session.lines.map(({ product_id, quantity, variables }) => ({
      product_id,
      quantity,
      variables,
    })),
    success_url: session.success_url,
    cancel_url: session.cancel_url,
    customer: { email: session.email, discord_id: session.discord_id },
    coupon_code: session.coupon_code,
    metadata: session.metadata,
  },
  customer_id: session.customer_id,
});
