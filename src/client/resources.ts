import type * as suggestions from "../contract/catalog/suggestion-schema.ts";
import type * as licenses from "../contract/entitlement-schema.ts";
import type * as contract from "../contract/schemas.ts";
import type { Open } from "./types.ts";

/** The store that an API key belongs to, as the public API shows it. */
export type Store = Open<contract.Store>;

/** A category of the catalog, as the public API shows it. */
export type Category = Open<contract.Category>;

/** A way to pay that the store offers. */
export type PaymentMethod = Open<contract.PaymentMethod>;

/** A product of the catalog, as the public API shows it. Prices are in minor units. */
export type Product = Open<contract.Product>;

/** A product to suggest while a buyer types its name. */
export type ProductSuggestion = Open<suggestions.ProductSuggestion>;

/** A checkout session as the call that creates it returns it. */
export type CheckoutSession = Open<contract.CheckoutSession>;

/** The fields of a checkout session that a publishable key may read. */
export type CheckoutSessionStatus = Open<contract.CheckoutSessionStatus>;

/** The fields of a checkout session that a secret key may read. */
export type CheckoutSessionDetails = Open<contract.CheckoutSessionDetails>;

/** A line of a checkout session. */
export type LineItem = Open<contract.LineItem>;

/** The discount that a coupon would give to a cart. */
export type CouponValidation = Open<contract.CouponValidation>;

/** What a store says about a license key. */
export type License = Open<licenses.License>;

/** An order, as the public API, events and services show it. Amounts are in minor units. */
export type Order = Open<contract.Order>;

/** A line of an order, as it was when the order was made. */
export type OrderItem = Open<contract.OrderItem>;

/** The buyer of an order. Its tax id is masked. */
export type Customer = Open<contract.Customer>;

/** A subscription, which is charged each period. Amounts are in minor units. */
export type Subscription = Open<contract.Subscription>;
