import {
  getProduct,
  getStore,
  listCategories,
  listPaymentMethods,
  listProducts,
} from "./catalog.ts";
import { createCheckoutSession } from "./checkout.ts";
import { getCheckoutSession } from "./checkout-session.ts";
import { validateCoupon } from "./coupons.ts";
import type {
  Handler,
  IdempotentHandler,
  IdempotentOperation,
  PlainOperation,
} from "./operation.ts";
import { getOrder, listEvents, listMyOrders, listOrders } from "./orders.ts";

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
  listCategories,
  listPaymentMethods,
  createCheckoutSession,
  getCheckoutSession,
  validateCoupon,
  listOrders,
  getOrder,
  listMyOrders,
  listEvents,
};
