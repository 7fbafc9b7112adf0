import { lazyService } from "../../../src/domain/lazy-service.ts";
import type { DashboardStore } from "../../../src/storage/dashboard-store.ts";
import type { Storage } from "../../../src/storage/types.ts";
import { sqlAccess } from "./access/access.ts";
import { sqlCatalog } from "./catalog/catalog.ts";
import { sqlCheckout } from "./checkout/checkout.ts";
import { sqlLimits } from "./checkout/limits.ts";
import type { SqlEngine } from "./engine/engine.ts";
import { sqlOrders } from "./orders/orders.ts";
import { sqlPrivacy } from "./privacy.ts";
import { purge } from "./purge.ts";
import { sqlConsumers } from "./webhooks/consumers.ts";
import { sqlWebhooks } from "./webhooks/webhooks.ts";

/** Builds every store of the storage port on one engine. */
export const sqlStorage = (
  engine: SqlEngine,
  rest: Pick<Storage, "migrate" | "close" | "ephemeral" | "dataVersion" | "clock" | "within">,
): Storage => ({
  access: sqlAccess(engine),
  catalog: sqlCatalog(engine),
  checkout: sqlCheckout(engine),
  orders: sqlOrders(engine),
  webhooks: sqlWebhooks(engine),
  limits: sqlLimits(engine),
  consumers: sqlConsumers(engine),
  privacy: sqlPrivacy(engine),
  // Loaded at the first call, because no buyer's request needs it.
  dashboard: lazyService<DashboardStore>(async () =>
    (await import("./dashboard.ts")).sqlDashboard(engine),
  ),
  purge: (now, limit) => engine.write(() => purge(engine, now, limit)),
  ...rest,
});
