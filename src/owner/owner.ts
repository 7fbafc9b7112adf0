import { lazyService } from "../domain/async/lazy-service.ts";
import type { OwnerAddresses } from "./addresses.ts";
import type { OwnerAlerts } from "./alerts.ts";
import type { OwnerArchive } from "./archive/archive.ts";
import type { OwnerAudit } from "./audit.ts";
import type { OwnerCategories } from "./catalog/categories.ts";
import type { OwnerCoupons } from "./catalog/coupons.ts";
import type { OwnerPaymentMethods } from "./catalog/payment-methods.ts";
import type { OwnerProducts } from "./catalog/products.ts";
import type { OwnerContext } from "./context.ts";
import type { BooksQuery } from "./exports/books/open-books.ts";
import type { ExportKind } from "./exports/kinds.ts";
import type { ExportQuery, OwnerExport } from "./exports/open-export.ts";
import type { OwnerKeys } from "./keys.ts";
import type { OwnerRequests } from "./requests.ts";
import type { OwnerCustomers } from "./sales/customers.ts";
import type { OwnerDisputes } from "./sales/disputes.ts";
import type { OwnerOrders } from "./sales/orders.ts";
import type { OwnerPayments } from "./sales/payments.ts";
import type { OwnerRefunds } from "./sales/refunds.ts";
import type { OwnerSessions } from "./sales/sessions.ts";
import type { OwnerSubscriptions } from "./sales/subscriptions.ts";
import type { OwnerSales, OwnerSalesQuery } from "./stats/sales.ts";
import type { OwnerStats, StatsQuery } from "./stats/stats.ts";
import type { OwnerStores } from "./stores.ts";
import type { OwnerTestClock } from "./test-clock.ts";
import type { OwnerDeliveries } from "./webhooks/deliveries.ts";
import type { OwnerEndpoints } from "./webhooks/endpoints.ts";
import type { OwnerEvents } from "./webhooks/events.ts";

/**
 * The dashboard of a store owner needs these calls. They check no permission: the
 * host must know who is calling. Wrong input throws before anything is stored, and
 * `param` names the field.
 */
export interface Owner {
  readonly stores: OwnerStores;
  readonly keys: OwnerKeys;
  readonly origins: OwnerAddresses;
  readonly returnUrls: OwnerAddresses;
  readonly products: OwnerProducts;
  readonly categories: OwnerCategories;
  readonly paymentMethods: OwnerPaymentMethods;
  readonly coupons: OwnerCoupons;
  readonly sessions: OwnerSessions;
  readonly payments: OwnerPayments;
  readonly refunds: OwnerRefunds;
  readonly disputes: OwnerDisputes;
  readonly subscriptions: OwnerSubscriptions;
  readonly events: OwnerEvents;
  readonly endpoints: OwnerEndpoints;
  readonly deliveries: OwnerDeliveries;
  readonly alerts: OwnerAlerts;
  readonly orders: OwnerOrders;
  readonly customers: OwnerCustomers;
  readonly requests: OwnerRequests;
  readonly testClock: OwnerTestClock;
  /** Reads the audit log of what actors did. `storefront.as(actor)` writes it. */
  readonly audit: OwnerAudit;
  /** Moves the orders of past months into files of yours, and reads them again. */
  readonly archive: OwnerArchive;
  /**
   * Tells what was paid, refunded, lost in disputes and failed, by hour, or by day
   * or month of the store's time zone (docs/contract/back-office.md#numbers). A number is
   * written in the transaction of the step that it counts.
   */
  stats(query: StatsQuery): Promise<OwnerStats>;
  /**
   * Tells which products sold most, what each channel brought, and how many customers were new,
   * also compared with the time before (docs/contract/back-office.md#sales).
   */
  sales(query: OwnerSalesQuery): Promise<OwnerSales>;
  /**
   * Writes all rows of a list as a file, in the order of the list. The list is read
   * page by page meanwhile (docs/contract/back-office.md#exports). A row that is made meanwhile
   * may be in the file or not, and no row comes twice. Errors of the list are
   * thrown before the first byte.
   */
  export<Kind extends ExportKind>(kind: Kind, query: ExportQuery<Kind>): Promise<OwnerExport>;
  /**
   * Writes the money that moved in a span of time as a CSV for an accountant: sales when they
   * were paid, refunds when they succeeded, disputes when they were lost. The lines add up to
   * `stats` of the same span (docs/contract/back-office.md#exports). Errors are thrown before the
   * first byte.
   */
  exportBooks(query: BooksQuery): Promise<OwnerExport>;
  /**
   * Removes the personal data of a customer in both modes, as LGPD and GDPR ask:
   * from sessions, stored replies, orders, subscriptions, refunds, disputes, coupon
   * uses, event bytes, delivery snippets and notes on orders, with the variables and
   * metadata of what they bought. Order numbers, products and amounts stay. The
   * customer's tokens are revoked. Resolves to false when there was no such data.
   *
   * The erasure works in short transactions, whatever the number of orders and events. One that
   * takes longer than five seconds resolves to `"accepted"`, and maintenance does the rest. It
   * does so too when the process dies, or a chunk fails.
   */
  eraseCustomer(store_id: string, customer_id: string): Promise<boolean | "accepted">;
  /**
   * Deletes everything that was made with test keys, and sets the stock of the test
   * mode to that of the live mode. Endpoints and keys stay.
   */
  wipeTestData(store_id: string): Promise<void>;
}

export const createOwner = (ctx: OwnerContext): Owner => ({
  stores: lazyService(async () => (await import("./stores.ts")).createStores(ctx)),
  keys: lazyService(async () => (await import("./keys.ts")).createKeys(ctx)),
  origins: lazyService(async () => (await import("./addresses.ts")).createOrigins(ctx)),
  returnUrls: lazyService(async () => (await import("./addresses.ts")).createReturnUrls(ctx)),
  products: lazyService(async () => (await import("./catalog/products.ts")).createProducts(ctx)),
  categories: lazyService(async () =>
    (await import("./catalog/categories.ts")).createCategories(ctx),
  ),
  paymentMethods: lazyService(async () =>
    (await import("./catalog/payment-methods.ts")).createPaymentMethods(ctx),
  ),
  coupons: lazyService(async () => (await import("./catalog/coupons.ts")).createCoupons(ctx)),
  sessions: lazyService(async () => (await import("./sales/sessions.ts")).createSessions(ctx)),
  payments: lazyService(async () => (await import("./sales/payments.ts")).createPayments(ctx)),
  refunds: lazyService(async () => (await import("./sales/refunds.ts")).createRefunds(ctx)),
  disputes: lazyService(async () => (await import("./sales/disputes.ts")).createDisputes(ctx)),
  subscriptions: lazyService(async () =>
    (await import("./sales/subscriptions.ts")).createSubscriptions(ctx),
  ),
  events: lazyService(async () => (await import("./webhooks/events.ts")).createEvents(ctx)),
  endpoints: lazyService(async () =>
    (await import("./webhooks/endpoints.ts")).createEndpoints(ctx),
  ),
  deliveries: lazyService(async () =>
    (await import("./webhooks/deliveries.ts")).createDeliveries(ctx),
  ),
  alerts: lazyService(async () => (await import("./alerts.ts")).createAlerts(ctx)),
  orders: lazyService(async () => (await import("./sales/orders.ts")).createOwnerOrders(ctx)),
  customers: lazyService(async () => (await import("./sales/customers.ts")).createCustomers(ctx)),
  requests: lazyService(async () => (await import("./requests.ts")).createRequests(ctx)),
  testClock: lazyService(async () => (await import("./test-clock.ts")).createTestClock(ctx)),
  audit: lazyService(async () => (await import("./audit.ts")).createAudit(ctx)),
  archive: lazyService(async () => (await import("./archive/archive.ts")).createArchive(ctx)),

  ...lazyStats(ctx),
  export: async (kind, query) =>
    (await import("./exports/open-export.ts")).openExport(ctx, kind, query),
  exportBooks: async (query) =>
    (await import("./exports/books/open-books.ts")).openBooks(ctx, query),
  eraseCustomer: async (store_id, customer_id) =>
    (await import("./privacy.ts")).eraseCustomer(ctx, store_id, customer_id),
  wipeTestData: async (store_id) => (await import("./privacy.ts")).wipeTestData(ctx, store_id),
});

/** The overview of the dashboard calls them at each visit, so their code is imported once. */
function lazyStats(ctx: OwnerContext): Pick<Owner, "stats" | "sales"> {
  const service = lazyService<Pick<Owner, "stats" | "sales">>(async () => {
    const { readSales } = await import("./stats/sales.ts");
    const { readStats } = await import("./stats/stats.ts");
    return { stats: (query) => readStats(ctx, query), sales: (query) => readSales(ctx, query) };
  });
  return { stats: (query) => service.stats(query), sales: (query) => service.sales(query) };
}
