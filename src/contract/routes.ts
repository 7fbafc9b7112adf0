import { z } from "zod";
import { ProductSuggestion } from "./catalog/suggestion-schema.ts";
import { License } from "./entitlement-schema.ts";
import type { Operation } from "./paths.ts";
import { cursor, facets, filter, limit, pathId, searchText, whole } from "./query-parameters.ts";
import {
  CheckoutChange,
  CheckoutRequest,
  CouponRequest,
  LicenseActivation,
  LicenseDeactivation,
  LicenseRequest,
} from "./request-bodies.ts";
import type { Route } from "./route.ts";
import {
  Category,
  CheckoutSession,
  CouponValidation,
  Event,
  Order,
  orderStatuses,
  PaymentMethod,
  Product,
  productSorts,
  RetrievedCheckoutSession,
  Store,
  Subscription,
} from "./schemas.ts";

const feed = {
  key: "any",
  scope: "catalog:read",
  cache: "catalog",
  ofSource: true,
  limit: "catalog",
} as const;

const license = {
  key: "any",
  scope: null,
  cache: "none",
  limit: "licenses",
  reply: { status: 200, data: License },
} as const;

/**
 * Describes the whole API, with one entry for each operation. The router, access
 * checks, input checks, types and documents are all derived from it.
 */
export const routes = {
  getStore: {
    key: "any",
    scope: "catalog:read",
    cache: "catalog",
    limit: "catalog",
    reply: { status: 200, data: Store },
    errors: [],
  },
  listProducts: {
    key: "any",
    scope: "catalog:read",
    cache: "catalog",
    ofSource: true,
    limit: "catalog",
    query: z.object({
      page: whole.optional(),
      limit,
      category: filter,
      category_id: filter,
      search: searchText.optional(),
      sort: z.enum(productSorts).optional(),
      group: z.enum(["first", "all"]).optional(),
      facets: facets.optional(),
      starting_after: cursor,
    }),
    reply: { status: 200, data: Product, list: true, corrects: true },
    errors: ["parameter_conflict", "invalid_cursor"],
  },
  getProduct: {
    key: "any",
    scope: "catalog:read",
    cache: "catalog",
    ofSource: true,
    limit: "catalog",
    params: z.object({ id_or_slug: pathId }),
    reply: { status: 200, data: Product },
    errors: ["resource_not_found"],
  },
  listSuggestions: {
    key: "any",
    scope: "catalog:read",
    cache: "catalog",
    ofSource: true,
    limit: "catalog",
    query: z.object({ q: searchText }),
    reply: { status: 200, data: ProductSuggestion, list: true },
    errors: ["parameter_missing"],
  },
  listCategories: {
    key: "any",
    scope: "categories:read",
    cache: "catalog",
    ofSource: true,
    limit: "catalog",
    reply: { status: 200, data: Category, list: true },
    errors: [],
  },
  listPaymentMethods: {
    key: "any",
    scope: "catalog:read",
    cache: "catalog",
    limit: "catalog",
    reply: { status: 200, data: PaymentMethod, list: true },
    errors: [],
  },
  getGoogleFeed: {
    ...feed,
    reply: { status: 200, data: z.string(), media: "application/xml" },
    errors: ["resource_not_found"],
  },
  getProductFeed: {
    ...feed,
    reply: { status: 200, data: z.string(), media: "application/jsonl" },
    errors: [],
  },
  createCheckoutSession: {
    key: "any",
    scope: "checkout:write",
    buyer: "optional",
    cache: "none",
    limit: "checkout",
    idempotent: true,
    body: CheckoutRequest,
    reply: { status: 201, data: CheckoutSession },
    errors: [
      "session_not_open",
      "product_unavailable",
      "insufficient_stock",
      "currency_mismatch",
      "amount_out_of_range",
      "coupon_invalid",
      "redirect_url_not_allowed",
    ],
  },
  updateCheckoutSession: {
    key: "any",
    scope: "checkout:write",
    buyer: "optional",
    cache: "none",
    limit: "checkout",
    idempotent: true,
    params: z.object({ id: pathId }),
    body: CheckoutChange,
    reply: { status: 200, data: CheckoutSession },
    errors: [
      "session_changed",
      "session_not_open",
      "session_expired",
      "product_unavailable",
      "insufficient_stock",
      "currency_mismatch",
      "amount_out_of_range",
      "coupon_invalid",
    ],
  },
  getCheckoutSession: {
    key: "any",
    scope: "checkout:write",
    fullScope: "orders:read",
    cache: "none",
    limit: "sessions",
    params: z.object({ id: pathId }),
    reply: { status: 200, data: RetrievedCheckoutSession },
    errors: ["resource_not_found"],
  },
  validateCoupon: {
    key: "any",
    scope: "checkout:write",
    cache: "none",
    limit: "coupons",
    body: CouponRequest,
    reply: { status: 200, data: CouponValidation },
    errors: [],
  },
  validateLicense: { ...license, body: LicenseRequest, errors: [] },
  activateLicense: {
    ...license,
    body: LicenseActivation,
    errors: ["license_invalid", "license_revoked", "activation_limit_reached"],
  },
  deactivateLicense: { ...license, body: LicenseDeactivation, errors: ["license_invalid"] },
  listOrders: {
    key: "secret",
    scope: "orders:read",
    cache: "data",
    limit: "orders",
    query: z.object({
      limit,
      status: z.enum(orderStatuses).optional(),
      checkout_session_id: filter,
      starting_after: cursor,
    }),
    reply: { status: 200, data: Order, list: true },
    errors: ["invalid_cursor"],
  },
  getOrder: {
    key: "secret",
    scope: "orders:read",
    cache: "data",
    limit: "orders",
    params: z.object({ id: pathId }),
    reply: { status: 200, data: Order },
    errors: ["resource_not_found"],
  },
  listMyOrders: {
    key: "any",
    scope: null,
    buyer: "required",
    cache: "data",
    limit: "customers",
    query: z.object({ limit, starting_after: cursor }),
    reply: { status: 200, data: Order, list: true },
    errors: ["invalid_cursor"],
  },
  listMySubscriptions: {
    key: "any",
    scope: null,
    buyer: "required",
    cache: "data",
    limit: "customers",
    query: z.object({ limit, starting_after: cursor }),
    reply: { status: 200, data: Subscription, list: true },
    errors: ["invalid_cursor"],
  },
  cancelMySubscription: {
    key: "any",
    scope: null,
    buyer: "required",
    cache: "none",
    limit: "customers",
    params: z.object({ id: pathId }),
    reply: { status: 200, data: Subscription },
    errors: [],
  },
  keepMySubscription: {
    key: "any",
    scope: null,
    buyer: "required",
    cache: "none",
    limit: "customers",
    params: z.object({ id: pathId }),
    reply: { status: 200, data: Subscription },
    errors: ["subscription_ended"],
  },
  listEvents: {
    key: "secret",
    scope: "webhooks:read",
    cache: "data",
    limit: "orders",
    query: z.object({ limit, starting_after: cursor }),
    reply: { status: 200, data: Event, list: true },
    errors: ["invalid_cursor", "cursor_expired"],
  },
} as const satisfies Record<Operation, Route>;

export type Routes = typeof routes;

/** Gives the type of `params`, `query` or `body` of a route, before or after its check. */
type Part<R, K extends string, Side extends "in" | "out"> = R extends {
  readonly [P in K]: infer S extends z.ZodType;
}
  ? Side extends "in"
    ? z.input<S>
    : z.output<S>
  : undefined;
export type Input<O extends Operation> = {
  readonly params: Part<Routes[O], "params", "out">;
  readonly query: Part<Routes[O], "query", "out">;
  readonly body: Part<Routes[O], "body", "out">;
};
/** A client may write the body so: an optional field may be left out or null. */
export type BodyInput<O extends Operation> = Part<Routes[O], "body", "in">;
type Data<O extends Operation> = z.output<Routes[O]["reply"]["data"]>;

/** One page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  /** The words that found the products, where `search` itself found nothing. */
  readonly corrected_to?: string;
}
export type Output<O extends Operation> = Routes[O]["reply"] extends { readonly list: true }
  ? Page<Data<O>>
  : Data<O>;
