import { lazyService } from "../domain/lazy-service.ts";
import { keyLifetimeMs } from "../rules/key-lifetime.ts";
import type { OrderStore } from "../storage/order-store.ts";
import type { Storage } from "../storage/types.ts";
import { memoryAccess } from "./access.ts";
import { memoryCatalog } from "./catalog.ts";
import { memoryCheckout } from "./checkout.ts";
import { memoryConsumers } from "./consumers.ts";
import { memoryLimits } from "./limits.ts";
import { memoryPrivacy } from "./privacy.ts";
import { createMemoryState, type MemoryState } from "./state.ts";
import { memoryWebhooks } from "./webhook-store.ts";

/**
 * Storage in this process's memory, for tests and first steps. It ends with the
 * process.
 */
export function memoryStorage(): Storage {
  const state = createMemoryState();
  return {
    access: memoryAccess(state),
    catalog: memoryCatalog(state),
    checkout: memoryCheckout(state),
    // The rules of orders are a third of what would be loaded, and most processes use a database.
    orders: lazyService<OrderStore>(async () => (await import("./orders.ts")).memoryOrders(state)),
    webhooks: memoryWebhooks(state),
    limits: memoryLimits(),
    consumers: memoryConsumers(state),
    privacy: memoryPrivacy(state),
    purge: async (now) => purge(state, now),
    migrate: () => Promise.resolve(),
    close: () => Promise.resolve(),
    ephemeral: true,
    dataVersion: null,
    clock: null,
  };
}

/**
 * Only idempotency keys are purged: limit buckets are bounded, and notification ids
 * are few.
 */
function purge({ checkout }: MemoryState, now: number): number {
  const old = [...checkout.keys].filter(([, row]) => row.created_at <= now - keyLifetimeMs);
  for (const [key] of old) checkout.keys.delete(key);
  return old.length;
}
