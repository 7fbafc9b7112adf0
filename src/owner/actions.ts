/**
 * The table lists what someone can be allowed to do in the dashboard, and what each
 * action does. The rights that `authorize` gives, the buttons and the guide are
 * made from it, and the audit log takes its names from it.
 */
export const dashboardActions = {
  "stores.create": "Create a store; it also takes access to all stores.",
  "stores.update": "Change a store's name, brand and links, and turn its API on or off.",
  "orders.refund": "Refund an order, in whole or in part.",
  "orders.mark_failed": "Cancel an order that waits for its payment.",
  "orders.regrant": "Give a buyer again what was taken back, such as a license key.",
  "orders.deactivate_license": "End the use of a license key on a machine.",
  "notes.create": "Write a note on an order.",
  "orders.return_payment": "Send money back that pays no order, such as a duplicate payment.",
  "subscriptions.cancel": "Cancel a subscription.",
  "subscriptions.change":
    "Change, pause, resume or keep a subscription, and make a link to pay it.",
  "customers.page_link": "Make a link by which a customer sees what was bought.",
  "customers.erase": "Erase a customer's personal data for good, in both modes.",
  "products.create": "Create a product.",
  "products.update": "Change, publish or block a product, and set its stock.",
  "products.delete": "Delete a product.",
  "products.import": "Import products from a file: create and update many at once.",
  "products.upload_keys": "Upload license keys of a product.",
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
  "alerts.acknowledge": "Note on an alert that someone has dealt with it.",
  "test_clock.advance": "Move the clock of the test mode forward.",
  exports: "Export records as CSV or JSON lines.",
  "exports.tax_ids": "See the stored digits of tax ids in an export for accounting.",
  "requests.read": "Read the log of the store's API requests.",
  "links.create": "Make a link by which someone else signs in, with no more than one's own rights.",
  "links.end": "End a link before it is used.",
  "sessions.end":
    "End a session that a link has opened, its own links, and the sessions that those have opened.",
  "people.invite":
    "Invite a person, with no more than one's own rights, or make a new link for one.",
  "people.update": "Change the rights of a person, within one's own, or remove a passkey of one.",
  "people.end":
    "End a person's access, with all sessions and links, and that of whom the person has invited.",
} as const;

/**
 * The actions that need no right of the dashboard. The host's own code does them, but whoever has a
 * link does `links.use`, a person does those of the own passkeys, and a person's assistant does
 * `assistant.call`. The audit log uses their names.
 */
const hostActions = {
  "links.use": "Sign in to the dashboard by a link.",
  "passkeys.use": "Sign in to the dashboard by a passkey.",
  "passkeys.add": "Keep a passkey of one's own.",
  "passkeys.remove": "Remove a passkey of one's own.",
  "assistant.call": "Call a tool of the store's assistant (`via` is `mcp`).",
  "products.put": "Create or replace a product by its id.",
  "products.update_many": "Change many products at once.",
  "endpoints.recover": "Send the webhooks that an endpoint has missed.",
  "customers.issue_token": "Issue a token for a customer.",
  "customers.revoke_tokens": "Revoke the tokens of a customer.",
  "archive.move": "Move orders of a past month into the files of the archive.",
  "test_data.wipe": "Delete everything that was made with test keys.",
  "orders.mark_paid": "Report that an order was paid.",
  "disputes.open": "Report a dispute.",
  "disputes.close": "Report how a dispute has ended.",
  "checkout.submit": "Start the payment of a checkout session.",
  "checkout.resume": "Ask the gateway for the result of a payment.",
  "checkout.cancel": "Give up the payment of a checkout session.",
  "checkout.complete": "Report a payment of a checkout session.",
  "checkout.hold": "Hold the goods of a checkout session.",
  "checkout.expire": "Close a checkout session.",
  "notifications.apply": "Apply a message of a payment provider.",
  "subscriptions.renew": "Report that a subscription's period was paid.",
  "subscriptions.fail": "Report that a subscription's payment has failed.",
} as const;

/** Every action that the audit log can name, with a text that tells what it does. */
export const actions = { ...dashboardActions, ...hostActions };

/** The name of an action. */
export type Action = keyof typeof actions;

/** The name of a right of the dashboard. */
export type DashboardAction = keyof typeof dashboardActions;

export const isAction = (name: string): name is Action => Object.hasOwn(actions, name);

export const isDashboardAction = (name: unknown): name is DashboardAction =>
  typeof name === "string" && Object.hasOwn(dashboardActions, name);
