import type { LimitName } from "../contract/route.ts";
import type { OperationContext } from "../operations/context.ts";
import type { SessionHolds } from "../payments/checkout/session-holds.ts";
import type { BuyerTokens } from "../rules/checkout/buyer.ts";
import type { AlertRecord } from "../rules/records.ts";
import type { LimitStore } from "../storage/limit-store.ts";
import type { AccessCache } from "./access/access-cache.ts";
import type { KeyUses } from "./access/key-uses.ts";
import type { MetricsSettings } from "./metrics/settings.ts";
import type { Instrumentation } from "./observe/instrumentation.ts";
import type { CatalogCache } from "./replies/catalog-cache.ts";
import type { RequestLog } from "./request-log/request-log.ts";

/** Allows a number of calls in a number of milliseconds. */
export interface Limit {
  readonly limit: number;
  readonly window_ms: number;
}

/** What every step of a request receives. `createStorefront` makes it once. */
export interface HttpContext extends OperationContext {
  readonly basePath: string;
  /** The origin is empty when the host has not given `publicUrl`. */
  readonly publicOrigin: string;
  readonly docsUrl: string;
  /** The colour of the documents. Null when the host has not given one for all stores. */
  readonly brandColor: string | null;
  /** The pattern of the address of a product's page. Null when the host has not given one. */
  readonly productUrl: string | null;
  /** Which modes this deployment serves. */
  readonly modes: { readonly live: boolean; readonly test: boolean };
  /** A limit of null is turned off. */
  readonly limits: Readonly<Record<LimitName, Limit | null>>;
  /** Counts checkout and coupon calls and payments over all processes. */
  readonly sharedLimiter: SharedLimiter;
  /** Counts the other calls within this process. */
  readonly processLimiter: LimitStore;
  readonly unknownKeyLimit: Limit | null;
  /**
   * The most sessions that a store gets in a mode on a UTC day. Null means that there is no limit.
   */
  readonly maxSessionsPerDay: number | null;
  /** Milliseconds after which a request is 503. Null sets no limit. */
  readonly requestTimeoutMs: number | null;
  readonly access: AccessCache;
  readonly catalogCache: CatalogCache;
  readonly buyerTokens: BuyerTokens;
  /**
   * Names the options that shape catalog answers, and is a part of every catalog
   * ETag.
   */
  readonly configVersion: string;
  /** True means that a query name is refused when its route does not know it. */
  readonly strictQuery: boolean;
  readonly trustBuyerIp: boolean;
  readonly revokeLeakedKeys: boolean;
  /**
   * Maps the id of a leaked secret key to the time on the steady clock until
   * which the key raises no further alert.
   */
  readonly quietLeaks: Map<string, number>;
  /** Null when neither a logger nor an observer is given. */
  readonly instrumentation: Instrumentation | null;
  /** Notes when keys were last used. */
  readonly keyUses: KeyUses;
  /** Null means that no request is logged for the owner. */
  readonly requestLog: RequestLog | null;
  readonly healthz: boolean;
  readonly readyz: boolean;
  /** Null means that `/metrics` does not exist. */
  readonly metrics: MetricsSettings | null;
  /** Writes a warning for the host, each text only once. */
  warnOnce(text: string): void;
  /** Says whether `close()` has begun. */
  isClosing(): boolean;
  /**
   * Holds goods before the host's code builds the checkout address. It is null
   * when this is not wanted.
   */
  readonly holds: SessionHolds | null;
  /** Clears what this process has cached of a store. */
  clearStore(store_id: string): void;
  /**
   * Tells the host of an alert. The call returns at once, before the host's
   * callback has ended.
   */
  onAlert(alert: AlertRecord): void;
}

export interface SharedLimiter {
  readonly store: LimitStore;
  /**
   * True when the host gave the store as an option. A failure of it then lets
   * the request pass.
   */
  readonly givenByHost: boolean;
  /**
   * True when the store counts by the database's clock and not by ours.
   */
  readonly databaseClock: boolean;
}
