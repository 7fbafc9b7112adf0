import type { AlertType } from "../../../rules/owner/alert-types.ts";

/** The texts of an alert: what has happened, and what to do. */
type AlertTexts = Readonly<Record<`alert_is_${AlertType}` | `alert_do_${AlertType}`, string>>;

/** Tells what each type of alert means, and what to do about it. */
export const alertsEnglish = {
  alert_is_secret_key_in_browser: "A secret key was used from a browser",
  alert_do_secret_key_in_browser:
    "Whoever looks at that page can read it. Revoke it, and use a publishable key there.",
  alert_is_payment_mismatch: "A payment has another amount or currency than its order",
  alert_do_payment_mismatch:
    "It did not pay the order. Compare the two at the payment provider, and send the money back " +
    "if the buyer was wrong.",
  alert_is_payment_account_mismatch: "A message tells of a payment of another account",
  alert_do_payment_account_mismatch:
    "Nothing was changed. See from which account, and from its live or its test mode, the " +
    "payment provider sends its messages.",
  alert_is_payment_ambiguous: "A message fits the payments of several orders",
  alert_do_payment_ambiguous: "Nothing was changed. Ask the payment provider which order it means.",
  alert_is_duplicate_payment: "An order was paid twice",
  alert_do_duplicate_payment: "Open the order, and send the second payment back.",
  alert_is_payment_after_end: "Money came for a subscription that has ended",
  alert_do_payment_after_end: "Open the order, and send the payment back.",
  alert_is_agreement_mismatch: "A buyer allowed another amount than the subscription costs",
  alert_do_agreement_mismatch:
    "Nothing is charged by it, and it is taken back. Have the buyer asked at today's price.",
  alert_is_return_failed: "A payment could not be sent back",
  alert_do_return_failed:
    "See at the payment provider why, then open the order and send the payment back again.",
  alert_is_oversold: "An order was paid when too few pieces were left",
  alert_do_oversold: "Get more of them, or refund the order.",
  alert_is_coupon_overused: "A coupon was used more often than it may be",
  alert_do_coupon_overused: "The order is paid and keeps its discount. There is nothing to mend.",
  alert_is_key_pool_empty: "A paid order waits for license keys",
  alert_do_key_pool_empty: "Upload keys to the product: the order gets them at once.",
  alert_is_endpoint_failing: "A webhook endpoint has taken nothing for 24 hours",
  alert_do_endpoint_failing:
    "See its last deliveries, and have its receiver mended. After 72 hours it is disabled.",
  alert_is_endpoint_disabled: "A webhook endpoint was disabled",
  alert_do_endpoint_disabled:
    "It took nothing for 72 hours. Have its receiver mended, enable it, and send again what " +
    "failed.",
  alert_is_consumer_failing: "A program that works through the events has failed for an hour",
  alert_do_consumer_failing: "Tell whoever looks after it. The events wait for it.",
  alert_is_event_given_up: "A program has passed over an event that it could not handle",
  alert_do_event_given_up: "Tell whoever looks after it: it needs this event once more.",
  alert_is_gateway_declining: "Nearly all payments are declined",
  alert_do_gateway_declining:
    "See your account and its keys at the payment provider, and whether it has a failure now. " +
    "The alert goes when payments succeed again.",
  alert_is_payment_in_doubt: "A payment has had no result for 14 days",
  alert_do_payment_in_doubt: "Look it up at the payment provider.",
  alert_is_unknown_payment: "A message tells of a payment that is not known here",
  alert_do_unknown_payment:
    "See whether another shop or a test uses the same account of the payment provider.",
  alert_is_refund_failed: "A refund has failed",
  alert_do_refund_failed:
    "The buyer does not have the money. See at the payment provider why, then refund again.",
  alert_is_refund_exceeds_order: "A buyer got more back than the order's total",
  alert_do_refund_exceeds_order: "Compare the order's refunds with those at the payment provider.",
  alert_is_refund_mismatch: "A refund has another currency than its order",
  alert_do_refund_mismatch: "It was not counted. Look it up at the payment provider.",
  alert_is_money_in_doubt: "A refund has no result",
  alert_do_money_in_doubt:
    "Look it up at the payment provider. If the buyer has the money, enter the refund in the " +
    "order, with its ID there.",
  alert_is_dispute_inquiry: "The buyer's bank asks about a payment",
  alert_do_dispute_inquiry: "Answer it at the payment provider, or it may become a dispute.",
  alert_is_duplicate_disputed: "A payment that pays no order is disputed",
  alert_do_duplicate_disputed: "Answer it at the payment provider. The order stays as it is.",
} as const satisfies AlertTexts;
