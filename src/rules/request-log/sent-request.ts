import type { SessionRecord } from "../records.ts";

/** The data that a client sent to get a checkout session. */
export interface SentRequest {
  readonly body: unknown;
  /** The token of this buyer came with the request. */
  readonly customer_id: string | null;
}

/**
 * Gives a request that could have made the session. It holds everything in the
 * request that mattered.
 */
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
