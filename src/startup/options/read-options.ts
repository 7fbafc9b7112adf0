import type { LimitName } from "../../contract/route.ts";
import { dayMs, hourMs, minuteMs } from "../../domain/durations.ts";
import type { Limit } from "../../http/context.ts";
import { errorReferencePath } from "../../http/replies/documents.ts";
import { isPath, readBasePath } from "../../input/base-path.ts";
import { invalidOption } from "../../input/option-error.ts";
import { refuseWrongOptions } from "../../input/option-kinds.ts";
import type { ModeUrls, StorefrontOptions } from "../../options.ts";
import type { CustomerPageOptions } from "../../pages/customer/options.ts";
import { type CheckoutPageSettings, readCheckoutPage } from "../../pages/page-options.ts";
import type { PaymentGateway } from "../../payments/gateway/gateway.ts";
import type { CheckoutBase } from "../../rules/checkout/checkout-urls.ts";
import type { RenewalPlan } from "../../rules/subscriptions/renewal-plan.ts";
import { defaultSchedule } from "../../rules/webhooks/schedule.ts";
import { knownOptions } from "./known-options.ts";
import { readCatalog } from "./read-catalog.ts";
import { readCustomerPage } from "./read-customer-page.ts";
import { readGateways } from "./read-gateways.ts";
import { readLimit, readLimits, readMaxSessionsPerDay, readRequestTimeout } from "./read-limits.ts";
import { readRenewals } from "./read-renewals.ts";
import { type RequestLogOption, readRequestLog } from "./read-request-log.ts";
import { readWebUrl } from "./read-web-url.ts";
import { isWhole, readWhole } from "./whole-numbers.ts";

type Mode = "live" | "test";
type Modes = Readonly<Record<Mode, boolean>>;

/** The options that have a default or a rule of their own, after they were read and checked. */
export interface Settings {
  readonly basePath: string;
  readonly notificationsPath: string;
  /** Empty where the host has not given `publicUrl`. */
  readonly publicOrigin: string;
  readonly modes: Modes;
  readonly docsUrl: string;
  /** Null when the host's `checkout.url` builds the addresses. */
  readonly checkoutBase: CheckoutBase | null;
  readonly checkoutPage: CheckoutPageSettings;
  /** Null when the host has no such page. */
  readonly customerPage: CustomerPageOptions | null;
  /** The address below which the customer page hands over files. Null without `uploads`. */
  readonly filesUrl: string | null;
  /** When this is true, a session holds its goods before the host builds its address. */
  readonly holdsGoods: boolean;
  readonly gateways: readonly PaymentGateway[];
  readonly limits: Readonly<Record<LimitName, Limit | null>>;
  readonly unknownKeyLimit: Limit | null;
  /** When it is null, there may be any number. */
  readonly maxSessionsPerDay: number | null;
  /** Milliseconds after which an API request is 503. Null sets no limit. */
  readonly requestTimeoutMs: number | null;
  readonly accessCacheMs: number;
  readonly answerCacheBytes: number;
  readonly requestLog: RequestLogOption | null;
  readonly renewals: RenewalPlan;
  /** Milliseconds for which the audit log keeps an entry. */
  readonly auditKeptMs: number;
  readonly scheduleMs: readonly number[];
  readonly leaseMs: number;
}

const mebibyte = 1_048_576;

/** Checks the options. Throws `invalid_option` for the first wrong one, and says what is right. */
export function readOptions(options: StorefrontOptions): Settings {
  refuseWrongOptions<Partial<StorefrontOptions>>(options, knownOptions);
  checkRequired(options);
  const basePath = readBasePath(options.basePath);
  const notificationsPath = readNotificationsPath(options.notificationsPath, basePath);
  const modes = readModes(options.modes);
  checkMetrics(options.metrics);
  const customerPage = readCustomerPage(options);
  return {
    basePath,
    notificationsPath,
    publicOrigin: readPublicOrigin(options.publicUrl),
    modes,
    checkoutBase: readCheckoutBase(options, { modes, taken: [basePath, notificationsPath] }),
    checkoutPage: readCheckoutPage(options.checkoutPage),
    customerPage,
    filesUrl: customerPage?.uploads ? `${customerPage.baseUrl}/files` : null,
    holdsGoods: readHold(options),
    gateways: readGateways(options.gateways),
    requestTimeoutMs: readRequestTimeout(options.requestTimeoutMs),
    accessCacheMs: readWhole(options.accessCacheMs, {
      name: "accessCacheMs",
      fallback: 1_000,
      most: minuteMs,
    }),
    limits: readLimits(options.limits),
    docsUrl: readDocsUrl(options, basePath),
    unknownKeyLimit: readLimit("unknownKeys", options.limits?.unknownKeys, null),
    maxSessionsPerDay: readMaxSessionsPerDay(options.maxSessionsPerDay),
    answerCacheBytes: readWhole(options.answerCacheBytes, {
      name: "answerCacheBytes",
      fallback: 32 * mebibyte,
      most: 4_096 * mebibyte,
    }),
    requestLog: readRequestLog(options.requestLog),
    leaseMs: readWhole(options.webhooks?.leaseMs, {
      name: "webhooks.leaseMs",
      fallback: minuteMs,
      most: hourMs,
    }),
    renewals: readRenewals(options.renewals),
    auditKeptMs: readKeepDays(options.audit) * dayMs,
    scheduleMs: readSchedule(options.webhooks?.scheduleMs),
  };
}

/** Checks what the type requires, because JavaScript callers may leave it out. */
function checkRequired(options: StorefrontOptions | undefined): void {
  if (!options?.storage)
    invalidOption(
      "storage",
      "is missing: pass memoryStorage(), or sqliteStorage(file) from vitrine/sqlite",
    );
}

function checkMetrics(metrics: StorefrontOptions["metrics"]): void {
  if (metrics === undefined) return;

  if (typeof metrics.authorize !== "function")
    invalidOption(
      "metrics.authorize",
      "is missing: give a function that tells from the request whether it may read the numbers",
    );
}

/** A path below the API's would be answered by the API, and no message would arrive. */
function readNotificationsPath(path = "/notifications", basePath: string): string {
  const isOfApi = basePath !== "" && `${path}/`.startsWith(`${basePath}/`);
  if (!isPath(path) || isOfApi)
    invalidOption(
      "notificationsPath",
      "must begin with a slash, not end with one and not lie below `basePath`, " +
        "like `/notifications`: it is the full public path that providers call",
    );
  return path;
}

function readModes(modes: StorefrontOptions["modes"] = ["live", "test"]): Modes {
  if (
    !Array.isArray(modes) ||
    modes.length === 0 ||
    modes.some((mode) => mode !== "live" && mode !== "test")
  )
    invalidOption("modes", 'must list "live", "test" or both');
  return { live: modes.includes("live"), test: modes.includes("test") };
}

function readDocsUrl({ docsUrl, publicUrl }: StorefrontOptions, basePath: string): string {
  if (docsUrl !== undefined) return readWebUrl("docsUrl", docsUrl);
  if (publicUrl !== undefined)
    return `${readWebUrl("publicUrl", publicUrl)}${basePath}${errorReferencePath}`;
  return invalidOption(
    "publicUrl",
    "is missing: give the public origin of this deployment (or `docsUrl`), " +
      "so that errors can link to their explanation",
  );
}

const readPublicOrigin = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? "" : new URL(readWebUrl("publicUrl", publicUrl)).origin;

function readCheckoutBase(
  { checkout = {}, publicUrl }: StorefrontOptions,
  { modes, taken }: { readonly modes: Modes; readonly taken: readonly string[] },
): CheckoutBase | null {
  if ("url" in checkout && checkout.url !== undefined) return null;

  const given = "baseUrl" in checkout ? checkout.baseUrl : undefined;
  const baseUrl = given ?? defaultPage(publicUrl, taken);
  return {
    live: readModeUrl(baseUrl, "live", modes),
    test: readModeUrl(baseUrl, "test", modes),
  };
}

/** The API and the notifications would answer the buyer in place of a page below their paths. */
function defaultPage(publicUrl: string | undefined, taken: readonly string[]): string {
  if (publicUrl === undefined)
    return invalidOption(
      "checkout.baseUrl",
      "is missing: give the address of the hosted page, `publicUrl`, below which the page is at " +
        "/pay, or `checkout.url`, which builds the addresses",
    );

  const page = `${readWebUrl("publicUrl", publicUrl)}/pay`;
  if (taken.some((path) => path !== "" && `${new URL(page).pathname}/`.startsWith(`${path}/`)))
    return invalidOption(
      "checkout.baseUrl",
      `is missing: by default the page is at ${page}, where this storefront answers something ` +
        "else; give the address of the hosted page",
    );
  return page;
}

function readHold({ checkout, catalog }: StorefrontOptions): boolean {
  if (!(checkout && "hold" in checkout && checkout.hold)) return false;
  if (!("url" in checkout))
    invalidOption(
      "checkout.hold",
      "goes only with `checkout.url`: the checkout page holds the goods itself",
    );
  const source = readCatalog({ catalog }).source;
  if (source && !(source.reserve && source.confirm && source.release))
    invalidOption(
      "checkout.hold",
      "needs `reserve`, `confirm` and `release` in the option catalog, which counts the pieces",
    );
  return true;
}

/**
 * Reads the address of one mode. Gives null when the mode is not served and no
 * address is given for it.
 */
function readModeUrl(baseUrl: ModeUrls, mode: Mode, modes: Modes): string | null {
  if (typeof baseUrl === "string") return readWebUrl("checkout.baseUrl", baseUrl);

  const name = `checkout.baseUrl.${mode}`;
  const url = baseUrl[mode];
  if (url !== undefined) return readWebUrl(name, url);
  return modes[mode] ? invalidOption(name, `is missing, but the ${mode} mode is served`) : null;
}

export const sealKeyBytes = 32;

/** Gives the seal keys, or one of its own where the storage ends with the process. */
export function readSealKeys(
  options: StorefrontOptions,
  randomBytes: (length: number) => Uint8Array,
): readonly Uint8Array[] {
  const { sealKey, sealKeys } = options;
  const keys = sealKeys ?? (sealKey === undefined ? [] : [sealKey]);
  if (keys.length === 0) {
    if (options.storage.ephemeral) return [randomBytes(sealKeyBytes)];
    invalidOption(
      "sealKey",
      "is missing: give 32 random bytes kept beside your other secrets, " +
        "e.g. from `openssl rand -base64 32`",
    );
  }

  for (const key of keys) {
    const isBytes = key instanceof Uint8Array;
    if (isBytes && key.length === sealKeyBytes) continue;
    const given = isBytes ? `${key.length} bytes` : `of the type ${typeof key}`;
    invalidOption(
      "sealKey",
      `must be exactly 32 bytes (a Uint8Array), but is ${given}: ` +
        "`openssl rand -base64 32` makes one to decode",
    );
  }
  if (sealKey !== undefined && !keys.some((key) => String(key) === String(sealKey)))
    invalidOption("sealKey", "is not in sealKeys: put it at their end");
  return keys;
}

/**
 * Reads how long the audit log is kept. The limit of 100 years keeps all dates
 * within what storages can hold.
 */
function readKeepDays(option: StorefrontOptions["audit"] = {}): number {
  const { keepDays = 400 } = option;
  if (!isWhole(keepDays, 1, 36_500))
    invalidOption("audit.keepDays", "must be a whole number of days from 1 to 36500");
  return keepDays;
}

function readSchedule(scheduleMs: readonly number[] = defaultSchedule): readonly number[] {
  if (!scheduleMs.every((wait) => isWhole(wait, 0, 400 * dayMs)))
    invalidOption(
      "webhooks.scheduleMs",
      "must be a list of whole numbers of milliseconds, each at most 400 days",
    );
  return scheduleMs;
}
