import { z } from "zod";
import type { Page } from "../../contract/routes.ts";
import { type Subscription, subscriptionStatuses } from "../../contract/schemas.ts";
import { dayMs, hourMs } from "../../domain/durations.ts";
import { check, refuse } from "../../input/check.ts";
import { foreignId, moment } from "../../input/fields.ts";
import { type StatChange, startOfHour } from "../../rules/owner/stats.ts";
import { renderSubscription } from "../../rules/subscriptions/render-subscription.ts";
import {
  monthlyAmount,
  type SubscriptionSum,
} from "../../rules/subscriptions/subscription-sums.ts";
import type { OwnerContext } from "../context.ts";
import { requireKnownStore } from "../known-store.ts";
import { ageOrder, listFields, present, readIdListing, readListing } from "../listing.ts";

const OwnerSubscriptionListInput = z.strictObject({
  ...listFields,
  status: z.enum(subscriptionStatuses).nullish(),
  customer_id: foreignId.nullish(),
  /** A `Date`, milliseconds since 1970, or ISO 8601 text with an offset. */
  renews_before: moment.nullish(),
});
/**
 * Selects the subscriptions of a list. A filter that is left out, or null, lists
 * all. `renews_before` stands alone, without `status`, `customer_id` and `sort`.
 */
export interface OwnerSubscriptionListInput extends z.input<typeof OwnerSubscriptionListInput> {}

/** Reads the subscriptions of a store, by filters. */
export interface OwnerSubscriptions {
  /**
   * Lists subscriptions by id, the newest first (`sort: "oldest"` reverses it): all of a store and
   * mode, or those of a status or a customer. With `renews_before` it lists those whose next
   * period is to be charged before that time, the first one due in front: trialing,
   * active and past due ones that do not end with their period. Throws `parameter_invalid`
   * and `invalid_cursor`.
   */
  list(input: OwnerSubscriptionListInput): Promise<Page<Subscription>>;
  /**
   * Counts the subscriptions of a store and mode as they are now, adds up what they bring in a
   * month, and tells what the last 30 days have changed. It reads all that have not ended. Throws
   * `resource_not_found` for an unknown store.
   */
  summary(where: SubscriptionSummaryInput): Promise<SubscriptionSummary>;
}

const SubscriptionSummaryInput = z.strictObject({ store_id: foreignId, livemode: z.boolean() });
/** Names a store and mode. */
export interface SubscriptionSummaryInput extends z.input<typeof SubscriptionSummaryInput> {}

/** The subscriptions of a store, each counted in one of five states, and what they bring. */
export interface SubscriptionSummary {
  /** Those whose buyer pays nothing yet. */
  readonly trialing: number;
  readonly active: number;
  readonly past_due: number;
  /** Those that end with their period. */
  readonly ending: number;
  readonly paused: number;
  /**
   * What active and past due subscriptions bring in a month, in minor units of each currency that
   * they have, sorted by its code. A year counts as 12 months, and a month as 52/12 weeks or 365/12
   * days.
   */
  readonly monthly: readonly { readonly currency: string; readonly amount: number }[];
  readonly last_30_days: SubscriptionMovement;
}

/** What has changed in the last 30 days, in whole UTC hours. */
export interface SubscriptionMovement {
  /** Counts the subscriptions that have begun. */
  readonly started: number;
  /** Counts the subscriptions that have ended, whoever ended them. */
  readonly ended: number;
  /**
   * The share of `ended` in the subscriptions that there were 30 days ago, from 0 to 1. Null when
   * there was none.
   */
  readonly churn: number | null;
  /**
   * The periods that were past due and have been paid after all, in minor units. Only the
   * currencies in which there is one, by their codes.
   */
  readonly recovered: readonly {
    readonly currency: string;
    readonly count: number;
    readonly amount: number;
  }[];
}

type Query = z.output<typeof OwnerSubscriptionListInput>;

export const createSubscriptions = (ctx: OwnerContext): OwnerSubscriptions => ({
  async summary(where) {
    const partition = check(SubscriptionSummaryInput, where);
    await requireKnownStore(ctx, partition.store_id);
    const sums = await ctx.storage.stats.sumSubscriptions(partition);
    const to = startOfHour((await ctx.clock.of(partition)).now) + hourMs;
    const range = { ...partition, from: to - movementMs, to };
    const { rows } = await ctx.storage.stats.listHours(range);
    const running = sums.reduce((all, { count }) => all + count, 0);
    return { ...summed(sums), last_30_days: moved(rows, running) };
  },

  async list(input) {
    const query = check(OwnerSubscriptionListInput, input);
    return query.renews_before == null
      ? listNewest(ctx, query)
      : listDue(ctx, query, query.renews_before);
  },
});

const movementMs = 30 * dayMs;

/** Adds up what has changed. `running` counts the subscriptions that have not ended by now. */
function moved(rows: readonly StatChange[], running: number): SubscriptionMovement {
  const countOf = (kind: StatChange["kind"]): number =>
    rows.reduce((all, row) => all + (row.kind === kind ? row.count : 0), 0);
  const started = countOf("subscription_started");
  const ended = countOf("subscription_ended");
  const before = running - started + ended;

  const recovered = new Map<string, { readonly count: number; readonly amount: number }>();
  for (const { kind, currency, count, amount } of rows) {
    if (kind !== "period_recovered") continue;
    const known = recovered.get(currency) ?? { count: 0, amount: 0 };
    recovered.set(currency, { count: known.count + count, amount: known.amount + amount });
  }
  return {
    started,
    ended,
    churn: before > 0 ? Math.min(ended / before, 1) : null,
    recovered: [...recovered]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, sum]) => ({ currency, ...sum })),
  };
}

function summed(sums: readonly SubscriptionSum[]): Omit<SubscriptionSummary, "last_30_days"> {
  const countOf = (counts: (sum: SubscriptionSum) => boolean): number =>
    sums.filter(counts).reduce((all, { count }) => all + count, 0);
  const goesOn = ({ ending, paused }: SubscriptionSum): boolean => !ending && !paused;

  const monthly = new Map<string, number>();
  for (const sum of sums.filter((each) => goesOn(each) && each.status !== "trialing"))
    monthly.set(sum.currency, (monthly.get(sum.currency) ?? 0) + monthlyAmount(sum));
  return {
    trialing: countOf((sum) => goesOn(sum) && sum.status === "trialing"),
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
  const filters = { ...partition, ...ageOrder(query), ...present({ status, customer_id }) };

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
  for (const name of ["status", "customer_id", "sort"] as const)
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
