import type { LimitName } from "../contract/routes.ts";
import type { Context } from "../operations/context.ts";
import type { BuyerTokens } from "../rules/buyer.ts";
import type { AlertRecord } from "../rules/records.ts";
import type { LimitStore } from "../storage/types.ts";
import type { AccessCache } from "./access-cache.ts";
import type { AnswerCache } from "./answer-cache.ts";
import type { Observation } from "./observe.ts";

export interface Limit {
  readonly limit: number;
  readonly window_ms: number;
}

/** What every step of a request receives besides what its operation does. */
export interface HttpContext extends Context {
  readonly basePath: string;
  readonly docsUrl: string;
  /** Modes this deployment serves. */
  readonly modes: { readonly live: boolean; readonly test: boolean };
  /** Null = off. */
  readonly limits: Readonly<Record<LimitName, Limit | null>>;
  /** Counts in storage, or the host's own. */
  readonly limiter: {
    readonly store: LimitStore;
    readonly external: boolean;
    /** Counts by the database's clock. */
    readonly ownClock: boolean;
  };
  /** Counts within this process. */
  readonly processLimiter: LimitStore;
  readonly unknownKeyLimit: Limit | null;
  readonly access: AccessCache;
  readonly answers: AnswerCache;
  readonly buyerTokens: BuyerTokens;
  /** Part of every catalog ETag: changes with the configuration that shapes answers. */
  readonly configHash: string;
  readonly trustBuyerIp: boolean;
  readonly revokeLeakedKeys: boolean;
  /** Null when neither a logger nor an observer listens. */
  readonly observation: Observation | null;
  readonly healthz: boolean;
  /** Clears this process's caches of a store. */
  changed(store_id: string): void;
  onAlert(alert: AlertRecord): void;
}
