import type { Storage } from "vitrine/storage";
import {
  auditStore,
  backOfficeStore,
  dashboardStore,
  gaugesStore,
  limitStore,
  listingStore,
  privacyStore,
  purge,
  requestLogStore,
  statsStore,
} from "./office.ts";
import { checkoutStore, orderStore } from "./orders.ts";
import { accessStore, catalogStore, recordStore } from "./records.ts";
import { createTables } from "./tables.ts";
import { consumerStore, webhookStore } from "./webhooks.ts";

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * A storage as a third party would write it: maps for the rows, and one mutex that makes each
 * method a transaction of its own. It imports nothing but `vitrine/storage`.
 */
export function mapStorage(): Storage {
  const tables = createTables();
  let last: Promise<unknown> = Promise.resolve();

  /** Runs a method when those that were called before it have ended, failed or not. */
  const exclusively: (method: Method) => Method =
    (method) =>
    (...args) => {
      const ended = last.then(() => method(...args));
      last = ended.catch(() => undefined);
      return ended;
    };

  function locked<Store extends object>(store: Store): Store {
    const methods = Object.entries<Method>(store as Record<string, Method>);
    return Object.fromEntries(
      methods.map(([name, method]) => [name, exclusively(method)]),
    ) as Store;
  }

  return {
    access: locked(accessStore(tables)),
    catalog: locked(catalogStore(tables)),
    records: locked(recordStore(tables)),
    checkout: locked(checkoutStore(tables)),
    orders: locked(orderStore(tables)),
    webhooks: locked(webhookStore(tables)),
    limits: locked(limitStore()),
    consumers: locked(consumerStore(tables)),
    privacy: locked(privacyStore(tables)),
    lists: locked(listingStore(tables)),
    backOffice: locked(backOfficeStore(tables)),
    stats: locked(statsStore(tables)),
    gauges: locked(gaugesStore(tables)),
    dashboard: locked(dashboardStore(tables)),
    requests: locked(requestLogStore(tables)),
    audit: locked(auditStore(tables)),
    ...locked({ purge: async (now: number, limit: number) => purge(tables, now, limit) }),
    migrate: async () => {},
    close: async () => {},
    joinsTransactions: false,
    ephemeral: true,
    dataVersion: null,
    clock: null,
  };
}
