import { lazyService } from "../domain/async/lazy-service.ts";
import { createOwner } from "../owner/owner.ts";
import type { ActorServices } from "../payments/actor-services.ts";
import type { CheckoutService } from "../payments/checkout/checkout-service.ts";
import type { OrderService } from "../payments/order-service.ts";
import type { RefundService } from "../payments/refunds/refund-service.ts";
import type { SubscriptionService } from "../payments/subscriptions.ts";
import { createCustomerService } from "../payments/tokens/customer-service.ts";
import type { Storage } from "../storage/types.ts";
import type { DrainOptions } from "../webhooks/drain/drain.ts";
import type { WebhookTransport } from "../webhooks/send/transport.ts";
import type { Parts } from "./context.ts";
import { flushKeyUses, flushRequestLog } from "./flush.ts";

export interface Services extends ActorServices {
  readonly refunds: RefundService;
}

/** What the services take of the options, and how this process sends webhooks. */
export interface ServiceOptions {
  /** The address of the customer page. Null when the host has none. */
  readonly customerPageUrl: string | null;
  readonly transport: WebhookTransport | null;
  drain(options: DrainOptions): Promise<unknown>;
}

/** Both parts of a turn of a test clock end soon, so that its call can answer. */
const turnOfClock = {
  maintenance: { maxDurationMs: 5_000 },
  drain: { timeoutMs: 5_000, maxDurationMs: 8_000 },
} as const;

/** Makes the services that read and write one storage, plain or audited. */
export function createServices(
  { http, payments, keyRing, signals, tokens }: Parts,
  { transport, drain, customerPageUrl }: ServiceOptions,
  storage: Storage,
): Services {
  const context = { ...payments, storage };

  return {
    owner: createOwner({
      storage,
      transport,
      keyRing,
      customerPageUrl,
      filesUrl: http.filesUrl,
      clock: payments.clock,
      now: http.now,
      newId: http.newId,
      randomBytes: http.randomBytes,
      changed(store_id) {
        http.clearStore(store_id);
        payments.shops.clear(store_id);
      },
      async doTestWork(store_id) {
        const { runMaintenance } = await import("../payments/maintenance/maintenance.ts");
        await runMaintenance(payments, turnOfClock.maintenance, { store_id, livemode: false });
        // Where no webhooks are sent, another process sends them.
        if (transport) await drain(turnOfClock.drain);
      },
      async forgetErased(store_id, customer_id) {
        const { forgetErased } = await import("../payments/renewals/forget-saved.ts");
        return forgetErased(context, store_id, customer_id);
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
