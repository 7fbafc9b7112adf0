import type { Operation } from "../paths.ts";
import type { tags } from "./descriptions.ts";

/** Says what each operation does, and under which tag it stands. */
export const operationTexts = {
  getStore: {
    tag: "Catalog",
    summary: "Retrieve the store",
    text: "The store that the key belongs to.",
  },
  listProducts: {
    tag: "Catalog",
    summary: "List products",
    text:
      "Ordered by the owner's position, with `search` by relevance, or by `sort`. " +
      "Page with `starting_after` or with `page`, not both. " +
      "`category` is a slug, `category_id` an id. " +
      "`search` finds each word in the name or slug, whatever case and accents; " +
      "where nothing is found, the nearest words, `corrected_to`. " +
      "`group=first` lists one product of each group of variants, with the prices of its group. " +
      "`facets=category,price,available` counts the products of all pages, up to 10,000.",
  },
  getProduct: {
    tag: "Catalog",
    summary: "Retrieve a product by id or slug",
    text: "A draft is a 404. One of a group of variants has all of them in `group`.",
  },
  listSuggestions: {
    tag: "Catalog",
    summary: "Suggest products by the beginning of a name",
    text:
      "At most eight products whose name, or a word of it, begins with `q`. " +
      "Ordered like a search, in one answer.",
  },
  listCategories: {
    tag: "Catalog",
    summary: "List categories",
    text: "All enabled categories in one answer: `has_more` is always false.",
  },
  getGoogleFeed: {
    tag: "Catalog",
    summary: "Retrieve the product feed for Google",
    text: "All products, as Merchant Center takes them.",
  },
  getProductFeed: {
    tag: "Catalog",
    summary: "Retrieve the products as JSON lines",
    text: "All products, one a line, as `vitrine/import` reads them.",
  },
  listPaymentMethods: {
    tag: "Catalog",
    summary: "List payment methods",
    text: "What the hosted page can take in the key's mode, in one answer.",
  },
  createCheckoutSession: {
    tag: "Checkout",
    summary: "Create a checkout session",
    text:
      "Prices are computed from the stored products: a price in the body is ignored. " +
      "Make one `Idempotency-Key` per purchase and keep it over retries: " +
      "the first answer is given again, with `Idempotent-Replayed: true`. " +
      "The session expires after 30 minutes. " +
      "`{CHECKOUT_SESSION_ID}` in the query of `success_url` or `cancel_url` is replaced by the " +
      "session's id when the buyer is sent back.",
  },
  updateCheckoutSession: {
    tag: "Checkout",
    summary: "Change a checkout session",
    text:
      "While the session is open and no payment has begun. " +
      "What is left out stays; `items` replaces all lines; `null` takes the coupon or a fact of " +
      "the customer away. New items and coupons are priced by today's products. Each change " +
      "counts `version` up: send the one you have seen as `expected_version`, and a change in " +
      "between is `session_changed`. Send one `Idempotency-Key` per change.",
  },
  getCheckoutSession: {
    tag: "Checkout",
    summary: "Retrieve a checkout session",
    text:
      "For the page that the buyer comes back to: repeat it every few seconds " +
      "while `payment_status` is `pending`. " +
      "Never release goods on it: only `order.paid` says that the store has the money. " +
      "A publishable key sees a `CheckoutSessionStatus`: whoever knows the id may read it. " +
      "A secret key with `orders:read` sees the `CheckoutSessionDetails`.",
  },
  validateCoupon: {
    tag: "Checkout",
    summary: "Validate a coupon for a cart",
    text: "An invalid coupon is a 200 with `valid: false` and one message, whatever the reason.",
  },
  validateLicense: {
    tag: "Licenses",
    summary: "Validate a license key",
    text:
      "An unknown key is a 200 with `valid: false`; a key of another store is as unknown. " +
      "With `instance_id` the key must be activated there. Any key may call it: no scope.",
  },
  activateLicense: {
    tag: "Licenses",
    summary: "Activate a license key on a machine",
    text:
      "`instance_name` names the machine: a second call with the same name gives the same " +
      "activation. Keep `instance.id` to validate and to deactivate.",
  },
  deactivateLicense: {
    tag: "Licenses",
    summary: "Deactivate a license key on a machine",
    text: "Its place is free for another one. A repeat changes nothing.",
  },
  listOrders: {
    tag: "Orders",
    summary: "List orders, newest first",
    text: "Pass `next_cursor` as `starting_after` for the next page.",
  },
  getOrder: {
    tag: "Orders",
    summary: "Retrieve an order",
    text: "An order of another store or mode is a 404.",
  },
  listMyOrders: {
    tag: "Buyers",
    summary: "List the buyer's own orders, newest first",
    text: "By the token in `X-Service-Customer-Token`; either kind of key. `metadata` is left out.",
  },
  listMySubscriptions: {
    tag: "Buyers",
    summary: "List the buyer's own subscriptions, newest first",
    text: "By the token in `X-Service-Customer-Token`; either kind of key. `metadata` is left out.",
  },
  cancelMySubscription: {
    tag: "Buyers",
    summary: "End a subscription of the buyer's own with its period",
    text:
      "The paid period stays paid: `cancel_at_period_end` is true until it is over. Without a " +
      "body. A repeat changes nothing.",
  },
  keepMySubscription: {
    tag: "Buyers",
    summary: "Take back the end of a subscription of the buyer's own",
    text: "It is charged again. Without a body. A repeat changes nothing.",
  },
  listEvents: {
    tag: "Events",
    summary: "List events, oldest first",
    text:
      "Pass the id of the last event seen as `starting_after`. " +
      "`next_cursor` is never null once an event was seen, so that a poller keeps its place.",
  },
} as const satisfies Record<
  Operation,
  { readonly tag: keyof typeof tags; readonly summary: string; readonly text: string }
>;
