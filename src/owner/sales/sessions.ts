import { z } from "zod";
import type { Page } from "../../contract/routes.ts";
import type { CheckoutSessionDetails } from "../../contract/schemas.ts";
import { check } from "../../input/check.ts";
import { renderSessionDetails } from "../../rules/catalog/render.ts";
import type { SessionWithOrder } from "../../rules/checkout/checkout-records.ts";
import { sessionStatuses } from "../../rules/owner/list-records.ts";
import type { OwnerContext } from "../context.ts";
import { ageOrder, createdFields, listFields, present, rangeOf, readListing } from "../listing.ts";

const SessionListInput = z.strictObject({
  ...listFields,
  ...createdFields,
  status: z.enum(sessionStatuses).nullish(),
});
/** Selects the sessions of a list. A filter that is left out, or null, lists all. */
export interface SessionListInput extends z.input<typeof SessionListInput> {}

/** A checkout session without the address of its page, which would let its reader pay. */
export interface OwnerSession extends Omit<CheckoutSessionDetails, "checkout_url"> {
  /**
   * The buyer of the token that came with the request. It is null without a
   * token.
   */
  readonly customer_id: string | null;
  /** The agent that made it, as in `OwnerOrder`. */
  readonly channel: string | null;
}

/** Reads the checkout sessions of a store. */
export interface OwnerSessions {
  /**
   * Lists the checkout sessions of a store and mode by id, the newest first. `sort: "oldest"`
   * reverses the list. Filters limit it to a status or a span of time. A session without an order
   * is kept for 30 days after its end. Throws `parameter_invalid` for a wrong filter, and
   * `invalid_cursor` for a cursor from a list with other filters.
   */
  list(input: SessionListInput): Promise<Page<OwnerSession>>;
}

export function renderOwnerSession(
  { session, order }: SessionWithOrder,
  now: number,
): OwnerSession {
  const details = renderSessionDetails(session, { order, checkout_url: null, now });
  const { checkout_url: _, ...shown } = details;
  return { ...shown, customer_id: session.customer_id, channel: session.channel ?? null };
}

export const createSessions = (ctx: OwnerContext): OwnerSessions => ({
  async list(input) {
    const query = check(SessionListInput, input);
    const { store_id, livemode, status } = query;
    const { now } = await ctx.clock.of(query);
    const range = { ...rangeOf(query), ...ageOrder(query) };
    const filters = { store_id, livemode, now, ...range, ...present({ status }) };

    return readListing(ctx, query, {
      name: "sessions",
      read: (place, limit) =>
        ctx.storage.lists.listSessions({
          ...filters,
          ...(place && { after: place.id }),
          limit,
        }),
      placeOf: ({ session }) => ({ position: session.created_at, id: session.id }),
      render: (row) => renderOwnerSession(row, now),
    });
  },
});
