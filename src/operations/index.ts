import type { Operation } from "../contract/paths.ts";
import type { Handler } from "./call.ts";
import {
  getProduct,
  getStore,
  listCategories,
  listPaymentMethods,
  listProducts,
} from "./catalog.ts";
import { validateCoupon } from "./coupons.ts";
import { getOrder, listEvents, listMyOrders, listOrders } from "./orders.ts";

/** A missing or an extra operation does not compile. `createCheckoutSession` runs under its idempotency key: see http/idempotency.ts. */
export const operations: {
  readonly [O in Exclude<Operation, "createCheckoutSession">]: Handler;
} & {
  readonly createCheckoutSession: Handler;
} = {
  getStore,
  listProducts,
  getProduct,
  listCategories,
  listPaymentMethods,
  validateCoupon,
  listOrders,
  getOrder,
  listMyOrders,
  listEvents,
  createCheckoutSession: () =>
    Promise.reject(new Error("createCheckoutSession runs under its idempotency key.")),
};
