import type { LimitName } from "./contract/routes.ts";
import type { IdKind } from "./domain/ids.ts";
import type { Logger } from "./domain/logger.ts";
import { parseUrl } from "./domain/parse-url.ts";
import type { Limit } from "./http/context.ts";
import { errorReferencePath } from "./http/documents.ts";
import type { Observer } from "./http/observe.ts";
import { invalidOption } from "./input/option-error.ts";
import type { CustomerTokenOptions } from "./payments/buyer-tokens.ts";
import type { PaymentGateway } from "./payments/gateway.ts";
import type { CheckoutBase, ExternalSession } from "./rules/checkout-urls.ts";
import type { AlertRecord } from "./rules/records.ts";
import type { CatalogSource } from "./storage/catalog-source.ts";
import type { LimitStore, Storage } from "./storage/types.ts";
import type { WebhookTransport } from "./webhooks/transport.ts";

type ModeUrls = string | { readonly live?: string; readonly test?: string };

export interface StorefrontOptions {
  /** `memoryStorage()`, `sqliteStorage(…)`. */
  readonly storage: Storage;
  /** Your own product tables in place of ours. */
  readonly catalog?: CatalogSource;
  /** Full public path of the API, `/v1` by default. */
  readonly basePath?: string;
  /** Modes this deployment serves; keys of the others are `invalid_api_key`. Both by default. */
  readonly modes?: readonly ("live" | "test")[];
  /** Where the buyer is sent: `{baseUrl}/{token}`, or an address of your payment provider's. */
  readonly checkout:
    | { readonly baseUrl: ModeUrls }
    | { readonly url: (session: ExternalSession) => string | Promise<string> };
  readonly gateways?: readonly PaymentGateway[];
  /** Without it every buyer token is `invalid_customer_token`. */
  readonly customerTokens?: CustomerTokenOptions;
  /** Public origin of this deployment; one of `publicUrl` and `docsUrl` is required. */
  readonly publicUrl?: string;
  /** Address of your error reference; `error.docs_url` is this followed by `#<code>`. */
  readonly docsUrl?: string;
  /** Without it endpoints cannot be created nor webhooks drained; events are still written. */
  readonly transport?: WebhookTransport;
  readonly webhooks?: { readonly scheduleMs?: readonly number[]; readonly leaseMs?: number };
  /** 32 random bytes that webhook secrets are sealed with and checkout tokens derived from. Required unless the storage is in memory. */
  readonly sealKey?: Uint8Array;
  /** The newest first; the old ones still open what they sealed. */
  readonly sealKeys?: readonly Uint8Array[];
  /** `null` turns a limit off. */
  readonly limits?: Partial<Readonly<Record<LimitName | "unknownKeys", Limit | null>>>;
  /** Counts checkout and coupon calls instead of the storage; when it fails the request passes and the failure is logged. */
  readonly limiter?: LimitStore;
  /** Milliseconds a key, its store and its origins may be remembered; 0 = exact. 1,000 by default. */
  readonly accessCacheMs?: number;
  /** Bytes of rendered catalog answers kept in memory; 0 = none. 32 MiB by default. */
  readonly answerCacheBytes?: number;
  /** Believe `X-Service-Buyer-IP` when it comes with a secret key. */
  readonly trustBuyerIp?: boolean;
  readonly revokeLeakedKeys?: boolean;
  readonly onAlert?: (alert: AlertRecord) => void | Promise<void>;
  /** Hears of every error that became a 500 or a retry. Without it and without `logger` they go to `console.error`. */
  readonly onError?: (error: unknown, where: string) => void;
  readonly logger?: Logger;
  /** Hears of requests and deliveries: see `vitrine/otel`. */
  readonly observer?: Observer;
  /** Answer `GET {basePath}/healthz` without a key. */
  readonly healthz?: boolean;
  /** Epoch milliseconds; for tests. */
  readonly now?: () => number;
  /** For tests. */
  readonly newId?: (kind: IdKind) => string;
}

export const defaultLimits: Readonly<Record<LimitName, Limit | null>> = {
  checkout: { limit: 10, window_ms: 60_000 },
  coupons: { limit: 20, window_ms: 60_000 },
  catalog: null,
  orders: null,
  customers: null,
};

export function readBasePath(basePath = "/v1"): string {
  if (basePath !== "" && (!/^\/[^?#\s]*$/.test(basePath) || basePath.endsWith("/"))) {
    invalidOption(
      "basePath",
      "must begin with a slash and not end with one, like `/v1`: it is the full public path of the API",
    );
  }
  return basePath;
}

export function readModes(modes: StorefrontOptions["modes"] = ["live", "test"]): {
  live: boolean;
  test: boolean;
} {
  if (modes.length === 0 || modes.some((mode) => mode !== "live" && mode !== "test"))
    invalidOption("modes", 'must list "live", "test" or both');
  return { live: modes.includes("live"), test: modes.includes("test") };
}

export function readDocsUrl(options: StorefrontOptions, basePath: string): string {
  if (options.docsUrl !== undefined) return webUrl("docsUrl", options.docsUrl);
  if (options.publicUrl !== undefined)
    return `${webUrl("publicUrl", options.publicUrl)}${basePath}${errorReferencePath}`;
  return invalidOption(
    "publicUrl",
    "is missing: give the public origin of this deployment (or `docsUrl`), so that errors can link to their explanation",
  );
}

export function readCheckoutBase(
  baseUrl: ModeUrls,
  modes: { live: boolean; test: boolean },
): CheckoutBase {
  const given = typeof baseUrl === "string" ? { live: baseUrl, test: baseUrl } : baseUrl;
  const read = (mode: "live" | "test"): string | null => {
    const url = given[mode];
    if (url !== undefined)
      return webUrl(`checkout.baseUrl${typeof baseUrl === "string" ? "" : `.${mode}`}`, url);
    return modes[mode]
      ? invalidOption(`checkout.baseUrl.${mode}`, `is missing, but the ${mode} mode is served`)
      : null;
  };
  return { live: read("live"), test: read("test") };
}

/** https anywhere, http on this machine only; without the slash at the end. */
function webUrl(name: string, value: string): string {
  const url = parseUrl(value);
  const local =
    url?.protocol === "http:" &&
    (url.hostname === "localhost" || url.hostname === "127.0.0.1" || url.hostname === "[::1]");
  if (
    !url ||
    (url.protocol !== "https:" && !local) ||
    url.search !== "" ||
    url.hash !== "" ||
    url.username !== ""
  ) {
    return invalidOption(
      name,
      "must be an absolute https URL (http on localhost) without query and fragment",
    );
  }
  return url.href.replace(/\/+$/, "");
}

export function readSealKeys(
  options: StorefrontOptions,
  randomBytes: (length: number) => Uint8Array,
): readonly Uint8Array[] {
  const keys = options.sealKeys ?? (options.sealKey ? [options.sealKey] : []);
  if (keys.length === 0) {
    if (options.storage.ephemeral) return [randomBytes(32)];
    invalidOption(
      "sealKey",
      "is missing: give 32 random bytes kept beside your other secrets, e.g. from `openssl rand -base64 32`",
    );
  }
  const wrong = keys.find((key) => !(key instanceof Uint8Array) || key.length !== 32);
  if (wrong) {
    const given = wrong instanceof Uint8Array ? `${wrong.length} bytes` : `a ${typeof wrong}`;
    invalidOption(
      "sealKey",
      `must be exactly 32 bytes (a Uint8Array), but is ${given}: \`openssl rand -base64 32\` makes one to decode`,
    );
  }
  return keys;
}

export function readLimit(
  name: string,
  limit: Limit | null | undefined,
  fallback: Limit | null,
): Limit | null {
  if (limit === undefined) return fallback;
  if (limit === null) return null;
  const fits = (value: number, most: number): boolean =>
    Number.isSafeInteger(value) && value >= 1 && value <= most;
  if (!fits(limit.limit, 1_000_000) || !fits(limit.window_ms, 86_400_000)) {
    invalidOption(
      `limits.${name}`,
      "must be null, or {limit, window_ms} with whole numbers from 1 (window at most a day)",
    );
  }
  return limit;
}

export function readWhole(
  name: string,
  value: number | undefined,
  fallback: number,
  most: number,
): number {
  if (value === undefined) return fallback;
  if (!Number.isSafeInteger(value) || value < 0 || value > most)
    invalidOption(name, `must be a whole number from 0 to ${most}`);
  return value;
}
