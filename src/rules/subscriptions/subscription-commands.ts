import type { FailureCode } from "../../contract/schemas.ts";
import type { EventIds, OrderIds, Refusal } from "../orders/order-commands.ts";
import type { SubscriptionRecord } from "../payments/payment-records.ts";
import type { OrderRecord, Partition } from "../records.ts";

/** How the payment of a renewal ended. It counts once for a subscription and period start. */
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

/** What the store changes of a subscription that runs. */
export type SubscriptionChanges =
  /** Takes back the end with the period. */
  | { readonly kind: "keep" }
  /** Nothing is charged until the subscription is resumed. */
  | { readonly kind: "pause" | "resume" }
  /** What the next period costs, or what it brings. */
  | {
      readonly kind: "terms";
      readonly quantity?: number | undefined;
      readonly unit_amount?: number | undefined;
      readonly product?:
        | Pick<
            SubscriptionRecord,
            "product_id" | "product_slug" | "product_name" | "image_url" | "unit_amount" | "options"
          >
        | undefined;
    };

/** Changes a subscription. */
export interface SubscriptionChange extends Partition {
  readonly subscription_id: string;
  readonly change: SubscriptionChanges;
  readonly ids: EventIds;
  readonly now: number;
}

/** The result of a change. `period_open` means that the next period is already being paid. */
export type SubscriptionChanged =
  | {
      readonly outcome: "changed" | "unchanged" | "invalid_transition" | "period_open";
      readonly subscription: SubscriptionRecord;
    }
  | Refusal<"unknown_subscription">;
