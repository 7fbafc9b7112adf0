import type { WebhookEvent } from "./contract/events.ts";
import { dashboardParts } from "./dashboard/frame/parts.ts";
import {
  createNotifications,
  type NotificationEndpoint,
} from "./http/notifications/notifications.ts";
import { notFound } from "./http/replies/error-reply.ts";
import { createServe } from "./http/serve.ts";
import { webHandler } from "./http/web-handler.ts";
import type { RequestClient, Serve } from "./http/wire.ts";
import { requireSignal } from "./input/option-error.ts";
import { refuseWrongOptions } from "./input/option-kinds.ts";
import type { StorefrontOptions } from "./options.ts";
import type { Owner } from "./owner/owner.ts";
import { requireTransport } from "./owner/webhooks/require-transport.ts";
import {
  type CheckoutPage,
  type CheckoutPages,
  createCheckoutPages,
} from "./pages/checkout-page.ts";
import { type CustomerPage, createCustomerPage } from "./pages/customer/customer-page.ts";
import type { ActorServices } from "./payments/actor-services.ts";
import type { CheckoutService } from "./payments/checkout/checkout-service.ts";
import { closeGateways } from "./payments/gateway/close-gateways.ts";
import type { MaintenanceReport } from "./payments/maintenance/maintenance.ts";
import type { MaintenanceOptions } from "./payments/maintenance/maintenance-options.ts";
import type { OrderService } from "./payments/order-service.ts";
import type { RefundService } from "./payments/refunds/refund-service.ts";
import type { SubscriptionService } from "./payments/subscriptions.ts";
import type { CustomerService } from "./payments/tokens/customer-service.ts";
import { actAs } from "./startup/act-as.ts";
import type { AuditedParts } from "./startup/audited-services.ts";
import { createParts, type Parts } from "./startup/context.ts";
import { partsOfDashboard } from "./startup/dashboard-parts.ts";
import { flushKeyUses, flushRequestLog } from "./startup/flush.ts";
import { type HostParts, hostParts } from "./startup/host-parts.ts";
import { readOptions, type Settings } from "./startup/options/read-options.ts";
import { createServices, type Services } from "./startup/services.ts";
import type { MigrateOptions, PlannedStatement } from "./storage/migration-plan.ts";
import type { Storage } from "./storage/types.ts";
import type { ConsumeOptions } from "./webhooks/consume.ts";
import type { DrainContext, DrainOptions, DrainReport } from "./webhooks/drain/drain.ts";
import { readDrainOptions } from "./webhooks/drain/drain-options.ts";
import type { EventLag, LagOptions } from "./webhooks/event-lag.ts";
import type { RelayOptions } from "./webhooks/relay.ts";
import type { WebhookTransport } from "./webhooks/send/transport.ts";

/** A mounted storefront has the API, its pages, and the services for your code. */
export interface Storefront {
  /**
   * Answers a request. Gives null when its path is not below `basePath`. Never
   * throws over a request.
   */
  readonly serve: Serve;
  /**
   * Answers a Request with a Response, for hosts that speak those. A path that is
   * not below `basePath` is 404 `route_not_found`.
   */
  handler(request: Request, client?: RequestClient): Promise<Response>;
  readonly owner: Owner;
  readonly checkout: CheckoutService;
  readonly orders: OrderService;
  readonly refunds: RefundService;
  readonly subscriptions: SubscriptionService;
  readonly customers: CustomerService;
  /**
   * Gives the same services for a named actor. Every write leaves one entry in the
   * audit log, in the transaction of the write (docs/contract/dashboard.md#audit). `actor`
   * has 1 to 255 characters of your own choice, such as a user's id.
   */
  as(actor: string): ActorServices;
  /** Payment providers send their messages here. Mount it like the API. */
  readonly notifications: NotificationEndpoint;
  /** Buyers pay at this page, live and test. Mount it at `checkout.baseUrl`. */
  readonly checkoutPage: CheckoutPage;
  /** Buyers see what they have bought at this page. Mount it at `customerPage.baseUrl`. */
  readonly customerPage: CustomerPage;
  /** @deprecated Mount `checkoutPage`. This one answers test sessions alone. */
  readonly sandboxPage: CheckoutPage;
  /**
   * Sends the deliveries that are due and reports them: call it from a loop, a cron
   * job or a route.
   */
  drainWebhooks(options?: DrainOptions): Promise<DrainReport>;
  /** Drains whenever a delivery is due, until `signal` aborts. */
  runWebhookLoop(options: DrainOptions & { readonly signal: AbortSignal }): Promise<void>;
  /**
   * Calls the handler for events in this process. Each event comes at least once,
   * in order within a store and mode. After a crash it goes on where it stopped. A
   * handler that throws is called again. Resolves when `signal` aborts.
   */
  consumeEvents(
    options: ConsumeOptions,
    handler: (event: WebhookEvent) => void | Promise<void>,
  ): Promise<void>;
  /**
   * Hands every event to your message broker, at least once and with its own id, in
   * order within a store and mode. After a crash it goes on where it stopped.
   * Resolves when `signal` aborts.
   */
  relayEvents(options: RelayOptions): Promise<void>;
  /**
   * Tells how far `consumeEvents` or `relayEvents` lies behind under this name, in
   * one store or in all. Use it as a gauge to alert on.
   */
  eventLag(options: LagOptions): Promise<EventLag>;
  /**
   * Expires, reconciles with the gateways, purges and prunes, in bounded chunks.
   * Call it every minute or so, from any process.
   */
  runMaintenance(options?: MaintenanceOptions): Promise<MaintenanceReport>;
  /**
   * Creates or updates the tables. It is safe to call at every start, from several processes. With
   * `dryRun` it changes nothing. Gives the statements that it found pending, where the storage can
   * plan them: PostgreSQL can. Warns the logger of time-outs, of the database or the storage, that
   * could stop sales for long.
   */
  migrate(options?: MigrateOptions): Promise<readonly PlannedStatement[]>;
  /**
   * Waits for calls of gateways that still run, at most 120 s, so that their
   * answers are written, and 5 s each for the uses of keys and for the request log.
   * After that it closes the gateways, and what the storage opened itself.
   */
  close(): Promise<void>;
}

/**
 * Checks the options and returns the storefront. Throws `invalid_option` for a
 * wrong option, saying what is right. Starts no timer and listens on nothing.
 */
export function createStorefront(options: StorefrontOptions): Storefront {
  const settings = readOptions(options);
  const parts = createParts(options, settings);
  const { http, payments } = parts;

  const transport = observedTransport(options, parts);
  const webhooks = createWebhookServices(parts, settings, transport);
  const given = {
    transport,
    drain: webhooks.drainWebhooks,
    customerPageUrl: settings.customerPage?.baseUrl ?? null,
  };
  const servicesOn = (storage: Storage): Services => createServices(parts, given, storage);
  const services = servicesOn(http.storage);
  const serve = createServe(http);
  const audited: AuditedParts = {
    storage: http.storage,
    plain: services,
    now: http.now,
    newId: http.newId,
    servicesOn,
  };
  const storefront: Storefront = {
    serve,
    handler: webHandler(serve, (request) => notFound(http, request)),
    ...services,
    as: (actor) => actAs(audited, { actor }),
    notifications: createNotifications({
      ...payments,
      checkout: services.checkout,
      path: settings.notificationsPath,
      publicOrigin: settings.publicOrigin,
    }),
    ...createPages(parts, settings, services.checkout),
    customerPage: createCustomerPage({
      options: settings.customerPage,
      settings: settings.checkoutPage,
      http,
      subscriptions: services.subscriptions,
      checkout: services.checkout,
      clock: payments.clock,
      onError: parts.reports.onError,
    }),
    ...webhooks,
    runMaintenance: async (maintenanceOptions) => {
      // This module is loaded at the first call, because no request needs it.
      const { runMaintenance } = await import("./payments/maintenance/maintenance.ts");
      return runMaintenance(payments, maintenanceOptions);
    },
    migrate: async (migrateOptions = {}) => {
      // A misspelt `dryRun` would change the database.
      refuseWrongOptions(migrateOptions, { dryRun: "boolean" });
      const plan = (await options.storage.planMigration?.()) ?? [];
      if (migrateOptions.dryRun) return plan;

      await options.storage.migrate();
      for (const risk of (await options.storage.findRisks?.()) ?? []) parts.reports.warn(risk);
      return plan;
    },
    close: async () => {
      parts.lifecycle.closing = true;
      await payments.calls.ended();
      await flushKeyUses(http);
      await flushRequestLog(http);
      await closeGateways(payments);
      await options.storage.close();
    },
  };
  // `createDashboard` and the command line read these. They are not public: symbols name them.
  const own = partsOfDashboard(parts, settings, { transport, audited });
  const { storage, now } = http;
  const host: HostParts = { storage, settings, keyRing: parts.keyRing, transport, now };
  return Object.assign(storefront, { [dashboardParts]: own, [hostParts]: host });
}

/** Makes a transport of the host's, which tells the logger and the observer of its deliveries. */
function observedTransport(
  { transport }: StorefrontOptions,
  { http }: Parts,
): WebhookTransport | null {
  if (!transport) return null;
  return http.instrumentation?.wrapTransport(transport) ?? transport;
}

const createPages = (
  { http, payments, reports }: Parts,
  { checkoutBase, checkoutPage, customerPage, gateways }: Settings,
  checkout: CheckoutService,
): CheckoutPages =>
  createCheckoutPages(
    {
      checkout,
      settings: checkoutPage,
      http,
      customerPageUrl: customerPage?.baseUrl ?? null,
      gateways,
      seller: customerPage?.seller,
      hasSandbox: gateways.some(({ id }) => id === "sandbox"),
      clock: payments.clock,
      now: http.now,
      onError: reports.onError,
    },
    checkoutBase,
  );

type WebhookServices = Pick<
  Storefront,
  "drainWebhooks" | "runWebhookLoop" | "consumeEvents" | "relayEvents" | "eventLag"
>;

function createWebhookServices(
  { http, keyRing, reports, signals, consumers }: Parts,
  { leaseMs, scheduleMs }: Settings,
  transport: WebhookTransport | null,
): WebhookServices {
  const { storage, now, newId } = http;
  const { onError, onAlert, tellAlert } = reports;
  const newToken = (): string => newId("req");
  const { onCommit, onEndpointChange } = signals;
  const newAlertId = (): string => newId("alr");
  const own = { store: storage.consumers, names: consumers, alerts: storage.access };
  const telling = { newAlertId, onAlert, onError };
  const consumeContext = { ...own, ...telling, now, newToken, onCommit };

  const drainWebhooks = async (drainOptions?: DrainOptions): Promise<DrainReport> => {
    const drainContext: DrainContext = {
      store: storage.webhooks,
      transport: requireTransport(transport),
      keyRing,
      async writeAgentMessage(event) {
        const { writeAgentMessage } = await import("./agents/shared/agent-message.ts");
        return writeAgentMessage(http, event);
      },
      scheduleMs,
      leaseMs,
      now,
      monotonicNow: () => performance.now(),
      onEndpointChange,
      newToken,
      newAlertId,
      tellAlert,
      onError,
    };
    // This module is loaded at the first call, because no request needs it.
    const { drain } = await import("./webhooks/drain/drain.ts");
    return drain(drainContext, drainOptions);
  };

  return {
    drainWebhooks,
    runWebhookLoop: async (loopOptions) => {
      // Wrong options are refused at the call. The loop would report them at each of its turns.
      requireTransport(transport);
      requireSignal(loopOptions?.signal);
      readDrainOptions(loopOptions, leaseMs);
      const { runLoop } = await import("./webhooks/loop.ts");
      return runLoop({ now, drain: drainWebhooks, onCommit, onError }, loopOptions);
    },
    async consumeEvents(consumeOptions, handler) {
      const { consumeEvents } = await import("./webhooks/consume.ts");
      return consumeEvents(consumeContext, consumeOptions, handler);
    },
    async relayEvents(relayOptions) {
      const { relayEvents } = await import("./webhooks/relay.ts");
      return relayEvents(consumeContext, relayOptions);
    },
    eventLag: async (lagOptions) =>
      (await import("./webhooks/event-lag.ts")).eventLag(storage.consumers, lagOptions),
  };
}
