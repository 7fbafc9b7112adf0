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

/** Does the work of every operation. A missing or an extra row does not compile. */
export const operations: { readonly [O in PlainOperation]: Handler<O> } & {
  readonly [O in IdempotentOperation]: IdempotentHandler<O>;
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
