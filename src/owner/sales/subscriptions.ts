import { z } from "zod";
import type { Page } from "../../contract/routes.ts";
import type { Subscription } from "../../contract/schemas.ts";
import { check, refuse } from "../../input/check.ts";
import { foreignId, moment } from "../../input/fields.ts";
import { renderSubscription } from "../../rules/subscriptions/render-subscription.ts";
import {
  monthlyAmount,
  type SubscriptionSum,
} from "../../rules/subscriptions/subscription-sums.ts";
import type { OwnerContext } from "../context.ts";
import { requireKnownStore } from "../known-store.ts";
import { listFields, present, readIdListing, readListing } from "../listing.ts";

const OwnerSubscriptionListInput = z.strictObject({
  ...listFields,
  status: z.enum(["active", "past_due", "canceled"]).nullish(),
  customer_id: foreignId.nullish(),
  /** A `Date`, milliseconds since 1970, or ISO 8601 text with an offset. */
  renews_before: moment.nullish(),
});
/**
 * Selects the subscriptions of a list. A filter that is left out, or null, lists
 * all. `renews_before` stands alone, without `status` and `customer_id`.
 */
export interface OwnerSubscriptionListInput extends z.input<typeof OwnerSubscriptionListInput> {}

/** Reads the subscriptions of a store, by filters. */
export interface OwnerSubscriptions {
  /**
   * Lists subscriptions, the newest first by id: all of a store and mode, or those
   * of a status or a customer. With `renews_before` it lists those whose next
   * period is to be charged before that time, the first one due in front: active
   * and past due ones that do not end with their period. Throws `parameter_invalid`
   * and `invalid_cursor`.
   */
  list(input: OwnerSubscriptionListInput): Promise<Page<Subscription>>;
  /**
   * Counts the subscriptions of a store and mode as they are now, and adds up what they bring
   * in a month. It reads all that have not ended. Throws `resource_not_found` for an unknown store.
   */
  summary(where: SubscriptionSummaryInput): Promise<SubscriptionSummary>;
}

const SubscriptionSummaryInput = z.strictObject({ store_id: foreignId, livemode: z.boolean() });
/** Names a store and mode. */
export interface SubscriptionSummaryInput extends z.input<typeof SubscriptionSummaryInput> {}

/** The subscriptions of a store, each counted in one of four states, and what they bring. */
export interface SubscriptionSummary {
  readonly active: number;
  readonly past_due: number;
  /** Those that end with their period. */
  readonly ending: number;
  readonly paused: number;
  /**
   * What active and past due ones bring in a month, in minor units: a year is twelve months, a
   * month 52/12 weeks or 365/12 days. Only the currencies in which there is one, by their codes.
   */
  readonly monthly: readonly { readonly currency: string; readonly amount: number }[];
}

type Query = z.output<typeof OwnerSubscriptionListInput>;

export const createSubscriptions = (ctx: OwnerContext): OwnerSubscriptions => ({
  async summary(where) {
    const partition = check(SubscriptionSummaryInput, where);
    await requireKnownStore(ctx, partition.store_id);
    return summed(await ctx.storage.stats.sumSubscriptions(partition));
  },

  async list(input) {
    const query = check(OwnerSubscriptionListInput, input);
    return query.renews_before == null
      ? listNewest(ctx, query)
      : listDue(ctx, query, query.renews_before);
  },
});

function summed(sums: readonly SubscriptionSum[]): SubscriptionSummary {
  const countOf = (counts: (sum: SubscriptionSum) => boolean): number =>
    sums.filter(counts).reduce((all, { count }) => all + count, 0);
  const goesOn = ({ ending, paused }: SubscriptionSum): boolean => !ending && !paused;

  const monthly = new Map<string, number>();
  for (const sum of sums.filter(goesOn))
    monthly.set(sum.currency, (monthly.get(sum.currency) ?? 0) + monthlyAmount(sum));
  return {
    active: countOf((sum) => goesOn(sum) && sum.status === "active"),
    past_due: countOf((sum) => goesOn(sum) && sum.status === "past_due"),
    ending: countOf(({ ending }) => ending),
    paused: countOf(({ ending, paused }) => paused && !ending),
    monthly: [...monthly]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, amount]) => ({ currency, amount })),
  };
}

function listNewest(ctx: OwnerContext, query: Query): Promise<Page<Subscription>> {
  const { store_id, livemode, status, customer_id } = query;
  const { orders } = ctx.storage;
  const partition = { store_id, livemode };
  const filters = { ...partition, ...present({ status, customer_id }) };

  return readIdListing(ctx, query, {
    find: (id) => orders.find("subscription", partition, id),
    read: (after, limit) => orders.listSubscriptions({ ...filters, ...present({ after }), limit }),
    render: renderSubscription,
  });
}

async function listDue(
  ctx: OwnerContext,
  query: Query,
  before: number,
): Promise<Page<Subscription>> {
  for (const name of ["status", "customer_id"] as const)
    if (query[name] != null) refuse(name, "cannot stand beside renews_before");

  const { store_id, livemode } = query;
  return readListing(ctx, query, {
    name: "due subscriptions",
    read: (place, limit) =>
      ctx.storage.lists.listDue({
        store_id,
        livemode,
        before,
        ...(place && { after: { current_period_end: place.position, id: place.id } }),
        limit,
      }),
    placeOf: ({ current_period_end, id }) => ({ position: current_period_end, id }),
    render: renderSubscription,
  });
}
