import { lazyService } from "#core/domain/async/lazy-service.ts";
import type { BackOfficeStore } from "#core/storage/back-office-store.ts";
import type { Storage } from "#core/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import type { Naming } from "../schema/names.ts";
import { unlessLost } from "./lanes/unless-lost.ts";

type CitusStores = Pick<
  Storage,
  | "checkout"
  | "orders"
  | "webhooks"
  | "consumers"
  | "backOffice"
  | "stats"
  | "gauges"
  | "audit"
  | "purge"
>;

/**
 * Replaces the steps of plain PostgreSQL that do not fit Citus: those that span stores,
 * and reads of several tables. Their code is loaded at the first call, so a host that
 * does not distribute never loads it.
 */
export function storesOnCitus(engine: SqlEngine, naming: Naming, plain: Storage): CitusStores {
  const steps = lazyService(async () =>
    (await import("./steps.ts")).citusSteps(engine, naming, plain),
  );
  const { checkout, orders, webhooks, consumers, stats, gauges, audit } = plain;

  return {
    checkout: { ...checkout, openCheckout: steps.openCheckout, loadCart: steps.loadCart },
    orders: {
      ...orders,
      claimWork: steps.claimWork,
      findAttempts: steps.findAttempts,
    },
    webhooks: {
      ...webhooks,
      claimDeliveries: steps.claimDeliveries,
      settleDeliveries: steps.settleDeliveries,
      releaseDeliveries: steps.releaseDeliveries,
      skipDeliveries: steps.skipDeliveries,
      findNextWork: steps.findNextWork,
      findDestinations: steps.findDestinations,
      claimNotices: steps.claimNotices,
      prune: steps.prune,
    },
    consumers: { ...consumers, claimEvents: steps.claimEvents, lag: steps.lag },
    gauges: { read: steps.readGauges, readiness: gauges.readiness },
    backOffice: lazyService<BackOfficeStore>(async () => {
      const { sqlBackOffice } = await import("../back-office/back-office.ts");
      return { ...sqlBackOffice(engine), indexOrders: steps.indexOrders };
    }),
    // Numbers stay right while nothing is rolled up, because reads count what is left.
    stats: {
      listHours: stats.listHours,
      count: unlessLost(stats.count),
    },
    audit: { list: audit.list, note: audit.note, prune: steps.pruneAudit },
    purge: steps.purge,
  };
}
