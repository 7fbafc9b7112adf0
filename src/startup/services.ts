import { lazyService } from "../domain/async/lazy-service.ts";
import { createOwner } from "../owner/owner.ts";
import type { ActorServices } from "../payments/actor-services.ts";
import type { CheckoutService } from "../payments/checkout/checkout-service.ts";
import type { OrderService } from "../payments/order-service.ts";
import type { RefundService } from "../payments/refunds/refund-service.ts";
import type { SubscriptionService } from "../payments/subscription-service.ts";
import { createCustomerService } from "../payments/tokens/customer-service.ts";
import type { Storage } from "../storage/types.ts";
import type { WebhookTransport } from "../webhooks/send/transport.ts";
import type { Parts } from "./context.ts";
import { flushKeyUses, flushRequestLog } from "./flush.ts";

export interface Services extends ActorServices {
  readonly refunds: RefundService;
}

/** Makes the services that read and write one storage, plain or audited. */
export function createServices(
  { http, payments, keyRing, signals, tokens }: Parts,
  transport: WebhookTransport | null,
  storage: Storage,
): Services {
  const context = { ...payments, storage };

  return {
    owner: createOwner({
      storage,
      transport,
      keyRing,
      now: http.now,
      newId: http.newId,
      randomBytes: http.randomBytes,
      changed(store_id) {
        http.clearStore(store_id);
        payments.shops.clear(store_id);
      },
      due: signals.committed,
      endpointChanged: signals.endpointChanged,
      flushRequestLog: () => flushRequestLog(http),
      flushKeyUses: () => flushKeyUses(http),
    }),
    checkout: lazyService<CheckoutService>(async () => {
      const module = await import("../payments/checkout/create-checkout-service.ts");
      return module.createCheckoutService(context);
    }),
    orders: lazyService<OrderService>(async () =>
      (await import("../payments/order-service.ts")).createOrderService(context),
    ),
    refunds: lazyService<RefundService>(async () =>
      (await import("../payments/refunds/refund-service.ts")).createRefundService(context),
    ),
    subscriptions: lazyService<SubscriptionService>(async () => {
      const module = await import("../payments/subscription-service.ts");
      return module.createSubscriptionService(context);
    }),
    customers: createCustomerService({ ...context, tokens, isAudited: storage !== http.storage }),
  };
}
