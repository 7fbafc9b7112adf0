import type { FailureCode } from "../../contract/schemas.ts";
import type { EventIds, OrderIds, Refusal } from "../orders/order-commands.ts";
import type { SubscriptionRecord } from "../payments/payment-records.ts";
import type { OrderRecord, Partition } from "../records.ts";

/** Says how the payment of a renewal ended. It counts once for a subscription and period start. */
export interface Renewal extends Partition {
  readonly subscription_id: string;
  readonly period_start: number;
  readonly paid: boolean;
  readonly failure_code: FailureCode;
  /** True when no further try can succeed without the buyer. */
  readonly needs_buyer?: boolean;
  readonly reference: string;
  readonly attempt_id: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly ids: EventIds & Pick<OrderIds, "order" | "items">;
  readonly now: number;
}

/** The effect of a renewal's payment on its subscription. */
export type RenewalResult =
  | {
      /**
       * `duplicate` means that other money has paid the period. `after_end` means
       * that the money came after the subscription's end, and `order` is its latest
       * one.
       */
      readonly outcome: "renewed" | "failed" | "unchanged" | "duplicate" | "after_end";
      readonly subscription: SubscriptionRecord;
      readonly order: OrderRecord;
    }
  | {
      readonly outcome: "invalid_transition" | "unknown_period" | "mismatch";
      readonly subscription: SubscriptionRecord;
    }
  | Refusal<"unknown_subscription" | "reference_taken">;

/**
 * `now` ends access at once. `at_period_end` marks the subscription to end with its
 * period, and `ending` ends one that is marked once that period is over.
 */
export interface SubscriptionCancel extends Partition {
  readonly subscription_id: string;
  readonly when: "now" | "at_period_end" | "ending";
  readonly ids: EventIds;
  readonly now: number;
}

/**
 * The result of the cancellation. `scheduled` means that the subscription ends with
 * its period.
 */
export type SubscriptionCanceled =
  | {
      readonly outcome: "canceled" | "scheduled" | "unchanged";
      readonly subscription: SubscriptionRecord;
    }
  | Refusal<"unknown_subscription">;
