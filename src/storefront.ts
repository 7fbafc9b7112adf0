import { isApiError, publicErrors } from "./contract/errors.ts";
import type { WebhookEvent } from "./contract/events.ts";
import { createIds } from "./domain/ids.ts";
import { createKeyRing } from "./domain/key-ring.ts";
import { createAccessCache } from "./http/access-cache.ts";
import { createAnswerCache } from "./http/answer-cache.ts";
import type { HttpContext } from "./http/context.ts";
import { createObservation } from "./http/observe.ts";
import { createServe } from "./http/serve.ts";
import { fromWeb, type Serve, toWeb } from "./http/wire.ts";
import { check } from "./input/check.ts";
import { foreignId } from "./input/fields.ts";
import { invalidOption, requireSignal } from "./input/option-error.ts";
import { memoryLimits } from "./memory/limits.ts";
import { ownCatalog, sourceCatalog } from "./operations/catalog-reader.ts";
import {
  defaultLimits,
  readBasePath,
  readCheckoutBase,
  readDocsUrl,
  readLimit,
  readModes,
  readSealKeys,
  readWhole,
  type StorefrontOptions,
} from "./options.ts";
import { requireTransport } from "./owner/endpoints.ts";
import { createOwner, type Owner } from "./owner/owner.ts";
import { createSandboxPage, type SandboxPage } from "./pages/sandbox-page.ts";
import { createBuyerTokens, type IssuedToken, type TokenRequest } from "./payments/buyer-tokens.ts";
import type { CheckoutService } from "./payments/checkout-service.ts";
import type { PaymentContext } from "./payments/context.ts";
import { createCheckoutService } from "./payments/create-checkout-service.ts";
import type { PaymentGateway } from "./payments/gateway.ts";
import type { MaintenanceReport } from "./payments/maintenance.ts";
import type { MaintenanceOptions } from "./payments/maintenance-options.ts";
import { createOrderService, type OrderService } from "./payments/order-service.ts";
import {
  createSubscriptionService,
  type SubscriptionService,
} from "./payments/subscription-service.ts";
import { derivedUrls, externalUrls } from "./rules/checkout-urls.ts";
import type { AlertRecord, Partition } from "./rules/records.ts";
import { DOCUMENT_VERSION } from "./rules/render.ts";
import { defaultSchedule } from "./rules/schedule.ts";
import { type ConsumeOptions, consumeEvents } from "./webhooks/consume.ts";
import type { DrainContext, DrainOptions, DrainReport } from "./webhooks/drain.ts";
import { readDrainOptions } from "./webhooks/drain-options.ts";
import { runLoop } from "./webhooks/loop.ts";

export interface CustomerService {
  /** A buyer token for `X-Service-Customer-Token`. Throws `invalid_option` without `customerTokens`. */
  issueToken(request: TokenRequest): Promise<IssuedToken>;
  /** Refuses every token of this buyer issued until now. */
  revokeTokens(customer: Partition & { readonly customer_id: string }): Promise<void>;
}

export interface Storefront {
  /** Null when the path is not below `basePath`: the host goes on. Never throws over a request. */
  readonly serve: Serve;
  /** For hosts that speak Request and Response. What is not ours is 404 `route_not_found`. */
  handler(request: Request, client?: { readonly ip?: string }): Promise<Response>;
  readonly owner: Owner;
  readonly checkout: CheckoutService;
  readonly orders: OrderService;
  readonly subscriptions: SubscriptionService;
  readonly customers: CustomerService;
  /** The hosted page of the sandbox: test mode only. */
  readonly sandboxPage: SandboxPage;
  /** Sends what is due and returns a report: call it from a loop, a cron job or a route. */
  drainWebhooks(options?: DrainOptions): Promise<DrainReport>;
  /** Drains whenever something is due, until `signal` aborts. */
  runWebhookLoop(options: DrainOptions & { readonly signal: AbortSignal }): Promise<void>;
  /**
   * Reacts to events in this process: at least once, in order within a store and mode, resuming after a crash. A handler that throws is called again.
   * Resolves when `signal` aborts.
   */
  consumeEvents(
    options: ConsumeOptions,
    handler: (event: WebhookEvent) => void | Promise<void>,
  ): Promise<void>;
  /** Expiry, reconciliation with the gateways, purging and pruning in bounded chunks: call it every minute or so, from any process. */
  runMaintenance(options?: MaintenanceOptions): Promise<MaintenanceReport>;
  /** Creates or updates the tables. Safe to call at every start, from several processes. */
  migrate(): Promise<void>;
  /** Closes what the storage opened itself. */
  close(): Promise<void>;
}

const defaultLeaseMs = 60_000;

/** Checks the options, throws `invalid_option` with the way to mend a wrong one, and returns the storefront. Starts no timer and listens on nothing. */
export function createStorefront(options: StorefrontOptions): Storefront {
  const { ctx, gateways } = createContext(options);
  const payments: PaymentContext = {
    ...ctx,
    gateways,
    source: options.catalog ?? null,
    committed: (partition) => committed(partition),
  };
  const transport =
    (options.transport && ctx.observation?.transport(options.transport)) ??
    options.transport ??
    null;
  const listeners = new Set<() => void>();
  const drains = new Set<(endpoint_id: string) => void>();
  const wakeAll = (): void => {
    for (const wake of [...listeners]) wake();
  };
  const committed = (partition: Partition): void => {
    ctx.changed(partition.store_id);
    wakeAll();
  };
  const serve = createServe(ctx);
  const tokens = ctx.tokens;
  const checkout = createCheckoutService(payments);
  const onCommit = (wake: () => void): (() => void) => {
    listeners.add(wake);
    return () => void listeners.delete(wake);
  };
  const leaseMs = readWhole(
    "webhooks.leaseMs",
    options.webhooks?.leaseMs,
    defaultLeaseMs,
    3_600_000,
  );
  const scheduleMs = options.webhooks?.scheduleMs ?? defaultSchedule;
  if (scheduleMs.some((wait) => !(wait >= 0)))
    invalidOption("webhooks.scheduleMs", "must be a list of milliseconds");

  const drainNow = async (drainOptions?: DrainOptions): Promise<DrainReport> => {
    const drainContext: DrainContext = {
      store: ctx.storage.webhooks,
      transport: requireTransport(transport),
      keyRing: ctx.keyRing,
      scheduleMs,
      leaseMs,
      now: ctx.now,
      onEndpointChange(giveBack) {
        drains.add(giveBack);
        return () => void drains.delete(giveBack);
      },
      newToken: () => ctx.newId("req"),
      newAlertId: () => ctx.newId("alr"),
      tellAlert: ctx.tellAlert,
      onError: ctx.onError,
    };
    const { drain } = await import("./webhooks/drain.ts"); // no request waits for it
    return drain(drainContext, drainOptions);
  };

  return {
    serve,
    async handler(request, client) {
      const method = request.method;
      const reply = await serve(fromWeb(request, client?.ip));
      if (reply) return toWeb(reply);
      const [status, type, message] = publicErrors.route_not_found;
      const request_id = ctx.newId("req");
      const error = {
        type,
        code: "route_not_found",
        message,
        param: null,
        docs_url: `${ctx.docsUrl}#route_not_found`,
      };
      const body =
        method === "HEAD" ? null : JSON.stringify({ error, livemode: false, request_id });
      return new Response(body, {
        status,
        headers: {
          "content-type": "application/json; charset=utf-8",
          "x-content-type-options": "nosniff",
          "x-request-id": request_id,
        },
      });
    },
    owner: createOwner({
      storage: ctx.storage,
      transport,
      keyRing: ctx.keyRing,
      now: ctx.now,
      newId: ctx.newId,
      randomBytes: ctx.randomBytes,
      changed: ctx.changed,
      due: wakeAll,
      endpointChanged(id) {
        for (const giveBack of [...drains]) giveBack(id);
      },
    }),
    checkout,
    orders: createOrderService(payments),
    subscriptions: createSubscriptionService(payments),
    customers: {
      issueToken: (request) => tokens.issue(request),
      revokeTokens: async ({ store_id, livemode, customer_id }) =>
        ctx.storage.orders.revokeCustomerTokens(
          { store_id, livemode },
          check(foreignId, customer_id, "customer_id"),
          ctx.now(),
        ),
    },
    sandboxPage: createSandboxPage(checkout, ctx.sandboxPath),
    drainWebhooks: drainNow,
    async runWebhookLoop(loopOptions) {
      requireTransport(transport);
      requireSignal(loopOptions?.signal);
      readDrainOptions(loopOptions, leaseMs); // said at the call: the loop would say it every 5 s
      return runLoop(
        { now: ctx.now, drain: drainNow, onCommit, onError: ctx.onError },
        loopOptions,
      );
    },
    consumeEvents: (consumeOptions, handler) =>
      consumeEvents(
        {
          store: ctx.storage.consumers,
          now: ctx.now,
          newToken: () => ctx.newId("req"),
          onCommit,
          onError: ctx.onError,
        },
        consumeOptions,
        handler,
      ),
    async runMaintenance(maintenanceOptions) {
      const { runMaintenance } = await import("./payments/maintenance.ts"); // no request waits for it
      return runMaintenance(payments, maintenanceOptions);
    },
    migrate: () => ctx.storage.migrate(),
    close: () => ctx.storage.close(),
  };
}

function createContext(options: StorefrontOptions) {
  if (!options?.storage)
    invalidOption(
      "storage",
      "is missing: pass memoryStorage(), or sqliteStorage(file) from vitrine/sqlite",
    );
  const { storage, logger = null, onAlert, onError } = options;
  const clock = options.now ? null : storage.clock;
  const now = options.now ?? clock?.now ?? Date.now;
  const randomBytes = (length: number): Uint8Array =>
    crypto.getRandomValues(new Uint8Array(length));
  const newId = options.newId ?? createIds({ now, randomBytes });
  const basePath = readBasePath(options.basePath);
  const modes = readModes(options.modes);
  const keyRing = createKeyRing(readSealKeys(options, randomBytes), randomBytes);
  if (!options.checkout)
    invalidOption(
      "checkout",
      "is missing: give {baseUrl} of the hosted page, or {url} that builds the address",
    );
  const base = "url" in options.checkout ? null : readCheckoutBase(options.checkout.baseUrl, modes);
  const checkoutUrls =
    "url" in options.checkout
      ? externalUrls(keyRing, options.checkout.url)
      : derivedUrls(keyRing, base ?? { live: null, test: null });
  const gateways = options.gateways ?? [];
  checkGateways(gateways);
  const access = createAccessCache(
    storage,
    readWhole("accessCacheMs", options.accessCacheMs, 1_000, 60_000),
    now,
  );
  const tokens = createBuyerTokens(options.customerTokens, now, () => newId("req"));
  const report = (error: unknown, where: string): void => {
    logger?.error({ where, error: describe(error) }, "vitrine: an error was handled");
    try {
      if (onError) onError(error, where);
      else if (!logger) complain(describe(error), where);
    } catch {
      // A host's callback must not break the answer.
    }
  };
  const limits = {
    checkout: readLimit("checkout", options.limits?.checkout, defaultLimits.checkout),
    coupons: readLimit("coupons", options.limits?.coupons, defaultLimits.coupons),
    catalog: readLimit("catalog", options.limits?.catalog, defaultLimits.catalog),
    orders: readLimit("orders", options.limits?.orders, defaultLimits.orders),
    customers: readLimit("customers", options.limits?.customers, defaultLimits.customers),
  };
  const ids = (livemode: boolean): ReadonlySet<string> =>
    new Set(
      gateways.filter((gateway) => gateway.livemode === livemode).map((gateway) => gateway.id),
    );

  const ctx: HttpContext &
    Pick<PaymentContext, "logger" | "keyRing" | "tellAlert"> & {
      readonly tokens: typeof tokens;
      readonly sandboxPath: string | null;
    } = {
    storage,
    catalog: options.catalog ? sourceCatalog(options.catalog, storage) : ownCatalog(storage),
    basePath,
    docsUrl: readDocsUrl(options, basePath),
    modes,
    limits,
    limiter: {
      store: options.limiter ?? storage.limits,
      external: options.limiter !== undefined,
      ownClock: options.limiter === undefined && clock !== null,
    },
    processLimiter: memoryLimits(),
    unknownKeyLimit: readLimit("unknownKeys", options.limits?.unknownKeys, null),
    access,
    answers: createAnswerCache(
      readWhole("answerCacheBytes", options.answerCacheBytes, 32 * 1_048_576, 4_294_967_296),
    ),
    buyerTokens: tokens,
    tokens,
    sandboxPath: base?.test ? new URL(base.test).pathname : null,
    checkoutUrls,
    keyRing,
    gatewayIds: { live: ids(true), test: ids(false) },
    configHash: JSON.stringify([DOCUMENT_VERSION, [...ids(true)].sort(), [...ids(false)].sort()]),
    trustBuyerIp: options.trustBuyerIp ?? false,
    revokeLeakedKeys: options.revokeLeakedKeys ?? false,
    logger,
    observation: createObservation({
      logger,
      observer: options.observer,
      basePath,
      clock: () => performance.now(),
      onError: report,
    }),
    healthz: options.healthz ?? false,
    now,
    newId,
    randomBytes,
    changed: (store_id) => access.clear(store_id),
    tellAlert: async (alert) => {
      logger?.warn(
        { alert: alert.type, store_id: alert.store_id, subject: alert.subject },
        "vitrine: an alert was raised",
      );
      await onAlert?.(alert);
    },
    onAlert: (alert: AlertRecord) => {
      logger?.warn(
        { alert: alert.type, store_id: alert.store_id, subject: alert.subject },
        "vitrine: an alert was raised",
      );
      // Called outside the request's path: a host's slow callback must not hold an answer.
      void Promise.resolve(alert)
        .then(onAlert)
        .catch((error: unknown) => report(error, "onAlert"));
    },
    onError: report,
  };
  return { ctx, gateways };
}

function checkGateways(gateways: readonly PaymentGateway[]): void {
  const names = gateways.map((gateway) => `${gateway.id}:${gateway.livemode}`);
  if (new Set(names).size !== names.length)
    invalidOption("gateways", "must not hold two gateways of one id and mode");
  if (gateways.some((gateway) => gateway.id === "sandbox" && gateway.livemode))
    invalidOption("gateways", "must not hold the sandbox in live mode: it moves no money");
}

/** A host that listens nowhere would see a bare 500 and never learn why. */
const complain = ({ stack, ...rest }: Readonly<Record<string, unknown>>, where: string): void =>
  console.error(
    `vitrine: an error was handled (${where}); give \`logger\` or \`onError\` to hear of it elsewhere:`,
    stack ?? rest,
  );

/** What of an error may be logged: never its input. */
const describe = (error: unknown): Readonly<Record<string, unknown>> =>
  isApiError(error)
    ? { code: error.code, param: error.param }
    : error instanceof Error
      ? { name: error.name, message: error.message, stack: error.stack }
      : { type: typeof error };
