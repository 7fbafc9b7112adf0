import type { ProductFacets } from "../catalog/facets-schema.ts";
import type { ProductSuggestion } from "../catalog/suggestion-schema.ts";
import type { Operation } from "../paths.ts";
import type {
  CheckoutChangeInput,
  CheckoutRequestInput,
  CouponRequestInput,
} from "../request-bodies.ts";
import type {
  Category,
  CheckoutSession,
  CheckoutSessionDetails,
  CheckoutSessionStatus,
  CouponValidation,
  Customer,
  LineItem,
  Order,
  OrderItem,
  PaymentMethod,
  Product,
  Store,
  Subscription,
} from "../schemas.ts";

// All examples of the API document are about one shop and one purchase, so they fit together.

export const product_id = "prod_01KEZB6Q0HT4X5V8N3M2R7C9DA";
const session_id = "cs_01KEZBA4W2Q8E6R0T5Y7P1S3FB";
/** The session that is paid cannot change any more; this one can. */
const open_session_id = "cs_01KEZBD1S6M0W9F4X2Z8C3K7TN";
export const order_id = "ord_01KEZBC8K5D3H7J9M1N4Q6V2XC";
const created_at = "2026-01-15T12:00:00.000Z";
export const paid_at = "2026-01-15T12:04:10.250Z";
const tokenSignature = "5sXr0vJ8mYbq2LkTnWd4uQeHc7FzAaGp1iO3xKjRtSE";
const amounts = { amount_subtotal: 6900, amount_discount: 690, amount_total: 6210 } as const;

export const storeExample: Store = {
  id: "str_01KEZA0000F2G4H6J8K0M2N4PQ",
  slug: "armazem",
  name: "Armazém",
  description: "Coffee from small farms.",
  logo_url: "https://shop.example.com/logo.svg",
  website_url: "https://shop.example.com",
  support_email: "help@shop.example.com",
  support_url: null,
  terms_url: "https://shop.example.com/terms",
  privacy_url: "https://shop.example.com/privacy",
  country: "BR",
  currency: "BRL",
  locale: "pt-BR",
  timezone: "America/Sao_Paulo",
  created_at,
};

const checkoutToken = `${storeExample.id}.test.${session_id}.${tokenSignature}`;

export const categoryExample: Category = {
  id: "cat_01KEZA5C3V7B9N1M4K6J8H0GFD",
  slug: "coffee",
  name: "Coffee",
  description: null,
  image_url: null,
  parent_id: null,
  position: 0,
  created_at,
  updated_at: created_at,
};

export const paymentMethodExample: PaymentMethod = {
  id: "pm_01KEZA7P2X4Z6C8V0B1N3M5K7J",
  type: "pix",
  name: "Pix",
  icon_url: null,
  currencies: ["BRL"],
  min_amount: null,
  max_amount: 500000,
  supports_recurring: false,
  settlement: "instant",
  position: 0,
};

export const productExample: Product = {
  id: product_id,
  slug: "espresso-beans",
  name: "Espresso beans, 250 g",
  description: "Roasted on Mondays.",
  images: ["https://shop.example.com/espresso.jpg"],
  price: 3450,
  compare_at_price: 3900,
  currency: "BRL",
  available: true,
  promotion: { discount_type: "percentage", discount_amount: 11.5 },
  category_ids: [categoryExample.id],
  variables: [
    // Postman's importer drops an answer whose example has `pattern: null`: it reads the
    // example as a schema.
    {
      key: "label_text",
      label: "Name on the label",
      type: "text",
      required: true,
      pattern: "[A-Za-z ]+",
      max_length: 20,
      options: [],
    },
  ],
  recurring: null,
  max_quantity: 10,
  created_at,
  updated_at: created_at,
};

export const suggestionExample: ProductSuggestion = {
  id: productExample.id,
  slug: productExample.slug,
  name: productExample.name,
};

export const facetsExample: ProductFacets = {
  category: [{ category_id: productExample.category_ids[0] ?? "", count: 12 }],
  price: { min: 3_900, max: 14_500 },
  available: { true: 11, false: 1 },
};

export const checkoutRequestExample: CheckoutRequestInput = {
  items: [{ product_id, quantity: 2, variables: { label_text: "For Ana" } }],
  success_url: "https://shop.example.com/thanks?session={CHECKOUT_SESSION_ID}",
  cancel_url: "https://shop.example.com/cart",
  customer: { email: "ana@example.com" },
  coupon_code: "WELCOME10",
  metadata: { cart: "8812" },
};

export const couponRequestExample: CouponRequestInput = {
  code: "WELCOME10",
  items: [{ product_id, quantity: 2 }],
};

export const lineItemExample: LineItem = {
  id: "li_01KEZBA4W3C5V7B9N1M2K4J6HG",
  product_id,
  name: productExample.name,
  image_url: productExample.images[0] ?? null,
  quantity: 2,
  unit_amount: 3450,
  ...amounts,
  currency: "BRL",
  variables: { label_text: "For Ana" },
};

export const checkoutChangeExample: CheckoutChangeInput = {
  items: checkoutRequestExample.items,
  coupon_code: "WELCOME10",
  expected_version: 1,
};

export const sessionExample: CheckoutSession = {
  id: session_id,
  version: 1,
  checkout_url: `https://pay.example.com/${checkoutToken}`,
  status: "open",
  payment_status: "unpaid",
  expires_at: "2026-01-15T12:30:00.000Z",
  ...amounts,
  currency: "BRL",
  line_items: [lineItemExample],
  coupon_code: "WELCOME10",
  customer: { email: "ana@example.com", discord_id: null },
  success_url: checkoutRequestExample.success_url,
  cancel_url: checkoutRequestExample.cancel_url,
  metadata: { cart: "8812" },
  created_at,
};

const { variables: _variables, ...lineItemStatusExample } = lineItemExample;
const paidSession = { status: "complete", payment_status: "paid" } as const;

export const sessionStatusExample: CheckoutSessionStatus = {
  id: session_id,
  version: 1,
  ...paidSession,
  expires_at: sessionExample.expires_at,
  ...amounts,
  currency: "BRL",
  line_items: [lineItemStatusExample],
  order: { number: 1042, status: "paid" },
};

export const sessionDetailsExample: CheckoutSessionDetails = {
  ...sessionExample,
  ...paidSession,
  order: { id: order_id, number: 1042, status: "paid" },
};

/** Holds an example of each parameter. All examples come from the same shop and purchase. */
export const parameterExamples = {
  page: 1,
  limit: 20,
  category: categoryExample.slug,
  category_id: categoryExample.id,
  search: "espresso",
  q: "espresso",
  status: "paid",
  checkout_session_id: session_id,
  id_or_slug: productExample.slug,
} as const;

export const couponExample: CouponValidation = {
  valid: true,
  message: "The coupon applies.",
  code: "WELCOME10",
  discount: { discount_type: "percentage", discount_amount: 10 },
  ...amounts,
  currency: "BRL",
};

export const customerExample: Customer = {
  id: "cus_01KEZBC8K6X8Z0C2V4B6N8M1KJ",
  email: "ana@example.com",
  name: "Ana Souza",
  discord_id: null,
  tax_id: "***.***.789-**",
  tax_id_type: "cpf",
  country: "BR",
};

export const orderItemExample: OrderItem = {
  id: "oi_01KEZBC8K7Q9W1E3R5T7Y9P2SD",
  product_id,
  product_slug: productExample.slug,
  name: productExample.name,
  image_url: productExample.images[0] ?? null,
  quantity: 2,
  unit_amount: 3450,
  ...amounts,
  variables: { label_text: "For Ana" },
};

export const orderExample: Order = {
  id: order_id,
  number: 1042,
  status: "paid",
  currency: "BRL",
  ...amounts,
  amount_refunded: 0,
  amount_refunding: 0,
  coupon_code: "WELCOME10",
  items: [orderItemExample],
  customer: customerExample,
  payment_method: { type: "pix" },
  checkout_session_id: session_id,
  subscription_id: null,
  failure_code: null,
  metadata: { cart: "8812" },
  created_at: "2026-01-15T12:03:00.000Z",
  updated_at: paid_at,
  paid_at,
  refunded_at: null,
  disputed_at: null,
};

export const subscriptionExample: Subscription = {
  id: "sub_01KEZBE1A3S5D7F9G2H4J6K8MN",
  status: "active",
  product_id: "prod_01KEZB7W4E6R8T0Y2P5S7D9FGH",
  product_name: "Beans every month",
  quantity: 1,
  unit_amount: 3450,
  amount: 3450,
  currency: "BRL",
  interval: "month",
  interval_count: 1,
  current_period_start: paid_at,
  current_period_end: "2026-02-15T12:04:10.250Z",
  trial_end: null,
  cancel_at_period_end: false,
  canceled_at: null,
  ended_at: null,
  customer: customerExample,
  latest_order_id: order_id,
  collection_method: "charge_automatically",
  saved_method: { kind: "card", label: "Visa ···· 4242", expires_at: "2028-12-31T23:59:59.000Z" },
  next_charge_at: "2026-02-15T12:04:10.250Z",
  paused_at: null,
  metadata: {},
  created_at: paid_at,
  updated_at: paid_at,
};

/** Holds an example of the id in the path of an operation. */
export const idExamples: Partial<Readonly<Record<Operation, string>>> = {
  getCheckoutSession: session_id,
  updateCheckoutSession: open_session_id,
  getOrder: order_id,
  cancelMySubscription: subscriptionExample.id,
  keepMySubscription: subscriptionExample.id,
};
