import {
  getProduct,
  getStore,
  listCategories,
  listPaymentMethods,
  listProducts,
} from "./catalog/catalog.ts";
import { createCheckoutSession } from "./checkout.ts";
import { getCheckoutSession } from "./checkout-session.ts";
import { validateCoupon } from "./coupons.ts";
import type {
  Handler,
  IdempotentHandler,
  IdempotentOperation,
  PlainOperation,
} from "./operation.ts";

/** Called seldom: a process that only sells loads none of these files. */
const orders = () => import("./orders.ts");
const licenses = () => import("./licenses.ts");
const suggestions = () => import("./catalog/suggestions.ts");
const subscriptions = () => import("./buyers/subscriptions.ts");

/**
 * Does the work of every operation but a session's change, which is loaded with its step. A
 * missing or an extra row does not compile.
 */
export const operations: { readonly [O in PlainOperation]: Handler<O> } & {
  readonly [O in Exclude<IdempotentOperation, "updateCheckoutSession">]: IdempotentHandler<O>;
} = {
  getStore,
  listProducts,
  getProduct,
  listSuggestions: async (call) => (await suggestions()).listSuggestions(call),
  listCategories,
  listPaymentMethods,
  createCheckoutSession,
  getCheckoutSession,
  validateCoupon,
  validateLicense: async (call) => (await licenses()).validateLicense(call),
  activateLicense: async (call) => (await licenses()).activateLicense(call),
  deactivateLicense: async (call) => (await licenses()).deactivateLicense(call),
  listOrders: async (call) => (await orders()).listOrders(call),
  getOrder: async (call) => (await orders()).getOrder(call),
  listMyOrders: async (call) => (await orders()).listMyOrders(call),
  listMySubscriptions: async (call) => (await subscriptions()).listMySubscriptions(call),
  cancelMySubscription: async (call) => (await subscriptions()).cancelMySubscription(call),
  keepMySubscription: async (call) => (await subscriptions()).keepMySubscription(call),
  listEvents: async (call) => (await orders()).listEvents(call),
};
