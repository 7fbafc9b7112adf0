import { type Operation, paths } from "../contract/paths.ts";
import { StorefrontError } from "./error.ts";
import { type Fetch, type Patience, send } from "./send.ts";
import type {
  BuyerOperation,
  Client,
  CustomerToken,
  IdempotentOperation,
  ListPage,
} from "./types.ts";

export type { PublicErrorCode as ErrorCode } from "../contract/errors.ts";
export type { Operation } from "../contract/paths.ts";
export { type ErrorParts, isStorefrontError, StorefrontError } from "./error.ts";
export type * from "./resources.ts";
export type { Fetch } from "./send.ts";
export type {
  Answer,
  CallOptions,
  Client,
  ClientErrorCode,
  ClientInput,
  ClientOutput,
  CustomerToken,
  ErrorCodeOf,
  ListPage,
  ListRequest,
  WebhookEvent,
} from "./types.ts";

export interface ClientOptions {
  /** Address of the API with its version: `https://api.example.com/v1`. In a page it may be relative: `/v1`. */
  readonly baseUrl: string;
  /** Publishable or secret; a secret key never in a browser. */
  readonly key: string;
  /** Buyer token for `listMyOrders` and checkout sessions; a function is asked before each call. */
  readonly customerToken?: CustomerToken;
  /** In place of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Retries of a call beyond its first attempt; 3 by default. */
  readonly maxRetries?: number | undefined;
  /** For one attempt, in milliseconds; 30,000 by default. A longer Retry-After is not waited for. */
  readonly timeoutMs?: number | undefined;
  /** Whether calls come from a browser; found out by default. */
  readonly browser?: boolean | undefined;
}

/** A record, so that a route which becomes idempotent, or takes a buyer token, does not compile until it stands here. */
const idempotent: Readonly<Record<IdempotentOperation, 1>> = { createCheckoutSession: 1 };
const forBuyers: Readonly<Record<BuyerOperation, 1>> = {
  createCheckoutSession: 1,
  listMyOrders: 1,
};

type Values = Readonly<Record<string, unknown>>;
interface AnyOptions extends Partial<Patience> {
  readonly idempotencyKey?: string;
  readonly customerToken?: CustomerToken;
  readonly buyerIp?: string;
}

/** A client with one method an operation. Throws a TypeError over an option that cannot work. */
export function createClient(options: ClientOptions): Client {
  const { key, browser = "document" in globalThis || "importScripts" in globalThis } = options;
  if (!/^hk_\w+$/.test(key)) throw TypeError("`key` must be an API key (hk_…).");
  if (browser && /^hk_[a-z]+_sec_/.test(key))
    throw TypeError(
      "`key` is a secret key, and this is a browser, where everybody can read it. Revoke it and use a publishable key.",
    );
  const base = addressOf(options.baseUrl, browser ? globalThis.location?.href : undefined);
  // Looked up at each call, so that one replaced later (by a framework, by a test) is used.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));

  const call = async (operation: Operation, input: Values, own: AnyOptions): Promise<unknown> => {
    const [method = "", template = ""] = paths[operation].split(" ");
    const [path, rest] = place(template, input);
    const headers = new Headers({ authorization: `Bearer ${key}` });
    const search = new URLSearchParams(browser ? { key } : {});
    let body: string | undefined;
    if (method === "GET") {
      for (const [name, value] of Object.entries(rest))
        if (value != null) search.append(name, String(value));
    } else {
      body = JSON.stringify(rest);
      headers.set("content-type", "application/json");
    }
    if (operation in idempotent) headers.set("idempotency-key", own.idempotencyKey ?? newKey());
    if (operation in forBuyers) {
      const given = own.customerToken ?? options.customerToken;
      const token = typeof given === "function" ? await given() : given;
      if (token) headers.set("x-service-customer-token", token);
    }
    if (own.buyerIp) headers.set("x-service-buyer-ip", own.buyerIp);
    const url = `${base}${path}?${search}`.replace(/\?$/, "");
    return send(fetch, url, body === undefined ? { method, headers } : { method, headers, body }, {
      signal: own.signal,
      timeoutMs: within("timeoutMs", own.timeoutMs ?? options.timeoutMs ?? 30_000, 1),
      maxRetries: within("maxRetries", own.maxRetries ?? options.maxRetries ?? 3, 0),
    });
  };

  const client: Record<string, unknown> = {};
  for (const operation of Object.keys(paths) as Operation[])
    client[operation] = (input: Values = {}, own: AnyOptions = {}) => {
      const first = call(operation, input, own);
      return Object.assign(first, {
        async *[Symbol.asyncIterator]() {
          let page = (await first) as ListPage<unknown>;
          yield* page.data;
          while (page.has_more && page.next_cursor) {
            page = (await call(
              operation,
              { ...input, page: null, starting_after: page.next_cursor },
              own,
            )) as ListPage<unknown>;
            yield* page.data;
          }
        },
      });
    };
  // The types are built from the same table as the methods.
  return client as Client;
}

/** `localhost:4242/v1` parses too, as an address of the scheme `localhost`. */
function addressOf(baseUrl: string, page: string | undefined): string {
  try {
    const { protocol, origin, pathname } = new URL(baseUrl, page);
    if (/^https?:$/.test(protocol)) return origin + pathname.replace(/\/$/, "");
  } catch {
    // Said below.
  }
  throw TypeError(
    "`baseUrl` must be an address like https://api.example.com/v1; relative only in a page, not where one is rendered.",
  );
}

/** The path with its parameters in place, and what is left for the query or the body. */
function place(template: string, input: Values): readonly [path: string, rest: Values] {
  const rest = { ...input };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name] ?? "");
    delete rest[name];
    // URLs drop such a segment: the call would reach another route.
    if (/^\.{0,2}$/.test(value))
      throw new StorefrontError({
        code: "parameter_invalid",
        param: name,
        message: `\`${name}\` is no id.`,
      });
    return encodeURIComponent(value);
  });
  return [path, rest];
}

/** Timers take 31 bits: a larger number would fire at once. */
function within(name: string, value: number, least: number): number {
  if (!(value >= least && value < 2 ** 31))
    throw TypeError(`\`${name}\` must be a number from ${least}.`);
  return value;
}

/** Not randomUUID: pages without TLS have none. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(36).padStart(2, "0"),
  ).join("");
