import type * as contract from "../contract/schemas.ts";
import type { Open } from "./types.ts";

export type Store = Open<contract.Store>;
export type Category = Open<contract.Category>;
export type PaymentMethod = Open<contract.PaymentMethod>;
export type Product = Open<contract.Product>;
export type CheckoutSession = Open<contract.CheckoutSession>;
export type CheckoutSessionStatus = Open<contract.CheckoutSessionStatus>;
export type CheckoutSessionDetails = Open<contract.CheckoutSessionDetails>;
export type LineItem = Open<contract.LineItem>;
export type CouponValidation = Open<contract.CouponValidation>;
export type Order = Open<contract.Order>;
export type OrderItem = Open<contract.OrderItem>;
export type Customer = Open<contract.Customer>;
export type Subscription = Open<contract.Subscription>;
