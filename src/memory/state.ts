import type { AuditRecord } from "../rules/audit/audit-records.ts";
import type { StatChange } from "../rules/owner/stats.ts";
import type { NumberedBlock } from "../rules/request-log/request-log.ts";
import { type AccessState, createAccessState } from "./access/access-state.ts";
import { createDashboardState, type DashboardState } from "./access/dashboard-state.ts";
import { type CatalogState, createCatalogState } from "./catalog/catalog-state.ts";
import { type CheckoutState, createCheckoutState } from "./orders/checkout-state.ts";
import { createOrderState, type OrderState } from "./orders/order-state.ts";
import { type CursorRow, createWebhookState, type WebhookState } from "./webhooks/webhook-state.ts";

/**
 * Holds everything of a memory storage. A store's method reads and writes it
 * without an `await` in between: that is what makes the method atomic.
 */
export interface MemoryState {
  readonly access: AccessState;
  readonly catalog: CatalogState;
  readonly checkout: CheckoutState;
  readonly orders: OrderState;
  readonly webhooks: WebhookState;
  /** The cursors of the host's consumers. */
  readonly consumers: Map<string, CursorRow>;
  /** The numbers by partition, kind, currency and hour. */
  readonly stats: Map<string, StatChange>;
  readonly dashboard: DashboardState;
  /** The blocks of the request log by partition, the oldest first. */
  readonly requests: Map<string, readonly NumberedBlock[]>;
  /** The entries of the audit log by store and id. */
  readonly audit: Map<string, AuditRecord>;
}

export const createMemoryState = (): MemoryState => ({
  access: createAccessState(),
  catalog: createCatalogState(),
  checkout: createCheckoutState(),
  orders: createOrderState(),
  webhooks: createWebhookState(),
  consumers: new Map(),
  stats: new Map(),
  dashboard: createDashboardState(),
  requests: new Map(),
  audit: new Map(),
});
