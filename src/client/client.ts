import { clientPaths, type ClientOperation as Operation } from "../contract/client-paths.ts";
import { StorefrontError } from "./error.ts";
import { type Fetch, type PreparedRequest, type RetryOptions, send } from "./send.ts";
import type { Client, CustomerToken, IdempotentOperation, ListPage } from "./types.ts";

export type { ClientOperation as Operation } from "../contract/client-paths.ts";
export type { PublicErrorCode as ErrorCode } from "../contract/errors.ts";
export { type ErrorParts, isStorefrontError, StorefrontError } from "./error.ts";
export type * from "./resources.ts";
export type { Fetch } from "./send.ts";
export type {
  Answer,
  BuyerOperation,
  CallOptions,
  Client,
  ClientErrorCode,
  ClientInput,
  ClientOutput,
  CustomerToken,
  ErrorCodeOf,
  IdempotentOperation,
  ListPage,
  ListRequest,
  WebhookEvent,
} from "./types.ts";

/** The options of `createClient`. */
export interface ClientOptions {
  /**
   * The address of the API with its version: `https://api.example.com/v1`. On
   * a web page it may be relative: `/v1`.
   */
  readonly baseUrl: string;
  /** The client sends this publishable or secret key. Never use a secret key in a browser. */
  readonly key: string;
  /**
   * The token that calls about a buyer send: those with `My` in their name, `createCheckoutSession`
   * and `updateCheckoutSession`. A function is called before each.
   */
  readonly customerToken?: CustomerToken | undefined;
  /** Used in place of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** The most times that a call is tried again after its first attempt. Default 3. */
  readonly maxRetries?: number | undefined;
  /**
   * Milliseconds after which an attempt ends. Default 30,000. When an answer's
   * `Retry-After` asks for a longer wait than this, the call fails at once.
   */
  readonly timeoutMs?: number | undefined;
  /** True when the calls come from a browser. The client finds out by default. */
  readonly browser?: boolean | undefined;
}

// A record, so that a new operation of the kind does not compile until it is added here.
const idempotent: Readonly<Record<IdempotentOperation, 1>> = {
  createCheckoutSession: 1,
  updateCheckoutSession: 1,
};
/** Tells whether the operation takes a buyer's token. A test compares it with the routes. */
const isForBuyers = (operation: Operation): boolean =>
  operation in idempotent || operation.includes("My");

type Values = Readonly<Record<string, unknown>>;

interface AnyOptions extends Partial<RetryOptions> {
  readonly idempotencyKey?: string;
  readonly customerToken?: CustomerToken;
  readonly buyerIp?: string;
}

/**
 * Makes a client with one method for each operation. Throws a TypeError for a wrong
 * option.
 */
export function createClient(options: ClientOptions): Client {
  if (!options) throw TypeError("`createClient` takes { baseUrl, key }.");
  const { key, browser = "document" in globalThis || "importScripts" in globalThis } = options;
  checkKey(key, browser);

  const base = addressOf(options.baseUrl, browser ? globalThis.location?.href : undefined);
  // The global is looked up at each call, because a framework or a test may replace it later.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));

  const call = async (operation: Operation, input: Values, own: AnyOptions): Promise<unknown> => {
    const search = new URLSearchParams(browser ? { key } : {});
    const { method, path, body } = prepare(operation, input, search);

    const headers = new Headers({ authorization: `Bearer ${key}` });
    if (body !== undefined) headers.set("content-type", "application/json");
    if (operation in idempotent) headers.set("idempotency-key", own.idempotencyKey ?? newKey());
    if (isForBuyers(operation)) {
      const token = await readToken(own.customerToken ?? options.customerToken);
      if (token) headers.set("x-service-customer-token", token);
    }
    if (own.buyerIp) headers.set("x-service-buyer-ip", own.buyerIp);

    const url = `${base}${path}?${search}`.replace(/\?$/, "");
    const init = body === undefined ? { method, headers } : { method, headers, body };
    const request: PreparedRequest = { url, init };
    return send(fetch, request, {
      signal: own.signal,
      timeoutMs: checkNumber("timeoutMs", own.timeoutMs ?? options.timeoutMs ?? 30_000, 1),
      maxRetries: checkNumber("maxRetries", own.maxRetries ?? options.maxRetries ?? 3, 0),
    });
  };

  const client: Record<string, unknown> = {};
  for (const operation of Object.keys(clientPaths) as Operation[])
    client[operation] = (input: Values = {}, own: AnyOptions = {}) =>
      withPages((values) => call(operation, values, own), input);
  // The types and the methods are made from the same table.
  return client as Client;
}

function checkKey(key: string, browser: boolean): void {
  if (!/^hk_\w+$/.test(key)) throw TypeError("`key` must be an API key (hk_…).");
  if (browser && /^hk_[a-z]+_sec_/.test(key))
    throw TypeError(
      "`key` is a secret key, and this is a browser: revoke it and use a publishable key.",
    );
}

/**
 * Starts the call and makes its promise iterable: iteration continues with the
 * pages after it.
 */
function withPages(call: (input: Values) => Promise<unknown>, input: Values): Promise<unknown> {
  const first = call(input);

  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      let page = (await first) as ListPage<unknown>;
      yield* page.data;

      while (page.has_more && page.next_cursor) {
        const next = { ...input, page: null, starting_after: page.next_cursor };
        page = (await call(next)) as ListPage<unknown>;
        yield* page.data;
      }
    },
  });
}

const readToken = async (token: CustomerToken): Promise<string | null | undefined> =>
  typeof token === "function" ? token() : token;

/**
 * Gives the absolute address of the API. A text like `localhost:4242/v1` is a URL
 * too, but not http.
 */
function addressOf(baseUrl: string, page: string | undefined): string {
  try {
    const { protocol, origin, pathname } = new URL(baseUrl, page);
    if (/^https?:$/.test(protocol)) return origin + pathname.replace(/\/$/, "");
  } catch {
    // The error below covers this case too.
  }
  throw TypeError(
    "`baseUrl` must be an address like https://api.example.com/v1; " +
      "relative only in a page, not where one is rendered.",
  );
}

/** Puts the input where it belongs: into the path, then into the query or the body. */
function prepare(
  operation: Operation,
  input: Values,
  search: URLSearchParams,
): { readonly method: string; readonly path: string; readonly body: string | undefined } {
  const [method = "", template = ""] = clientPaths[operation].split(" ");
  const [path, rest] = fillPath(template, input);
  if (method !== "GET") return { method, path, body: JSON.stringify(rest) };

  for (const [name, value] of Object.entries(rest))
    if (value != null) search.append(name, String(value));
  return { method, path, body: undefined };
}

/** Fills in the parameters of a path, and returns the rest of the input too. */
function fillPath(template: string, input: Values): readonly [path: string, rest: Values] {
  const rest = { ...input };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name] ?? "");
    delete rest[name];

    // A URL drops the segments `.` and `..`, so the call would reach another route.
    if (/^\.{0,2}$/.test(value)) {
      const message = `\`${name}\` is not an id.`;
      throw new StorefrontError({ code: "parameter_invalid", param: name, message });
    }
    return encodeURIComponent(value);
  });
  return [path, rest];
}

/** Checks a number. Timers take 31 bits: a timer with a larger number would end at once. */
function checkNumber(name: string, value: number, least: number): number {
  if (!(value >= least && value < 2 ** 31))
    throw TypeError(`\`${name}\` must be a number from ${least}.`);
  return value;
}

/** Makes an idempotency key. A page without TLS has no `crypto.randomUUID`. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(36).padStart(2, "0"),
  ).join("");
