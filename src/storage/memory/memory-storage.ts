import type { Storage } from "../types.ts";
import { memoryAccess } from "./access.ts";
import { memoryCatalog } from "./catalog.ts";
import { memoryCheckout } from "./checkout.ts";
import { memoryLimits } from "./limits.ts";
import { memoryOrders } from "./orders.ts";
import { createMemoryState } from "./state.ts";
import { memoryWebhooks } from "./webhook-store.ts";

/** Everything in this process's memory: for tests and try-outs. Gone with the process. */
export function memoryStorage(): Storage {
  const state = createMemoryState();
  return {
    access: memoryAccess(state),
    catalog: memoryCatalog(state),
    checkout: memoryCheckout(state),
    orders: memoryOrders(state),
    webhooks: memoryWebhooks(state),
    limits: memoryLimits(),
    migrate: () => Promise.resolve(),
    close: () => Promise.resolve(),
    ephemeral: true,
    dataVersion: null,
  };
}
