import type { LimitName } from "./contract/route.ts";
import type { IdKind } from "./domain/keys/ids.ts";
import type { Logger } from "./domain/logger.ts";
import type { Limit } from "./http/context.ts";
import type { Observer } from "./http/observe/observer.ts";
import type { LoggedBodies } from "./http/request-log/request-log-settings.ts";
import type { WireRequest } from "./http/wire.ts";
import type { CustomerPageOptions } from "./pages/customer/options.ts";
import type { CheckoutPageOptions } from "./pages/page-options.ts";
import type { PaymentGateway } from "./payments/gateway/gateway.ts";
import type { CustomerTokenOptions } from "./payments/tokens/buyer-tokens.ts";
import type { ExternalSession } from "./rules/checkout/checkout-urls.ts";
import type { AlertRecord } from "./rules/records.ts";
import type { LimitStore } from "./storage/limit-store.ts";
import type { CatalogSearch } from "./storage/reads/catalog-search.ts";
import type { CatalogSource } from "./storage/reads/catalog-source.ts";
import type { Storage } from "./storage/types.ts";
import type { WebhookTransport } from "./webhooks/send/transport.ts";

/** An address for both modes, or one address for each mode. */
export type ModeUrls =
  | string
  | { readonly live?: string | undefined; readonly test?: string | undefined };

/** The options of `createStorefront`. A wrong or unknown option throws `invalid_option`. */
export interface StorefrontOptions {
  /** Everything is stored here, e.g. in `memoryStorage()` or `sqliteStorage(…)`. */
  readonly storage: Storage;
  /**
   * Your own product tables are used in place of ours; or, by `{ search }` alone, your own search
   * engine over our tables in place of the built-in search.
   */
  readonly catalog?: CatalogSource | CatalogSearch | undefined;
  /** The full public path of the API, `/v1` by default. */
  readonly basePath?: string | undefined;
  /**
   * The full public path of `storefront.notifications`, `/notifications` by
   * default. Providers call `{notificationsPath}/gateways/{id}/{live|test}`.
   */
  readonly notificationsPath?: string | undefined;
  /**
   * The modes that this deployment serves. Default: both. Keys of another mode are
   * `invalid_api_key`.
   */
  readonly modes?: readonly ("live" | "test")[] | undefined;
  /**
   * The buyer is sent to `{baseUrl}/{token}`, or to an address of your payment
   * provider, which `url` gives. `baseUrl` is `publicUrl` and `/pay` by default. With
   * `hold: true` the session's pieces and a use of its coupon are held before `url` is
   * called, until the session expires; a `url` that fails gives them back. Whoever has
   * a publishable key can then hold pieces: each address has at most 20 open holds.
   */
  readonly checkout?:
    | { readonly baseUrl?: ModeUrls | undefined }
    | {
        readonly url: (session: ExternalSession) => string | Promise<string>;
        readonly hold?: boolean | undefined;
      }
    | undefined;
  /** How the checkout page looks and speaks. */
  readonly checkoutPage?: CheckoutPageOptions | undefined;
  /** Turns on the page at which buyers see what they have bought, and says where it is. */
  readonly customerPage?: CustomerPageOptions | undefined;
  /** The payment gateways. Two gateways of one mode cannot have the same id. */
  readonly gateways?: readonly PaymentGateway[] | undefined;
  /** How buyer tokens are verified. Without it every buyer token is `invalid_customer_token`. */
  readonly customerTokens?: CustomerTokenOptions | undefined;
  /** The public origin of this deployment. One of `publicUrl` and `docsUrl` is required. */
  readonly publicUrl?: string | undefined;
  /** The address of your error reference. `error.docs_url` is this followed by `#<code>`. */
  readonly docsUrl?: string | undefined;
  /**
   * The address of a product's page, for feeds: `{slug}` and `{id}` are the product's, and
   * `{website_url}` is the store's, as in `{website_url}/products/{slug}`.
   */
  readonly productUrl?: string | undefined;
  /** Sends webhooks. Without it no endpoint can be created; events are still written. */
  readonly transport?: WebhookTransport | undefined;
  /**
   * `scheduleMs` lists the waits between the attempts of a delivery, in
   * milliseconds. A worker keeps a delivery for `leaseMs` milliseconds, 60,000 by
   * default.
   */
  readonly webhooks?:
    | { readonly scheduleMs?: readonly number[] | undefined; readonly leaseMs?: number | undefined }
    | undefined;
  /**
   * Says when maintenance charges the saved method of a subscription. A period is tried on
   * the `days` 1, 3, 5 and 7 of its time by default, in the `hours` from 8 to 20 of the
   * store's time zone. After the last try the subscription ends (`afterLast: "cancel"`), or
   * stays past due (`"leave"`). `noticeDays` (3) before a charge `subscription.renewal_upcoming`
   * tells of it, though not in the first half of a period; 0 tells of none.
   */
  readonly renewals?:
    | {
        readonly days?: readonly number[] | undefined;
        readonly afterLast?: "cancel" | "leave" | undefined;
        readonly hours?: { readonly from: number; readonly to: number } | undefined;
        readonly noticeDays?: number | undefined;
      }
    | undefined;
  /**
   * The key by which webhook secrets are sealed and checkout tokens are derived: 32 random bytes.
   * Required unless the storage is in memory.
   */
  readonly sealKey?: Uint8Array | undefined;
  /** Several seal keys, the newest first. The older ones still open what they sealed. */
  readonly sealKeys?: readonly Uint8Array[] | undefined;
  /** Sets rate limits by name; `null` turns one off. */
  readonly limits?: Partial<Readonly<Record<LimitName | "unknownKeys", Limit | null>>> | undefined;
  /**
   * The most checkout sessions that the API makes for a store in each mode on one UTC day: a whole
   * number from 1. By default, and with null, there is no limit.
   */
  readonly maxSessionsPerDay?: number | null | undefined;
  /**
   * The place where requests are counted for the limits of checkouts, coupons, licenses, payments,
   * agents' calls and sign-ins to the dashboard. By default this is the storage. When counting
   * fails, the request passes and the failure is reported.
   */
  readonly limiter?: LimitStore | undefined;
  /**
   * The longest time in milliseconds for a request of the API, the checkout page or the customer
   * page. A request that takes longer gets 503 with `Retry-After`, while its work goes on: the same
   * Idempotency-Key, or another visit of the page, gives the result later. Default 30,000, which
   * is above the 25 s of `checkout.url`. Null sets no limit.
   */
  readonly requestTimeoutMs?: number | null | undefined;
  /**
   * Milliseconds for which a key, its store and its origins are remembered. Default
   * 1,000; 0 means never.
   */
  readonly accessCacheMs?: number | undefined;
  /** The most bytes of catalog answers that are kept in memory. Default 32 MiB; 0 means none. */
  readonly answerCacheBytes?: number | undefined;
  /**
   * False ignores a query name that a route does not know, as before version 0.2. By default such a
   * name is `parameter_unknown`. This option is removed in the next minor version.
   */
  readonly strictQuery?: boolean | undefined;
  /** Whether `X-Service-Buyer-IP` is believed when it comes with a secret key. */
  readonly trustBuyerIp?: boolean | undefined;
  /** Whether a secret key that was used from a browser is revoked at once. */
  readonly revokeLeakedKeys?: boolean | undefined;
  /** `keepDays` is how many days the audit log keeps an entry. It is 400 by default. */
  readonly audit?: { readonly keepDays?: number | undefined } | undefined;
  /** Called with every alert. */
  readonly onAlert?: ((alert: AlertRecord) => void | Promise<void>) | undefined;
  /**
   * Is told of every error that became a 500 or a retry, once a second for the same error from the
   * same place: `repeats` says how many were left out since. Without it and without `logger` they
   * go to `console.error`.
   */
  readonly onError?:
    | ((error: unknown, where: string, told: { readonly repeats: number }) => void)
    | undefined;
  /** Called with pino's arguments, so `pino()` and `fastify.log` fit. */
  readonly logger?: Logger | undefined;
  /** Told of requests and deliveries: see `vitrine/otel`. */
  readonly observer?: Observer | undefined;
  /** Whether `GET {basePath}/healthz` is answered, without a key. */
  readonly healthz?: boolean | undefined;
  /**
   * Whether `GET {basePath}/readyz` is answered, without a key. The status is 200 when this process
   * can serve requests. It is 503 when the storage, its schema or the clock is wrong, and after
   * `close()`.
   */
  readonly readyz?: boolean | undefined;
  /**
   * When this is set, `GET {basePath}/metrics` is answered, in Prometheus' text
   * format, if `authorize` gives `true` for the request. If it gives anything else,
   * the answer is 404. `labels.store` adds the store's id to the sums: leave it off
   * where stores are many.
   */
  readonly metrics?:
    | {
        readonly authorize: (request: WireRequest) => boolean | Promise<boolean>;
        readonly labels?: { readonly store?: boolean | undefined } | undefined;
      }
    | undefined;
  /**
   * Keeps what happened to the requests of each store, for `owner.requests`. It is
   * off by default. `keepHours` is from 1 to 720, and 48 by default. `bodies` tells
   * for which requests the structure of the body is kept, and is `errors` by
   * default. No personal data is kept.
   */
  readonly requestLog?:
    | { readonly keepHours?: number | undefined; readonly bodies?: LoggedBodies | undefined }
    | undefined;
  /** The clock in epoch milliseconds, for tests. */
  readonly now?: (() => number) | undefined;
  /** Makes the ids, for tests. */
  readonly newId?: ((kind: IdKind) => string) | undefined;
}
