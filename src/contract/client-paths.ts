/**
 * Holds the method and path of each operation that answers with JSON, which the client has. This
 * file has plain data, so that the client can import it without zod. The paths are relative to the
 * base path.
 */
export const clientPaths = {
  getStore: "GET /store",
  listProducts: "GET /products",
  getProduct: "GET /products/{id_or_slug}",
  listSuggestions: "GET /suggestions",
  listCategories: "GET /categories",
  listPaymentMethods: "GET /payment-methods",
  createCheckoutSession: "POST /checkout/sessions",
  getCheckoutSession: "GET /checkout/sessions/{id}",
  updateCheckoutSession: "PATCH /checkout/sessions/{id}",
  validateCoupon: "POST /coupons/validate",
  validateLicense: "POST /licenses/validate",
  activateLicense: "POST /licenses/activate",
  deactivateLicense: "POST /licenses/deactivate",
  listOrders: "GET /orders",
  getOrder: "GET /orders/{id}",
  listMyOrders: "GET /customers/me/orders",
  listMySubscriptions: "GET /customers/me/subscriptions",
  cancelMySubscription: "POST /customers/me/subscriptions/{id}/cancel",
  keepMySubscription: "POST /customers/me/subscriptions/{id}/keep",
  listEvents: "GET /events",
} as const;

/** Names an operation of the public API that answers with JSON, e.g. `listProducts`. */
export type ClientOperation = keyof typeof clientPaths;
