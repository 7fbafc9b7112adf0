import type { EventType } from "../events.ts";
import type * as schemas from "../schemas.ts";

// These are the texts of the API document for people. Only the document and its
// page load this file.

export const tags = {
  Catalog:
    "What the store sells. Answers carry an `ETag`; " +
    "repeat the call with `If-None-Match` and an unchanged catalog is a 304.",
  Checkout:
    "Payment is never taken here: create a session, send the buyer to its `checkout_url`, " +
    "and wait for `order.paid`. Never release goods on the page that the buyer comes back to.",
  Orders: "Orders of the store, with a secret key. Tax ids are always masked.",
  Licenses: "For software that asks for a key: a publishable key may be shipped with it.",
  Buyers: "What a signed-in buyer may see of their own.",
  Events: "The polling alternative to webhooks: the same bytes, oldest first, without gaps.",
} as const;

/** Says when each event is written. */
export const eventTexts: Readonly<Record<EventType, string>> = {
  "checkout.session.completed": "The buyer completed the checkout session.",
  "order.created": "An order was created, at the first payment submission.",
  "order.paid": "Payment is confirmed: the correct trigger for releasing the product.",
  "order.failed": "The payment failed, expired or was canceled.",
  "order.refunded": "The order was refunded, in part or in whole.",
  "order.refund_failed": "A refund that was under way or done has failed: no money went back.",
  "order.chargeback": "A payment dispute was received.",
  "subscription.created": "A recurring subscription was created.",
  "subscription.renewed": "A recurring subscription was renewed, after the renewal's payment.",
  "subscription.updated": "A subscription was changed: what its next period costs or brings.",
  "subscription.renewal_upcoming":
    "The next period of a subscription is charged soon. Sent once for each period.",
  "subscription.past_due": "A period of a subscription is not paid: its charge has failed.",
  "subscription.recovered": "A subscription that was past due is paid again.",
  "subscription.payment_action_required":
    "The saved method does not pay without the buyer, who must pay or give another one.",
  "subscription.canceled": "A recurring subscription ended.",
  "entitlement.granted":
    "A buyer got what was bought: with the payment, and again when a refund or dispute is undone.",
  "entitlement.revoked":
    "What a buyer had got was taken back: by a refund in full, or by a dispute.",
};

/** Says what a receiver of the event does. `eventTexts` says when the event is sent. */
export const eventAdvice: Readonly<Record<EventType, string>> = {
  "checkout.session.completed": "Nothing to release here: `order.paid` comes with it.",
  "order.created": "The order waits for its payment.",
  "order.paid": "Release the product, once per event id.",
  "order.failed":
    "The buyer may try again while the session is open; " +
    "a late payment can still make the order paid.",
  "order.refunded":
    "Take back what the refunded part paid for; `order.amount_refunded` is the sum so far.",
  "order.refund_failed":
    "The buyer has not got this refund. Its amount is the store's again: refund in another way.",
  "order.chargeback": "Stop delivery and answer the dispute before `dispute.due_by`.",
  "subscription.created": "Give access until `current_period_end`.",
  "subscription.renewed": "Extend access to the new `current_period_end`.",
  "subscription.updated":
    "Show the new terms. Access stays as it is: a change counts from the next period on.",
  "subscription.renewal_upcoming": "Tell the buyer what is charged, and when.",
  "subscription.past_due":
    "Keep or pause access, as your shop decides: further tries may follow, and " +
    "`subscription.recovered` or `subscription.canceled` says how it ended.",
  "subscription.recovered": "Give access again until the new `current_period_end`.",
  "subscription.payment_action_required":
    "Ask the buyer to pay: no further try follows without the buyer.",
  "subscription.canceled": "Access ends now.",
  "entitlement.granted": "Read the order to show the content: no event has it.",
  "entitlement.revoked": "End access to what the entitlements name.",
};

type RequestName =
  | "CheckoutSessionRequest"
  | "CouponValidationRequest"
  | "License"
  | "LicenseActivationRequest";
type Fields = {
  readonly [S in keyof typeof schemas | RequestName]?: Readonly<Record<string, string>>;
};

/** Says what the name and the type of a field do not say. */
export const fieldTexts: Fields = {
  CheckoutSessionRequest: {
    items: "A product with `variables` needs a value for each that is required.",
    success_url:
      "Where the buyer goes after paying: a registered return URL, with any query. " +
      "`{CHECKOUT_SESSION_ID}` in the query is replaced.",
    cancel_url: "Where the buyer goes who leaves without paying: a registered return URL.",
    customer: "Fills in the buyer's form.",
    coupon_code: "In any case. One that does not apply is `coupon_invalid`.",
    trial: "False sells without the product's trial, for a buyer who has had it. True by default.",
    metadata:
      "Yours: it comes back in the order and its events. Keys of at most 40 characters, " +
      "texts of at most 500, 16 KiB in all.",
  },
  CouponValidationRequest: { code: "In any case." },
  LicenseActivationRequest: {
    instance_name: "Yours, such as a machine's name: one activation for each name.",
  },
  License: {
    reason: "Null while the key is valid.",
    entitlement_id: "As in `entitlements` of the order and in its events.",
    activation_limit: "How many activations it may have; null means no limit.",
    activation_usage: "How many activations it has.",
    instance: "The activation that the call is about. Null when it names none.",
  },
  Store: {
    currency: "ISO 4217, upper case.",
    locale: "BCP 47, e.g. `pt-BR`.",
    timezone: "IANA name, e.g. `America/Sao_Paulo`.",
    country: "ISO 3166-1 alpha-2.",
  },
  Category: {
    slug: "Usable as the `category` filter.",
    parent_id: "Null at the top.",
    position: "Ascending order of display.",
  },
  PaymentMethod: {
    min_amount: "Smallest total it takes, in minor units; null means no bound.",
    max_amount: "Largest total it takes, in minor units; null means no bound.",
    settlement: "`delayed`: paid hours or days after the buyer has ordered, e.g. boleto.",
    supports_recurring: "May pay for a product with `recurring`.",
  },
  Product: {
    id: "Opaque.",
    slug: "Usable in the product's path.",
    price: "What the buyer pays for one piece, in minor units of `currency`.",
    options: "What tells it from the other variants of its group. Absent without any.",
    group:
      "The variants of one thing; absent without a group. A list has its `id`, and with " +
      "`group=first` its prices; a single product has its `options` and `variants`.",
    compare_at_price: "Reference price before a discount, in minor units.",
    available: "False when blocked or sold out: shown, but not sold.",
    promotion: "For display only: `price` already is what the buyer pays.",
    variables: "Inputs that the buyer fills in; sent back as `items[].variables`.",
    recurring:
      "Set when the product renews: it is bought alone. With `trial_days` the buyer pays nothing " +
      "for so many days; absent without a trial.",
    max_quantity: "Most pieces in one session; null means no bound.",
  },
  LineItem: { amount_discount: "Its share of the discount: lines sum to the session exactly." },
  CheckoutSession: {
    checkout_url: "Send the buyer here.",
    expires_at: "30 minutes after creation.",
    amount_total: "Subtotal minus discount. Show this, not a sum of your own.",
    status: "`expired` after `expires_at`, unless it is complete.",
    payment_status: "`pending` while a payment is under way.",
    success_url: "As sent, with `{CHECKOUT_SESSION_ID}` where the session's id goes.",
  },
  CheckoutSessionStatus: {
    payment_status: "`pending` while a payment is under way.",
    order: "Null until the first payment submission.",
  },
  CheckoutSessionDetails: {
    checkout_url: "Null when the key that made the address is no longer in `sealKeys`.",
    payment_status: "`pending` while a payment is under way.",
    order: "Null until the first payment submission.",
  },
  OrderItem: { name: "As it was when the order was made, like every field here." },
  Customer: {
    tax_id: "Always masked: `***.***.<3 digits>-**`.",
    id: "Equal to the `sub` of the buyer's token.",
  },
  Order: {
    number: "For people; counts up per store and mode.",
    status: "`paid` is the state to release the product in.",
    failure_code: "Why a `failed` order failed.",
    payment_method: "The kind only; nothing of the gateway is shown.",
    metadata: "As sent with the session. Left out for buyer tokens.",
    entitlements:
      "What the buyer has got. Left out when nothing is delivered, in lists by a secret key, " +
      "and in events.",
    amount_refunded: "Sum of all refunds that succeeded, in minor units.",
    amount_refunding: "Sum of the refunds that are under way, in minor units.",
  },
  Entitlement: {
    status: "`pending`: an uploaded key is not there yet; `entitlement.granted` tells when it is.",
    item_id: "The order's item that it came with.",
    quantity:
      "The pieces bought. One key is for all of them, but of uploaded keys each piece has one.",
    text: "Null for another type, and once it is revoked.",
    url:
      "Of a file a link that works for an hour: read the order again for a new one. Null for " +
      "another type, and once it is revoked.",
    license_key:
      "Null for another type, once it is revoked, and when the key that sealed it is no longer " +
      "in `sealKeys`.",
    activation_limit: "How many activations the key may have; null means no limit.",
    activation_usage: "How many activations the key has.",
    file_name: "The name under which the buyer saves the file.",
    download_limit: "How many downloads the file may have; null means no limit.",
    downloads: "How many downloads the file has had.",
    revoked_at: "Null while the buyer may use it.",
  },
  Subscription: {
    amount: "`unit_amount` times `quantity`, in minor units: charged each period.",
    ended_at: "When access ended.",
    trial_end: "The end of the trial that it began with, also afterwards. Null without one.",
    cancel_at_period_end: "It runs to `current_period_end` and is not renewed.",
    collection_method:
      "`charge_automatically`: maintenance charges the buyer's saved method. " +
      "`host`: the host charges, and reports each period.",
    saved_method: "What pays the next periods, as the buyer knows it.",
    paused_at: "Nothing is charged while it is paused.",
    next_charge_at: "Null while a charge runs, and when none is planned.",
  },
  Event: {
    id: "The same id may arrive more than once: a repeat is a no-op.",
    type: "One of this version; others may appear.",
    sequence: "Counts without gaps per store and mode.",
    data: "As in the webhook of the same type.",
    api_version: "The version that rendered it.",
  },
};
