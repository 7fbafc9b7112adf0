import type { Cart, CartProduct } from "../rules/checkout/checkout-records.ts";
import type { SessionLine } from "../rules/checkout/session-line.ts";
import type { Partition } from "../rules/records.ts";
import type { CartLine, PricedCart } from "./cart.ts";
import type { OperationContext } from "./context.ts";

/** What a call that prices a cart has at hand. */
export interface PricingCall {
  readonly ctx: OperationContext;
  readonly partition: Partition;
  readonly cart: Cart;
  /** The time of the mode, in epoch milliseconds. */
  readonly now: number;
}

/** The goods that a buyer asks for. */
export interface WantedGoods {
  readonly items: readonly (CartLine & {
    readonly variables?: Readonly<Record<string, unknown>> | undefined;
  })[];
  readonly coupon_code: string | null;
  /** False sells a product without its trial. */
  readonly trial: boolean;
}

/** The goods as a session keeps them. */
export interface PricedGoods {
  /** Null when no coupon was named. That of a trial has no code. */
  readonly coupon: { readonly id: string; readonly code: string | null } | null;
  readonly priced: PricedCart;
  readonly lines: readonly SessionLine[];
}

/** Products of a cart that go together, with the currency of their prices. */
export interface MatchedGoods {
  readonly products: readonly CartProduct[];
  readonly currency: string;
}
