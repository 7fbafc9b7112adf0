import type { LimitName } from "./contract/routes.ts";
import type { IdKind } from "./domain/ids.ts";
import type { Logger } from "./domain/logger.ts";
import type { Limit } from "./http/context.ts";
import type { Observer } from "./http/observer.ts";
import type { LoggedBodies } from "./http/request-log-settings.ts";
import type { WireRequest } from "./http/wire.ts";
import type { CheckoutPageOptions } from "./pages/page-options.ts";
import type { CustomerTokenOptions } from "./payments/buyer-tokens.ts";
import type { PaymentGateway } from "./payments/gateway.ts";
import type { ExternalSession } from "./rules/checkout-urls.ts";
import type { AlertRecord } from "./rules/records.ts";
import type { CatalogSource } from "./storage/catalog-source.ts";
import type { LimitStore } from "./storage/limit-store.ts";
import type { Storage } from "./storage/types.ts";
import type { WebhookTransport } from "./webhooks/transport.ts";

/** An address for both modes, or one address for each mode. */
export type ModeUrls = string | { readonly live?: string; readonly test?: string };

/** The options of `createStorefront`. A wrong or unknown option throws `invalid_option`. */
export interface StorefrontOptions {
  /** Where everything is stored, e.g. `memoryStorage()` or `sqliteStorage(…)`. */
  readonly storage: Storage;
  /** Your own product tables, used in place of ours. */
  readonly catalog?: CatalogSource;
  /** Full public path of the API, `/v1` by default. */
  readonly basePath?: string;
  /**
   * Full public path of `storefront.notifications`, `/notifications` by default:
   * providers call `{notificationsPath}/gateways/{id}/{live|test}`.
   */
  readonly notificationsPath?: string;
  /**
   * Modes that this deployment serves, both by default. Keys of another mode are
   * `invalid_api_key`.
   */
  readonly modes?: readonly ("live" | "test")[];
  /**
   * Where the buyer is sent: `{baseUrl}/{token}`, or an address of your payment
   * provider's. With `hold: true` the session's pieces and a use of its coupon are held
   * before `url` is called, until the session expires; a `url` that fails gives them
   * back. Whoever has a publishable key can then hold pieces: 20 open holds for each
   * address at most.
   */
  readonly checkout:
    | { readonly baseUrl: ModeUrls }
    | {
        readonly url: (session: ExternalSession) => string | Promise<string>;
        readonly hold?: boolean;
      };
  /** How the checkout page looks and speaks. */
  readonly checkoutPage?: CheckoutPageOptions;
  /** Payment gateways. Two gateways of one mode cannot have the same id. */
  readonly gateways?: readonly PaymentGateway[];
  /**
   * How buyer tokens are verified. Without it every buyer token is
   * `invalid_customer_token`.
   */
  readonly customerTokens?: CustomerTokenOptions;
  /** Public origin of this deployment. One of `publicUrl` and `docsUrl` is required. */
  readonly publicUrl?: string;
  /** Address of your error reference; `error.docs_url` is this followed by `#<code>`. */
  readonly docsUrl?: string;
  /**
   * How webhooks are sent. Without it no endpoint can be created; events are still
   * written.
   */
  readonly transport?: WebhookTransport;
  /**
   * `scheduleMs`: the waits between the attempts of a delivery, in milliseconds.
   * `leaseMs`: how long a worker keeps a delivery, 60,000 by default.
   */
  readonly webhooks?: { readonly scheduleMs?: readonly number[]; readonly leaseMs?: number };
  /**
   * 32 random bytes, by which webhook secrets are sealed and checkout tokens are
   * derived. Required unless the storage is in memory.
   */
  readonly sealKey?: Uint8Array;
  /** Several seal keys, the newest first. The older ones still open what they sealed. */
  readonly sealKeys?: readonly Uint8Array[];
  /** Rate limits by name; `null` turns one off. */
  readonly limits?: Partial<Readonly<Record<LimitName | "unknownKeys", Limit | null>>>;
  /**
   * How many checkout sessions the API makes for a store in each mode on one UTC day:
   * a whole number from 1. By default, and with null, any number.
   */
  readonly maxSessionsPerDay?: number | null;
  /**
   * Counts checkout and coupon calls in place of the storage. When it fails, the
   * request passes and the failure is reported.
   */
  readonly limiter?: LimitStore;
  /**
   * How many milliseconds a key, its store and its origins are remembered: 1,000 by
   * default, 0 = never.
   */
  readonly accessCacheMs?: number;
  /** How many bytes of catalog answers are kept in memory: 32 MiB by default, 0 = none. */
  readonly answerCacheBytes?: number;
  /**
   * With `false` a query name that a route does not know is ignored, as before version
   * 0.2. By default it is `parameter_unknown`. This option goes with the next minor
   * version.
   */
  readonly strictQuery?: boolean;
  /** Whether `X-Service-Buyer-IP` is believed when it comes with a secret key. */
  readonly trustBuyerIp?: boolean;
  /** Whether a secret key that was used from a browser is revoked at once. */
  readonly revokeLeakedKeys?: boolean;
  /** `keepDays` is how many days the audit log keeps an entry. It is 400 by default. */
  readonly audit?: { readonly keepDays?: number };
  /** Called with every alert. */
  readonly onAlert?: (alert: AlertRecord) => void | Promise<void>;
  /**
   * Called with every error that became a 500 or a retry. Without it and without
   * `logger` they go to `console.error`.
   */
  readonly onError?: (error: unknown, where: string) => void;
  /** Called with pino's arguments, so `pino()` and `fastify.log` fit. */
  readonly logger?: Logger;
  /** Is told of requests and deliveries: see `vitrine/otel`. */
  readonly observer?: Observer;
  /** Whether `GET {basePath}/healthz` is answered, without a key. */
  readonly healthz?: boolean;
  /**
   * Whether `GET {basePath}/readyz` is answered, without a key: 200 while this process
   * should get requests, and 503 while the storage, its schema or the clock is wrong, or
   * once `close()` was called.
   */
  readonly readyz?: boolean;
  /**
   * Whether `GET {basePath}/metrics` is answered, in Prometheus' text format, where
   * `authorize` gives `true` for the request. Any other answer of it is 404.
   * `labels.store` adds the store's id to the sums: leave it off where stores are many.
   */
  readonly metrics?: {
    readonly authorize: (request: WireRequest) => boolean | Promise<boolean>;
    readonly labels?: { readonly store?: boolean };
  };
  /**
   * Keeps what happened to the requests of each store, for `owner.requests`. It is
   * off by default. `keepHours` is from 1 to 720, and 48 by default. `bodies` tells
   * for which requests the structure of the body is kept, and is `errors` by
   * default. No personal data is kept.
   */
  readonly requestLog?: { readonly keepHours?: number; readonly bodies?: LoggedBodies };
  /** The clock in epoch milliseconds, for tests. */
  readonly now?: () => number;
  /** Makes the ids, for tests. */
  readonly newId?: (kind: IdKind) => string;
}
