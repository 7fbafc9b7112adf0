import { type AccessState, createAccessState } from "./access.ts";
import { type CatalogState, createCatalogState } from "./catalog.ts";
import { type CheckoutState, createCheckoutState } from "./checkout.ts";
import { createOrderState, type OrderState } from "./orders.ts";
import type { CursorRow } from "./webhook-state.ts";
import { createWebhookState, type WebhookState } from "./webhook-state.ts";

/** All of a memory storage. A step reads and writes it without an `await` in between: that is what makes it atomic. */
export interface MemoryState {
  readonly access: AccessState;
  readonly catalog: CatalogState;
  readonly checkout: CheckoutState;
  readonly orders: OrderState;
  readonly webhooks: WebhookState;
  /** Cursors of the host's consumers. */
  readonly consumers: Map<string, CursorRow>;
}

export const createMemoryState = (): MemoryState => ({
  access: createAccessState(),
  catalog: createCatalogState(),
  checkout: createCheckoutState(),
  orders: createOrderState(),
  webhooks: createWebhookState(),
  consumers: new Map(),
});

/** Key of a partitioned row. */
export const rowKey = (
  partition: { store_id: string; livemode: boolean },
  id: string | number = "",
): string => `${partition.store_id}\n${partition.livemode ? "live" : "test"}\n${id}`;
