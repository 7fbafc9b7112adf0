/**
 * What someone can be allowed to do in the dashboard, and what each action does. The
 * rights that `authorize` gives, the buttons and the guide are made from this table.
 */
export const dashboardActions = {
  "stores.create": "Create a store; it also takes access to all stores.",
  "stores.update": "Change a store's name, brand and links, and turn its API on or off.",
  "products.create": "Create a product.",
  "products.update": "Change, publish or block a product, and set its stock.",
  "products.delete": "Delete a product.",
  "categories.create": "Create a category.",
  "categories.update": "Change a category.",
  "categories.delete": "Delete a category.",
  "coupons.create": "Create a coupon.",
  "coupons.update": "Change a coupon, and turn it on or off.",
  "coupons.delete": "Delete a coupon.",
  "payment_methods.create": "Create a payment method.",
  "payment_methods.update": "Change a payment method, and turn it on or off.",
  "payment_methods.delete": "Delete a payment method.",
  "keys.create": "Create an API key and see it once.",
  "keys.revoke": "Revoke an API key for good.",
  "origins.add": "Allow browser calls from an origin.",
  "origins.remove": "Forbid browser calls from an origin.",
  "return_urls.add": "Allow buyers to be sent back to an address.",
  "return_urls.remove": "Forbid buyers to be sent back to an address.",
  "endpoints.create": "Create a webhook endpoint and see its secret once.",
  "endpoints.update": "Change a webhook endpoint.",
  "endpoints.enable": "Enable a webhook endpoint, and send what it has missed.",
  "endpoints.disable": "Disable a webhook endpoint.",
  "endpoints.rotate": "Make a new webhook secret and see it once.",
  "endpoints.test": "Send a test event to a webhook endpoint.",
  "endpoints.delete": "Delete a webhook endpoint.",
  "deliveries.resend": "Send a webhook once more.",
  "links.create": "Make a link by which someone else signs in, with no more than one's own rights.",
  "sessions.end": "End the sessions that links have opened.",
} as const;

/** The name of a right of the dashboard. */
export type DashboardAction = keyof typeof dashboardActions;

export const isDashboardAction = (name: unknown): name is DashboardAction =>
  typeof name === "string" && Object.hasOwn(dashboardActions, name);
