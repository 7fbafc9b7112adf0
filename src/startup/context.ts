import { lazyService } from "../domain/async/lazy-service.ts";
import { remember } from "../domain/async/remember.ts";
import { createSteadyClock } from "../domain/async/steady-clock.ts";
import { createIds } from "../domain/keys/ids.ts";
import { createKeyRing, type KeyRing } from "../domain/keys/key-ring.ts";
import { createAccessCache } from "../http/access/access-cache.ts";
import { createKeyUses } from "../http/access/key-uses.ts";
import { limitBuyer } from "../http/access/rate-limit.ts";
import type { HttpContext, SharedLimiter } from "../http/context.ts";
import { gaugeReader } from "../http/metrics/gauges.ts";
import type { MetricsSettings } from "../http/metrics/settings.ts";
import { createInstrumentation } from "../http/observe/instrumentation.ts";
import type { Observer } from "../http/observe/observer.ts";
import { createCatalogCache } from "../http/replies/catalog-cache.ts";
import { createRequestLog } from "../http/request-log/request-log.ts";
import { memoryLimits } from "../memory/access/limits.ts";
import { type CatalogReader, ownCatalog } from "../operations/catalog/catalog-reader.ts";
import { searchedCatalog } from "../operations/catalog/searched-catalog.ts";
import { sourceCatalog } from "../operations/catalog/source-catalog.ts";
import type { OperationContext } from "../operations/context.ts";
import type { StorefrontOptions } from "../options.ts";
import type { SessionHolds } from "../payments/checkout/session-holds.ts";
import { createShopCache } from "../payments/checkout/shop-cache.ts";
import type { PaymentContext } from "../payments/context.ts";
import { savesAlone } from "../payments/gateway/find-gateway.ts";
import { createRunningCalls } from "../payments/gateway/running-calls.ts";
import { type BuyerTokenService, createBuyerTokens } from "../payments/tokens/buyer-tokens.ts";
import { DOCUMENT_VERSION } from "../rules/catalog/render.ts";
import { type CheckoutUrls, derivedUrls, externalUrls } from "../rules/checkout/checkout-urls.ts";
import { createCustomerKeys } from "../rules/checkout/customer-keys.ts";
import { createModeClock } from "../rules/clock/mode-clock.ts";
import type { Storage } from "../storage/types.ts";
import {
  createObservation,
  guarded,
  observedCaches,
  observedOutcomes,
  observedStorage,
} from "./observation.ts";
import { readCatalog } from "./options/read-catalog.ts";
import { readSealKeys, type Settings } from "./options/read-options.ts";
import { readProductUrl } from "./options/read-product-url.ts";
import { createReports, type Reports } from "./reports.ts";
import { createSignals, type Signals } from "./signals.ts";

/** Every service of one storefront shares these parts. */
export interface Parts {
  readonly http: HttpContext;
  readonly payments: PaymentContext;
  readonly tokens: BuyerTokenService;
  readonly keyRing: KeyRing;
  readonly reports: Reports;
  readonly signals: Signals;
  readonly lifecycle: Lifecycle;
  /** `consumeEvents` and `relayEvents` were called with these names. */
  readonly consumers: Set<string>;
}

/** Where the storefront stands between its start and its end. */
export interface Lifecycle {
  /** True from the beginning of `close()`. */
  closing: boolean;
}

export function createParts(options: StorefrontOptions, settings: Settings): Parts {
  const { logger = null, onAlert, onError } = options;
  const { observer, collector } = createObservation(options);
  const reports = createReports({ logger, onAlert, onError, observer });
  const storage = observedStorage(options.storage, observer, reports);
  const consumers = new Set<string>();
  const signals = createSignals();

  const now = options.now ?? storage.clock?.now ?? Date.now;
  const randomBytes = (length: number): Uint8Array =>
    crypto.getRandomValues(new Uint8Array(length));
  const newId = options.newId ?? createIds({ now, randomBytes });
  const keyRing = createKeyRing(readSealKeys(options, randomBytes), randomBytes);
  const tokens = createBuyerTokens(options.customerTokens, now, () => newId("req"));

  const operations: OperationContext = {
    storage,
    catalog: createCatalog(options, storage, reports),
    checkoutUrls: createCheckoutUrls(options, settings, keyRing),
    customerKeys: createCustomerKeys(keyRing),
    keyRing,
    filesUrl: settings.filesUrl,
    gatewayIds: { live: gatewayIds(settings, true), test: gatewayIds(settings, false) },
    savesAlone: (method, livemode) => savesAlone(settings, method, livemode),
    now,
    // The clock of the runtime is never set back; one that the host gave may be.
    steadyNow: options.now ? createSteadyClock(options.now) : () => performance.now(),
    newId,
    randomBytes,
    committed({ store_id }) {
      http.clearStore(store_id);
      signals.committed();
    },
    onError: reports.onError,
    outcomes: observedOutcomes(observer, reports),
  };
  // No request needs this code before the first hold.
  const holds = settings.holdsGoods
    ? lazyService<SessionHolds>(async () =>
        (await import("../payments/checkout/session-holds.ts")).createSessionHolds(payments),
      )
    : null;
  const lifecycle: Lifecycle = { closing: false };
  const readGauges = gaugeReader({ ...operations, consumers });
  guarded(reports, () => observer?.gauges?.(readGauges));
  const http = createHttpContext({
    options,
    settings,
    operations,
    tokens,
    reports,
    holds,
    lifecycle,
    observer,
    metrics: options.metrics && collector ? { ...options.metrics, collector, readGauges } : null,
  });
  const shops = createShopCache(storage, operations.steadyNow);
  const payments: PaymentContext = {
    ...operations,
    ...reports,
    logger,
    gateways: settings.gateways,
    shops,
    clock: createModeClock(now, async (store_id) => (await shops.find(store_id)).store),
    calls: createRunningCalls(),
    auditKeptMs: settings.auditKeptMs,
    renewals: settings.renewals,
    source: readCatalog(options).source,
    sourceProducts: operations.catalog.cartProducts ?? null,
    limitPayment: (partition, ip) => limitBuyer(http, "payments", { ...partition, ip }),
  };
  return { http, payments, tokens, keyRing, reports, signals, lifecycle, consumers };
}

function createCatalog(
  options: StorefrontOptions,
  storage: Storage,
  { onError }: Reports,
): CatalogReader {
  const { source, engine } = readCatalog(options);
  if (source) return sourceCatalog(source, storage);
  return engine ? searchedCatalog(engine, storage, onError) : ownCatalog(storage);
}

const createCheckoutUrls = (
  { checkout }: StorefrontOptions,
  { checkoutBase }: Settings,
  keyRing: KeyRing,
): CheckoutUrls =>
  checkout !== undefined && "url" in checkout && checkout.url !== undefined
    ? externalUrls(keyRing, checkout.url)
    : derivedUrls(keyRing, checkoutBase ?? { live: null, test: null });

const gatewayIds = ({ gateways }: Settings, livemode: boolean): ReadonlySet<string> =>
  new Set(gateways.filter((gateway) => gateway.livemode === livemode).map(({ id }) => id));

interface HttpParts {
  readonly options: StorefrontOptions;
  readonly settings: Settings;
  readonly operations: OperationContext;
  readonly tokens: BuyerTokenService;
  readonly reports: Reports;
  readonly holds: SessionHolds | null;
  readonly lifecycle: Lifecycle;
  /** The host's observer joined with that of the metrics. */
  readonly observer: Observer | undefined;
  readonly metrics: MetricsSettings | null;
}

function createHttpContext(parts: HttpParts): HttpContext {
  const { options, settings, operations, tokens, reports, holds, lifecycle } = parts;
  const { observer, metrics } = parts;
  const { basePath, docsUrl, modes, limits, unknownKeyLimit } = settings;
  const { brandColor } = settings.checkoutPage;
  const { logger = null } = options;
  const own = {
    access: createAccessCache(operations.storage, settings.accessCacheMs, operations.steadyNow),
    catalogCache: createCatalogCache(settings.answerCacheBytes),
  };
  const { access, catalogCache } = observedCaches(own, observer, reports);

  return {
    ...operations,
    basePath,
    publicOrigin: settings.publicOrigin,
    docsUrl,
    brandColor: typeof brandColor === "string" ? brandColor : null,
    productUrl: readProductUrl(options.productUrl),
    modes,
    limits,
    unknownKeyLimit,
    maxSessionsPerDay: settings.maxSessionsPerDay,
    requestTimeoutMs: settings.requestTimeoutMs,
    sharedLimiter: sharedLimiter(options),
    processLimiter: memoryLimits(),
    access,
    catalogCache,
    buyerTokens: tokens,
    configVersion: configVersion(operations),
    strictQuery: options.strictQuery ?? true,
    trustBuyerIp: options.trustBuyerIp ?? false,
    revokeLeakedKeys: options.revokeLeakedKeys ?? false,
    quietLeaks: new Map(),
    instrumentation: createInstrumentation({
      logger,
      observer,
      basePath,
      clock: () => performance.now(),
      onError: reports.onError,
    }),
    keyUses: createKeyUses({
      access: operations.storage.access,
      now: operations.now,
      onError: reports.onError,
    }),
    requestLog:
      settings.requestLog &&
      createRequestLog({
        ...settings.requestLog,
        store: operations.storage.requests,
        now: operations.now,
        onError: reports.onError,
      }),
    healthz: options.healthz ?? false,
    readyz: options.readyz ?? false,
    metrics,
    warnOnce: remember(10, (text) => {
      reports.warn(text);
      return true;
    }),
    isClosing: () => lifecycle.closing,
    holds,
    clearStore: (store_id) => access.clear(store_id),
    onAlert: reports.onAlert,
  };
}

const sharedLimiter = ({ storage, limiter, now }: StorefrontOptions): SharedLimiter => ({
  store: limiter ?? storage.limits,
  givenByHost: limiter !== undefined,
  // A clock of the host's own must count everywhere, the database's only where the host gave none.
  databaseClock: limiter === undefined && now === undefined && storage.clock !== null,
});

/**
 * Changes with every option that shapes catalog answers, so that their ETags change
 * too.
 */
const configVersion = ({ gatewayIds: { live, test } }: OperationContext): string =>
  JSON.stringify([DOCUMENT_VERSION, [...live].sort(), [...test].sort()]);
