import type { WebhookEvent } from "../contract/events.ts";
import type { CheckoutSession, Order, Subscription } from "../contract/schemas.ts";
import type { StorefrontOptions } from "../options.ts";
import type { ProductInput } from "../owner/catalog/product-input.ts";
import type { OwnerProduct } from "../owner/catalog/products.ts";
import type { Partition } from "../rules/records.ts";
import type { Storefront } from "../storefront.ts";
import type {
  CallOptions,
  CancelOptions,
  CheckoutItem,
  CheckoutOptions,
  DisputeOptions,
  PayOptions,
  RefundOptions,
  RenewOptions,
} from "./step-inputs.ts";

/**
 * Your own receiver. The shop gives it each delivery as a `Request`, and reads the
 * status of its answer. An error that it throws is a failed attempt. The receiver
 * verifies a delivery with `secret`, and judges its age by `now`, the shop's clock.
 */
export type DeliverTo = (
  request: Request,
  shop: { readonly secret: string; readonly now: () => number },
) => Response | Promise<Response>;

/** The options of `createTestShop`. */
export interface TestShopOptions extends Partial<StorefrontOptions> {
  /**
   * The time at which the clock starts, in epoch milliseconds. The default is 1 January 2026, UTC.
   */
  readonly startAt?: number | undefined;
  /** The ISO 4217 code of the store's currency. The default is BRL. */
  readonly currency?: string | undefined;
  /** Your own webhook receiver: the shop's deliveries go to it too. */
  readonly deliverTo?: DeliverTo | undefined;
}

/**
 * One store with its own clock, for tests of what you build. A method is one step
 * of a story.
 */
export interface TestShop {
  readonly storefront: Storefront;
  /** The store's id in test mode, as the service calls take it. */
  readonly where: Partition;
  readonly keys: { readonly publishable: string; readonly secret: string };
  /**
   * Buyers may return to this address: the `success_url` and `cancel_url` of
   * sessions that you make by `call`.
   */
  readonly return_url: string;
  /**
   * The verified events that the receiver has accepted so far, in their order. An event that it
   * refused is not there, and one that it accepted twice is there twice.
   */
  readonly webhooks: readonly WebhookEvent[];
  now(): number;
  /**
   * Moves the clock by milliseconds, at most ten years. At each moment at which work is due, the
   * clock stops, maintenance runs, and the webhooks that are due are sent.
   */
  advanceClock(ms: number): Promise<void>;
  product(input?: Partial<ProductInput>): Promise<OwnerProduct>;
  /** Creates a session through the API with the publishable key. */
  checkout(items: readonly CheckoutItem[], options?: CheckoutOptions): Promise<CheckoutSession>;
  /**
   * Submits the hosted page as the buyer. With `consent` the method of a plan is kept, and
   * `advanceClock` charges its later periods.
   */
  pay(session: CheckoutSession, options?: PayOptions): Promise<Order>;
  /** Submits the hosted page; the sandbox declines the payment. */
  fail(session: CheckoutSession): Promise<Order>;
  /** Refunds `amount`, or all that is left. */
  refund(order: Pick<Order, "id">, options?: RefundOptions): Promise<Order>;
  /**
   * Opens a chargeback, or goes on with the order's open one: with `outcome` it is
   * closed, at once or by a later call.
   */
  dispute(order: Pick<Order, "id">, options?: DisputeOptions): Promise<Order>;
  /**
   * Moves the clock to the end of the paid period. Then the next period is paid or
   * fails.
   */
  renew(subscription: Pick<Subscription, "id">, options?: RenewOptions): Promise<Subscription>;
  /**
   * Cancels at the end of the paid period, which the next `advanceClock` past it
   * shows. With `at_period_end: false` it cancels at once.
   */
  cancel(subscription: Pick<Subscription, "id">, options?: CancelOptions): Promise<Subscription>;
  /** Calls the API, by default with the secret key. */
  call(
    method: string,
    path: string,
    options?: CallOptions,
  ): Promise<{ readonly status: number; readonly body: unknown }>;
}
