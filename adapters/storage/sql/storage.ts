import { lazyService } from "#core/domain/async/lazy-service.ts";
import type { AuditStore } from "#core/storage/audit-store.ts";
import type { BackOfficeStore } from "#core/storage/back-office-store.ts";
import type { DashboardStore } from "#core/storage/dashboard-store.ts";
import type { PrivacyStore } from "#core/storage/privacy-store.ts";
import type { GaugesStore } from "#core/storage/reads/gauges-store.ts";
import type { ListingStore } from "#core/storage/reads/listing-store.ts";
import type { StatsStore } from "#core/storage/reads/stats-store.ts";
import type { RecordStore } from "#core/storage/record-store.ts";
import type { RequestLogStore } from "#core/storage/request-log-store.ts";
import type { Storage } from "#core/storage/types.ts";
import { sqlAccess } from "./access/access.ts";
import { sqlCatalog } from "./catalog/catalog.ts";
import { sqlCheckout } from "./checkout/checkout.ts";
import { sqlLimits } from "./checkout/limits.ts";
import type { SqlEngine } from "./engine/engine.ts";
import { sqlOrders } from "./orders/orders.ts";
import { purge } from "./purge.ts";
import { sqlConsumers } from "./webhooks/consumers.ts";
import { sqlWebhooks } from "./webhooks/webhooks.ts";

/** Builds every store of the storage port on one engine. */
export const sqlStorage = (
  engine: SqlEngine,
  rest: Pick<
    Storage,
    | "migrate"
    | "planMigration"
    | "joinsTransactions"
    | "close"
    | "ephemeral"
    | "dataVersion"
    | "clock"
    | "findRisks"
  >,
): Storage => ({
  access: sqlAccess(engine),
  catalog: sqlCatalog(engine),
  // The owner alone writes these records.
  records: lazyService<RecordStore>(async () =>
    (await import("./records/records.ts")).sqlRecords(engine),
  ),
  checkout: sqlCheckout(engine),
  orders: sqlOrders(engine),
  webhooks: sqlWebhooks(engine),
  limits: sqlLimits(engine),
  consumers: sqlConsumers(engine),
  privacy: lazyService<PrivacyStore>(async () =>
    (await import("./erasure/privacy.ts")).sqlPrivacy(engine),
  ),
  // It is loaded at the first call, because no buyer's request reads these lists.
  lists: lazyService<ListingStore>(async () => (await import("./lists/lists.ts")).sqlLists(engine)),
  backOffice: lazyService<BackOfficeStore>(async () =>
    (await import("./back-office/back-office.ts")).sqlBackOffice(engine),
  ),
  stats: lazyService<StatsStore>(async () => (await import("./stats/stats.ts")).sqlStats(engine)),
  // Monitoring alone asks for it.
  gauges: lazyService<GaugesStore>(async () =>
    (await import("./stats/gauges.ts")).sqlGauges(engine),
  ),
  // It is loaded at the first call, because no buyer's request needs it.
  dashboard: lazyService<DashboardStore>(async () =>
    (await import("./dashboard/dashboard.ts")).sqlDashboard(engine),
  ),
  requests: lazyService<RequestLogStore>(async () =>
    (await import("./audit/requests.ts")).sqlRequests(engine),
  ),
  audit: lazyService<AuditStore>(async () => (await import("./audit/audit.ts")).sqlAudit(engine)),
  purge: (now, limit) => engine.write(() => purge(engine, now, limit)),
  ...rest,
});
