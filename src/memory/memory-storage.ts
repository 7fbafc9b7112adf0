import { lazyService } from "../domain/async/lazy-service.ts";
import { keptSessionDayMs, keptSessionMs, keyLifetimeMs } from "../rules/checkout/lifetimes.ts";
import type { AuditStore } from "../storage/audit-store.ts";
import type { BackOfficeStore } from "../storage/back-office-store.ts";
import type { ConsumerStore } from "../storage/consumer-store.ts";
import type { DashboardStore } from "../storage/dashboard-store.ts";
import type { OrderStore } from "../storage/order-store.ts";
import type { PrivacyStore } from "../storage/privacy-store.ts";
import type { GaugesStore } from "../storage/reads/gauges-store.ts";
import type { ListingStore } from "../storage/reads/listing-store.ts";
import type { StatsStore } from "../storage/reads/stats-store.ts";
import type { RecordStore } from "../storage/record-store.ts";
import type { RequestLogStore } from "../storage/request-log-store.ts";
import type { Storage } from "../storage/types.ts";
import { memoryAccess } from "./access/access.ts";
import { purgeDashboard } from "./access/dashboard-state.ts";
import { memoryLimits } from "./access/limits.ts";
import { memoryCatalog } from "./catalog/catalog.ts";
import { memoryCheckout } from "./orders/checkout.ts";
import { createMemoryState, type MemoryState } from "./state.ts";
import { memoryWebhooks } from "./webhooks/webhook-store.ts";

/**
 * Makes a storage in this process's memory, for tests and first steps. It ends with
 * the process.
 */
export function memoryStorage(): Storage {
  const state = createMemoryState();

  return {
    access: memoryAccess(state),
    catalog: memoryCatalog(state),
    records: lazyService<RecordStore>(async () =>
      (await import("./records/records.ts")).memoryRecords(state),
    ),
    checkout: memoryCheckout(state),
    // The rules of orders are a third of what would be loaded, and most processes use a database.
    // Wrap it by `Object.create`: its methods have no names before the first call.
    orders: lazyService<OrderStore>(async () =>
      (await import("./orders/orders.ts")).memoryOrders(state),
    ),
    webhooks: memoryWebhooks(state),
    limits: memoryLimits(),
    consumers: lazyService<ConsumerStore>(async () =>
      (await import("./webhooks/consumers.ts")).memoryConsumers(state),
    ),
    privacy: lazyService<PrivacyStore>(async () =>
      (await import("./orders/privacy.ts")).memoryPrivacy(state),
    ),
    lists: lazyService<ListingStore>(async () => (await import("./lists.ts")).memoryLists(state)),
    backOffice: lazyService<BackOfficeStore>(async () =>
      (await import("./orders/back-office.ts")).memoryBackOffice(state),
    ),
    stats: lazyService<StatsStore>(async () => (await import("./stats.ts")).memoryStats(state)),
    gauges: lazyService<GaugesStore>(async () => (await import("./gauges.ts")).memoryGauges(state)),
    dashboard: lazyService<DashboardStore>(async () =>
      (await import("./access/dashboard.ts")).memoryDashboard(state),
    ),
    requests: lazyService<RequestLogStore>(async () =>
      (await import("./access/requests.ts")).memoryRequests(state),
    ),
    audit: lazyService<AuditStore>(async () =>
      (await import("./access/audit.ts")).memoryAudit(state),
    ),
    purge: async (now, limit) =>
      (await purge(state, now, limit)) +
      purgeDashboard(state.dashboard, now, limit) +
      purgeRequests(state, now, limit),
    migrate: () => Promise.resolve(),
    close: () => Promise.resolve(),
    joinsTransactions: false,
    ephemeral: true,
    dataVersion: null,
    clock: null,
  };
}

/** Deletes expired blocks of the request log, and gives how many. */
function purgeRequests({ requests }: MemoryState, now: number, limit: number): number {
  let deleted = 0;
  for (const [key, blocks] of requests) {
    const old = blocks.filter(({ expires_at }) => expires_at <= now).slice(0, limit - deleted);
    deleted += old.length;
    if (old.length > 0)
      requests.set(
        key,
        blocks.filter((block) => !old.includes(block)),
      );
  }
  return deleted;
}

/**
 * Idempotency keys, sessions and their daily counts are purged. Limit buckets are
 * bounded, and notification ids are few.
 */
async function purge(state: MemoryState, now: number, limit: number): Promise<number> {
  const { keys, sessions, session_days } = state.checkout;
  const oldKeys = [...keys]
    .filter(([, row]) => row.created_at <= now - keyLifetimeMs)
    .slice(0, limit);
  for (const [key] of oldKeys) keys.delete(key);

  const oldDays = [...session_days]
    .filter(([, { day }]) => day <= now - keptSessionDayMs)
    .slice(0, limit);
  for (const [key] of oldDays) session_days.delete(key);

  const { addStat, statOfSession } = await import("./stats.ts");
  const oldSessions = [...sessions]
    .filter(
      ([key, session]) =>
        session.status === "open" &&
        session.expires_at <= now - keptSessionMs &&
        !state.orders.by_session.has(key),
    )
    .slice(0, limit);
  for (const [key, session] of oldSessions) {
    sessions.delete(key);
    addStat(state, session, statOfSession(session));
  }
  return oldKeys.length + oldDays.length + oldSessions.length;
}
