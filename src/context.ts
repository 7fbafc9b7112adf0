import type { LimitName } from "./contract/routes.ts";
import type { IdKind } from "./domain/ids.ts";
import type { KeyRing } from "./domain/key-ring.ts";
import type { AccessCache } from "./http/access.ts";
import type { AnswerCache } from "./http/answer-cache.ts";
import type { Observation } from "./http/observe.ts";
import type { CatalogReader } from "./operations/catalog-reader.ts";
import type { AlertRecord, Partition, SessionRecord } from "./rules/records.ts";
import type { LimitStore, Storage } from "./storage/types.ts";

/** pino's argument order, so that `pino()` and `fastify.log` fit. Nothing that is logged holds a key, a token or a tax id. */
export interface Logger {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface Limit {
  readonly limit: number;
  readonly window_ms: number;
}

/** A buyer token that was accepted. */
export interface Buyer {
  readonly customer_id: string;
  /** Epoch milliseconds. */
  readonly issued_at: number;
}

export interface BuyerTokens {
  /** Throws `invalid_customer_token` or `customer_token_expired`. */
  verify(token: string, partition: Partition): Promise<Buyer>;
}

/** Where a session sends its buyer. `build` is null when the address is derived from the session alone. */
export interface CheckoutUrls {
  /** Id of the seal key that new tokens are made with. */
  readonly sealKeyId: string | null;
  /** The address of a session of ours. */
  address(session: Pick<SessionRecord, "id" | "store_id" | "livemode" | "seal_key_id" | "checkout_url">): Promise<string>;
  readonly build: ((session: ExternalSession) => string | Promise<string>) | null;
}

/** What an external builder of checkout addresses receives. `id` stays the same over retries: use it as the payment provider's idempotency key. */
export interface ExternalSession {
  readonly id: string;
  readonly store_id: string;
  readonly livemode: boolean;
  readonly amount_total: number;
  readonly currency: string;
  readonly line_items: readonly {
    readonly name: string;
    readonly quantity: number;
    readonly unit_amount: number;
    readonly amount_total: number;
  }[];
  readonly customer: { readonly email: string | null; readonly discord_id: string | null };
  readonly success_url: string;
  readonly cancel_url: string;
  readonly metadata: SessionRecord["metadata"];
  /** ISO 8601 UTC. */
  readonly expires_at: string;
}

/** What every step of a request receives, made once by `createStorefront`. */
export interface Context {
  readonly storage: Storage;
  /** Ours, or the host's own product tables. */
  readonly catalog: CatalogReader;
  readonly basePath: string;
  readonly docsUrl: string;
  /** Modes this deployment serves. */
  readonly modes: { readonly live: boolean; readonly test: boolean };
  /** Null = off. */
  readonly limits: Readonly<Record<LimitName, Limit | null>>;
  /** Counts in storage, or the host's own. */
  readonly limiter: {
    readonly store: LimitStore;
    readonly external: boolean /** Counts by the database's clock. */;
    readonly ownClock: boolean;
  };
  /** Counts within this process. */
  readonly processLimiter: LimitStore;
  readonly unknownKeyLimit: Limit | null;
  readonly access: AccessCache;
  readonly answers: AnswerCache;
  readonly buyerTokens: BuyerTokens;
  readonly checkoutUrls: CheckoutUrls;
  readonly keyRing: KeyRing;
  /** Ids of the gateways configured in each mode: a payment method of another one is not shown. */
  readonly gatewayIds: { readonly live: ReadonlySet<string>; readonly test: ReadonlySet<string> };
  /** Part of every catalog ETag: changes with the configuration that shapes answers. */
  readonly configHash: string;
  readonly trustBuyerIp: boolean;
  readonly revokeLeakedKeys: boolean;
  readonly logger: Logger | null;
  /** Null when neither a logger nor an observer listens. */
  readonly observation: Observation | null;
  readonly healthz: boolean;
  now(): number;
  newId(kind: IdKind): string;
  randomBytes(length: number): Uint8Array;
  /** Clears this process's caches of a store. */
  changed(store_id: string): void;
  onAlert(alert: AlertRecord): void;
  /** Of alerts that are told until the host's callback returns. */
  tellAlert(alert: AlertRecord): Promise<void>;
  onError(error: unknown, where: string): void;
}
