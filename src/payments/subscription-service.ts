import { fail } from "../contract/errors.ts";
import { defaultPageSize } from "../contract/query-parameters.ts";
import { check, checkId } from "../input/check.ts";
import { pageOf } from "../owner/page.ts";
import { renderOrder } from "../rules/catalog/render-order.ts";
import { renderSubscription } from "../rules/subscriptions/render-subscription.ts";
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
import { payLink } from "./renewals/pay-link.ts";
import { subscriptionChanges } from "./renewals/subscription-changes.ts";
import type { RenewalOutcome, SubscriptionService } from "./subscriptions.ts";
import { refuseTakenReference } from "./taken-reference.ts";

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

    ...subscriptionChanges(ctx),
    payLink: (subscription_id, input) => payLink(ctx, subscription_id, input),
    followAgreement: async (...call) => (await loadAgreements()).followAgreement(ctx, ...call),
  };
}

/** Agreements are loaded at the first call, because few gateways have them. */
const loadAgreements = () => import("./renewals/agreements.ts");

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
