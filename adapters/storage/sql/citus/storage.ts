import { lazyService } from "#core/domain/async/lazy-service.ts";
import type { BackOfficeStore } from "#core/storage/back-office-store.ts";
import type { PrivacyStore } from "#core/storage/privacy-store.ts";
import type { Storage } from "#core/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import type { Naming } from "../schema/names.ts";
import { unlessLost } from "./lanes/unless-lost.ts";

type CitusStores = Pick<
  Storage,
  | "records"
  | "checkout"
  | "orders"
  | "webhooks"
  | "consumers"
  | "backOffice"
  | "stats"
  | "gauges"
  | "audit"
  | "purge"
  | "privacy"
>;

/** The most deliveries of an endpoint that its end skips. */
const mostSkipped = 1_000_000;

/**
 * Replaces the steps of plain PostgreSQL that do not fit Citus: those that span stores,
 * and reads of several tables. Their code is loaded at the first call, so a host that
 * does not distribute never loads it.
 */
export function storesOnCitus(engine: SqlEngine, naming: Naming, plain: Storage): CitusStores {
  const now = (): number => plain.clock?.now() ?? Date.now();
  const steps = lazyService(async () =>
    (await import("./steps.ts")).citusSteps(engine, naming, plain),
  );
  const { records, checkout, orders, webhooks, consumers, stats, gauges, audit } = plain;

  return {
    records: {
      stepProducts: records.stepProducts,
      async step(subject, decide) {
        const result = await records.step(subject, decide);
        // No later claim finds the deliveries of an endpoint that is gone: it looks by endpoint.
        if (subject.on === "endpoint" && subject.may === "delete")
          await steps.skipDeliveries(subject.store_id, subject.id, mostSkipped, now());
        return result;
      },
    },
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
    privacy: lazyService<PrivacyStore>(async () =>
      (await import("../erasure/privacy.ts")).sqlPrivacy(engine, steps.readLeft),
    ),
    gauges: { read: steps.readGauges, readiness: gauges.readiness },
    backOffice: lazyService<BackOfficeStore>(async () => {
      const { sqlBackOffice } = await import("../back-office/back-office.ts");
      const { indexOrders, indexProducts } = steps;
      return { ...sqlBackOffice(engine), indexOrders, indexProducts };
    }),
    // Numbers stay right while nothing is rolled up, because reads count what is left.
    stats: {
      listHours: stats.listHours,
      sumSubscriptions: stats.sumSubscriptions,
      count: unlessLost(stats.count),
    },
    audit: { list: audit.list, note: audit.note, prune: steps.pruneAudit },
    purge: steps.purge,
  };
}
