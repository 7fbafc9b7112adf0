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
  ChangeHandler,
  Handler,
  IdempotentHandler,
  IdempotentOperation,
  PlainOperation,
} from "./operation.ts";
import { getOrder, listEvents, listMyOrders, listOrders } from "./orders.ts";
import { updateCheckoutSession } from "./update-session.ts";

/** Does the work of every operation. A missing or an extra row does not compile. */
export const operations: { readonly [O in PlainOperation]: Handler<O> } & {
  readonly [O in Exclude<IdempotentOperation, "updateCheckoutSession">]: IdempotentHandler<O>;
} & { readonly updateCheckoutSession: ChangeHandler } = {
  getStore,
  listProducts,
  getProduct,
  listCategories,
  listPaymentMethods,
  createCheckoutSession,
  getCheckoutSession,
  updateCheckoutSession,
  validateCoupon,
  listOrders,
  getOrder,
  listMyOrders,
  listEvents,
};
