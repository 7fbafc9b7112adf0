import { type Operation, paths } from "../contract/paths.ts";
import { isStorefrontError, StorefrontError } from "./error.ts";
import type { CallOptions, Client } from "./types.ts";

export { isStorefrontError, StorefrontError } from "./error.ts";
export type { CallOptions, Client, ClientErrorCode, ClientInput, Open, Paged } from "./types.ts";

export interface ClientOptions {
  /** The API's address with its version, like `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** Publishable in browsers and apps, secret on the store's server only. */
  readonly key: string;
  /** The buyer's token, for calls that name none. */
  readonly customerToken?: string;
  /** Tries after the first, on network errors, 429, 503 and a request still in progress; 3 by default. */
  readonly maxRetries?: number;
  /** Milliseconds of one try; 30,000 by default. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

interface Sending {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** As the API writes it; nothing checks. */
interface Body {
  readonly error?: object;
  readonly request_id?: string;
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** A page and its workers; there the key goes into the query too, for the preflight carries no header (SPEC 5.7). */
const isBrowser = (): boolean => typeof document === "object" || "importScripts" in globalThis;

/** One method an operation. Throws StorefrontError; answers are not validated, so that later versions of the API stay readable. */
export function createClient({
  baseUrl,
  key,
  customerToken,
  maxRetries = 3,
  timeoutMs = 30_000,
  fetch: send = fetch,
}: ClientOptions): Client {
  const inBrowser = isBrowser();
  if (inBrowser && key.includes("_sec_"))
    throw new Error("A secret key must never reach a browser: use the publishable one, and revoke this.");

  const call = async (operation: Operation, input: Record<string, unknown>, options: CallOptions) => {
    const rest = { ...input };
    const [method = "", template = ""] = paths[operation].split(" ");
    const path = template.replace(/\{(\w+)\}/g, (_, name) => {
      const value = encodeURIComponent(String(rest[name]));
      delete rest[name];
      return value;
    });
    const posts = method === "POST";
    const query = new URLSearchParams(inBrowser ? { key } : {});
    if (!posts) for (const [name, value] of Object.entries(rest)) if (value != null) query.set(name, String(value));
    const token = options.customerToken ?? customerToken;
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    if (token) headers["x-service-customer-token"] = token;
    if (posts) headers["content-type"] = "application/json";
    if (operation === "createCheckoutSession") headers["idempotency-key"] = options.idempotencyKey ?? crypto.randomUUID();
    const url = `${baseUrl.replace(/\/$/, "")}${path}${query.size ? `?${query}` : ""}`;
    return retried({ method, url, headers, ...(posts ? { body: JSON.stringify(rest) } : {}) }, options.signal);
  };

  const retried = async (sending: Sending, signal?: AbortSignal) => {
    for (let tries = 0; ; tries++) {
      try {
        return await attempt(sending, signal);
      } catch (error) {
        if (!isStorefrontError(error) || !error.retryable || tries >= maxRetries || signal?.aborted) throw error;
        await pause((error.retryAfter ?? 2 ** tries / 2) * 1000 * (1 + Math.random() / 4), signal);
      }
    }
  };

  const attempt = async (sending: Sending, signal?: AbortSignal) => {
    const late = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let body: Body | undefined;
    try {
      response = await send(sending.url, { ...sending, signal: signal ? AbortSignal.any([signal, late]) : late });
      body = await response.json().catch((error: unknown) => {
        if (late.aborted || signal?.aborted) throw error;
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new StorefrontError({ code: late.aborted ? "timeout" : "network_error" }, 0, null, cause);
    }
    if (response.ok && body) return body;
    const wait = response.headers.get("retry-after");
    throw new StorefrontError({ code: "invalid_answer", ...body, ...body?.error }, response.status, wait ? +wait : null);
  };

  const method =
    (operation: Operation) =>
    (input: Record<string, unknown> = {}, options: CallOptions = {}) => {
      const first = call(operation, input, options);
      if (!/^list/.test(operation)) return first.then(({ data }) => data);
      async function* rows() {
        let page = await first;
        for (;;) {
          yield* page.data;
          if (!page.has_more) return;
          page = await call(operation, { ...input, page: undefined, starting_after: page.next_cursor }, options);
        }
      }
      return Object.assign(first, { [Symbol.asyncIterator]: rows });
    };
  return Object.fromEntries(Object.keys(paths).map((name) => [name, method(name as Operation)])) as unknown as Client;
}

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
