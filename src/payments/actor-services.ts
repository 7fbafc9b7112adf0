import type { Owner } from "../owner/owner.ts";
import type { CheckoutService } from "./checkout/checkout-service.ts";
import type { OrderService } from "./order-service.ts";
import type { SubscriptionService } from "./subscriptions.ts";
import type { CustomerService } from "./tokens/customer-service.ts";

/** Offers the services of one actor. Every write leaves an entry in the audit log. */
export interface ActorServices {
  readonly owner: Owner;
  readonly orders: OrderService;
  readonly checkout: CheckoutService;
  readonly subscriptions: SubscriptionService;
  readonly customers: CustomerService;
}
