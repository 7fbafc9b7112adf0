import { fail } from "../contract/errors.ts";
import type { Order, Subscription } from "../contract/schemas.ts";
import { check, checkId } from "../input/check.ts";
import type { Renewal } from "../rules/order-commands.ts";
import { renderOrder, renderSubscription } from "../rules/render.ts";
import {
  afterStep,
  eventIds,
  orderStore,
  type PaymentContext,
  type StepOptions,
} from "./context.ts";
import {
  CancelInput,
  PartitionInput,
  RenewalFailedInput,
  RenewInput,
  SubscriptionListInput,
} from "./inputs.ts";

export interface RenewalOutcome {
  readonly subscription: Subscription;
  /** The order of the period. */
  readonly order: Order;
}

/** The host charges what recurs, when `current_period_end` comes, and tells it here. Every call names the subscription's store and mode. */
export interface SubscriptionService {
  retrieve(subscription_id: string, partition: PartitionInput): Promise<Subscription>;
  /** Newest first. */
  list(input: SubscriptionListInput): Promise<{
    readonly data: readonly Subscription[];
    readonly has_more: boolean;
    readonly next_cursor: string | null;
  }>;
  /**
   * The period from `period_start` (= `current_period_end`) is paid: its order, `order.paid` and `subscription.renewed` are written. Idempotent by the
   * period. Throws `payment_mismatch`, `parameter_invalid` for another period, `invalid_transition` once it is canceled.
   */
  renew(subscription_id: string, input: RenewInput, options?: StepOptions): Promise<RenewalOutcome>;
  /** The period's payment failed: `order.failed`, the subscription is `past_due`. A later `renew` of the same period mends it. */
  fail(
    subscription_id: string,
    input: RenewalFailedInput,
    options?: StepOptions,
  ): Promise<RenewalOutcome>;
  /** At the end of the paid period (`runMaintenance()` then writes `subscription.canceled`), or now. Repeats change nothing. */
  cancel(subscription_id: string, input: CancelInput, options?: StepOptions): Promise<Subscription>;
}

export function createSubscriptionService(ctx: PaymentContext): SubscriptionService {
  const { orders } = ctx.storage;

  const report = async (
    renewal: Omit<Renewal, "ids" | "attempt_id" | "now">,
    options: StepOptions,
  ): Promise<RenewalOutcome> => {
    const result = await orderStore(ctx, options).renew({
      ...renewal,
      subscription_id: checkId("subscription_id", renewal.subscription_id),
      attempt_id: ctx.newId("pay"),
      ids: { ...eventIds(ctx), order: ctx.newId("ord"), items: [ctx.newId("oi")] },
      now: ctx.now(),
    });
    switch (result.outcome) {
      case "unknown_subscription":
        return fail("resource_not_found");
      case "invalid_transition":
        return fail("invalid_transition", {
          message: "The subscription is canceled, or ends with its current period.",
        });
      case "unknown_period":
        return fail("parameter_invalid", {
          param: "period_start",
          message: "period_start must be the subscription's current_period_end.",
        });
      case "mismatch":
        return fail("payment_mismatch", {
          param: renewal.amount === result.subscription.amount ? "currency" : "amount",
        });
      default:
        await afterStep(
          ctx,
          { store_id: renewal.store_id, livemode: renewal.livemode },
          null,
          options,
        );
        return {
          subscription: renderSubscription(result.subscription),
          order: renderOrder(result.order),
        };
    }
  };

  return {
    async retrieve(subscription_id, where) {
      const found = await orders.findSubscription(
        check(PartitionInput, where),
        checkId("subscription_id", subscription_id),
      );
      return found ? renderSubscription(found) : fail("resource_not_found");
    },
    async list(input) {
      const { limit, starting_after, customer_id, status, ...partition } = check(
        SubscriptionListInput,
        input,
      );
      const most = limit ?? 20;
      const found = await orders.listSubscriptions({
        ...partition,
        limit: most,
        ...(customer_id == null ? {} : { customer_id }),
        ...(status == null ? {} : { status }),
        ...(starting_after == null ? {} : { after: starting_after }),
      });
      const page = found.slice(0, most);
      const has_more = found.length > most;
      return {
        data: page.map(renderSubscription),
        has_more,
        next_cursor: has_more ? (page.at(-1)?.id ?? null) : null,
      };
    },
    renew(subscription_id, input, options = {}) {
      const { period_start, ...payment } = check(RenewInput, input);
      return report(
        {
          ...payment,
          subscription_id,
          period_start: Date.parse(period_start),
          paid: true,
          failure_code: "declined",
        },
        options,
      );
    },
    fail(subscription_id, input, options = {}) {
      const { period_start, failure_code, ...rest } = check(RenewalFailedInput, input);
      const failed = {
        paid: false,
        failure_code: failure_code ?? "declined",
        amount: null,
        currency: null,
      } as const;
      return report(
        { ...rest, ...failed, subscription_id, period_start: Date.parse(period_start) },
        options,
      );
    },
    async cancel(subscription_id, input, options = {}) {
      const { at_period_end, ...partition } = check(CancelInput, input);
      const when = at_period_end === false ? "now" : "at_period_end";
      const result = await orderStore(ctx, options).cancelSubscription({
        ...partition,
        subscription_id: checkId("subscription_id", subscription_id),
        when,
        ids: eventIds(ctx),
        now: ctx.now(),
      });
      if (result.outcome === "unknown_subscription") return fail("resource_not_found");
      await afterStep(ctx, partition, null, options);
      return renderSubscription(result.subscription);
    },
  };
}
