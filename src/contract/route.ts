import type { z } from "zod";
import type { PublicErrorCode } from "./errors.ts";
import type { Scope } from "./scopes.ts";

/** Names a rate limit, as the option `limits` takes it. */
export type LimitName = RouteLimit | "payments" | "agents" | "agentSessions" | "agentStores";

type RouteLimit =
  | "checkout"
  | "sessions"
  | "coupons"
  | "licenses"
  | "catalog"
  | "orders"
  | "customers";

/** One operation of the API: who may call it, with what, and what it answers. */
export interface Route {
  /** When it is `secret`, only secret keys can have the scope. */
  readonly key: "any" | "secret";
  /** Null means that the route needs no scope: it shows what a buyer's token or key opens. */
  readonly scope: Scope | null;
  /** A key that holds this scope may call the route too, and is shown the whole resource. */
  readonly fullScope?: Scope;
  /** Whether the buyer token is required, or read when it is sent. */
  readonly buyer?: "required" | "optional";
  /**
   * When it is `catalog`, the ETag is the catalog version, so it needs no query.
   * When it is `data`, the ETag is a hash.
   */
  readonly cache: "catalog" | "data" | "none";
  /** When this is true, the host's own catalog answers where the option `catalog` is set. */
  readonly ofSource?: true;
  readonly limit: RouteLimit;
  readonly idempotent?: true;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly reply: {
    readonly status: 200 | 201;
    readonly data: z.ZodType;
    readonly list?: true;
    /** True for a list that corrects a search and tells the words that found its rows. */
    readonly corrects?: true;
    /** The type of a feed, whose `data` is the text of the whole answer. */
    readonly media?: string;
  };
  /**
   * The route has these codes in addition to those of every route; `errorsOf` gives
   * all of them.
   */
  readonly errors: readonly PublicErrorCode[];
  /** Set when a newer version replaces the route (docs/contract/errors.md#versions). */
  readonly deprecation?: {
    readonly deprecated_at: string;
    readonly sunset_at: string;
    readonly link: string;
  };
}
