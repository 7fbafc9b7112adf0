import { fail } from "../contract/errors.ts";
import { defaultPageSize, type Page } from "../contract/routes.ts";
import type { Order, Subscription } from "../contract/schemas.ts";
import { check, checkId } from "../input/check.ts";
import { pageOf } from "../owner/page.ts";
import { renderOrder, renderSubscription } from "../rules/catalog/render.ts";
import type { Renewal, RenewalResult } from "../rules/subscriptions/subscription-commands.ts";
import { cancelSubscription, renew } from "../steps/subscription-steps.ts";
import { afterStep, eventIds, type PaymentContext, type StepOptions, stepsOf } from "./context.ts";
import {
  CancelInput,
  PartitionInput,
  RenewalFailedInput,
  RenewInput,
  SubscriptionListInput,
} from "./inputs.ts";
import { refuseTakenReference } from "./taken-reference.ts";

/** A subscription after the payment of a period was reported. */
export interface RenewalOutcome {
  readonly subscription: Subscription;
  /**
   * The order of the period. For money that came after the end of the
   * subscription, it is the subscription's latest order.
   */
  readonly order: Order;
}

/**
 * Manages subscriptions. The host charges the buyer at `current_period_end`, and then
 * calls this service with the result. Each call names a store and a mode. It throws
 * `resource_not_found` when the subscription belongs to another store or mode.
 */
export interface SubscriptionService {
  /**
   * Reads a subscription. Throws `resource_not_found` for a subscription of another
   * store or mode.
   */
  retrieve(subscription_id: string, partition: PartitionInput): Promise<Subscription>;

  /** Lists subscriptions, the newest first. */
  list(input: SubscriptionListInput): Promise<Page<Subscription>>;

  /**
   * Reports that the period that begins at `period_start` is paid. It writes the
   * period's order with `order.paid` and `subscription.renewed`, once for a period.
   * Throws `payment_mismatch`, and `parameter_invalid` when `period_start` is not
   * `current_period_end`.
   *
   * Money that no period needs is never refused. Another reference for a paid
   * period is a duplicate, whatever its amount (alert `duplicate_payment`). Money
   * for a period after the end is one of the latest order (`payment_after_end`).
   * `orders.listPayments` lists both, and `orders.returnPayment` sends them back.
   */
  renew(subscription_id: string, input: RenewInput, options?: StepOptions): Promise<RenewalOutcome>;

  /**
   * Reports that the payment of the period failed: it writes `order.failed`, and
   * the subscription becomes `past_due`. A later `renew` of the same period makes
   * it active again. Throws `invalid_transition` once the subscription is canceled
   * or ends with its current period.
   */
  fail(
    subscription_id: string,
    input: RenewalFailedInput,
    options?: StepOptions,
  ): Promise<RenewalOutcome>;

  /**
   * Cancels the subscription now, or at the end of the paid period:
   * `runMaintenance()` writes `subscription.canceled` then. A repeat changes
   * nothing.
   */
  cancel(subscription_id: string, input: CancelInput, options?: StepOptions): Promise<Subscription>;
}

export function createSubscriptionService(ctx: PaymentContext): SubscriptionService {
  const { orders } = ctx.storage;

  return {
    async retrieve(subscription_id, where) {
      const partition = check(PartitionInput, where);
      const id = checkId("subscription_id", subscription_id);

      const found = await orders.find("subscription", partition, id);
      return found ? renderSubscription(found) : fail("resource_not_found");
    },

    async list(input) {
      const checked = check(SubscriptionListInput, input);
      const { limit, starting_after, customer_id, status, ...partition } = checked;
      const size = limit ?? defaultPageSize;

      const found = await orders.listSubscriptions({
        ...partition,
        limit: size,
        ...(customer_id == null ? {} : { customer_id }),
        ...(status == null ? {} : { status }),
        ...(starting_after == null ? {} : { after: starting_after }),
      });
      return pageOf(found, size, renderSubscription);
    },

    renew(subscription_id, input, options = {}) {
      const { period_start, ...payment } = check(RenewInput, input);

      const renewal = {
        ...payment,
        subscription_id,
        period_start: Date.parse(period_start),
        paid: true,
        failure_code: "declined",
      } as const;
      return reportPeriod(ctx, renewal, options);
    },

    fail(subscription_id, input, options = {}) {
      const { period_start, failure_code, needs_buyer, ...rest } = check(RenewalFailedInput, input);

      const renewal = {
        ...rest,
        subscription_id,
        period_start: Date.parse(period_start),
        paid: false,
        failure_code: failure_code ?? "declined",
        needs_buyer: needs_buyer ?? false,
        amount: null,
        currency: null,
      };
      return reportPeriod(ctx, renewal, options);
    },

    async cancel(subscription_id, input, options = {}) {
      const { at_period_end, ...partition } = check(CancelInput, input);

      const result = await cancelSubscription(stepsOf(ctx, options), {
        ...partition,
        subscription_id: checkId("subscription_id", subscription_id),
        when: at_period_end === false ? "now" : "at_period_end",
        ids: eventIds(ctx),
        now: ctx.now(),
      });
      if (result.outcome === "unknown_subscription") return fail("resource_not_found");

      await afterStep(ctx, partition, null, options);
      return renderSubscription(result.subscription);
    },
  };
}

/** Writes the result of a period's payment. */
async function reportPeriod(
  ctx: PaymentContext,
  renewal: Omit<Renewal, "ids" | "attempt_id" | "now">,
  options: StepOptions,
): Promise<RenewalOutcome> {
  const result = await renew(stepsOf(ctx, options), {
    ...renewal,
    subscription_id: checkId("subscription_id", renewal.subscription_id),
    attempt_id: ctx.newId("pay"),
    ids: { ...eventIds(ctx), order: ctx.newId("ord"), items: [ctx.newId("oi")] },
    now: ctx.now(),
  });
  if (isRefused(result)) return refuseRenewal(result, renewal.amount);

  const { store_id, livemode } = renewal;
  await afterStep(ctx, { store_id, livemode }, null, options);

  const { subscription, order } = result;
  return { subscription: renderSubscription(subscription), order: renderOrder(order) };
}

type RefusedRenewal = Exclude<RenewalResult, { readonly order: unknown }>;

const isRefused = (result: RenewalResult): result is RefusedRenewal => !("order" in result);

function refuseRenewal(result: RefusedRenewal, amount: number | null): never {
  switch (result.outcome) {
    case "unknown_subscription":
      return fail("resource_not_found");
    case "reference_taken":
      return refuseTakenReference();
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
        param: amount === result.subscription.amount ? "currency" : "amount",
      });
  }
}
