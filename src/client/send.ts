import { type ErrorParts, StorefrontError } from "./error.ts";

/** The client calls this part of the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface RetryOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds after which an attempt ends. When an answer's `Retry-After` asks for
   * a longer wait than this, the call fails at once.
   */
  readonly timeoutMs: number;
  readonly maxRetries: number;
}

/** A call that is ready to be sent, as often as needed. */
export interface PreparedRequest {
  readonly url: string;
  readonly init: RequestInit;
}

/**
 * Sends a request and repeats it while it fails for a moment. Each attempt has the
 * same body and the same Idempotency-Key, so that a repeat cannot do the work
 * twice.
 */
export async function send(
  fetch: Fetch,
  request: PreparedRequest,
  options: RetryOptions,
): Promise<unknown> {
  const { signal, timeoutMs, maxRetries } = options;

  for (let retry = 0; ; retry++) {
    signal?.throwIfAborted();
    try {
      return await sendOnce(fetch, request, options);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof StorefrontError)) throw error;

      const retryAfterMs = (error.retry_after ?? 0) * 1000;
      if (retry >= maxRetries || !isTemporary(error) || retryAfterMs > timeoutMs) throw error;

      await wait(retryAfterMs || backoffMs(retry), signal);
    }
  }
}

const backoffMs = (retry: number): number =>
  Math.min(2 ** retry, 32) * 250 * (0.5 + Math.random() / 2);

/**
 * Says whether a repeat can succeed: there was no answer, a proxy could not reach
 * its server, the API was busy or limited (503, 429), or the first attempt is still
 * being processed.
 */
const isTemporary = ({ status, code }: StorefrontError): boolean =>
  code === "connection_error" ||
  code === "timeout" ||
  code === "request_in_progress" ||
  status === 429 ||
  (status > 501 && status < 505);

async function sendOnce(
  fetch: Fetch,
  { url, init }: PreparedRequest,
  { signal, timeoutMs }: RetryOptions,
): Promise<unknown> {
  const control = new AbortController();
  const stop = () => control.abort();
  // AbortSignal.any would join the two signals, but some browsers in use do not have it.
  signal?.addEventListener("abort", stop);

  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, timeoutMs);

  let response: Response;
  let text: string;
  try {
    // The API never redirects. A redirect that is followed would send the buyer's token elsewhere.
    response = await fetch(url, { ...init, redirect: "manual", signal: control.signal });
    text = await response.text();
  } catch (cause) {
    throw timedOut ? timeoutError(timeoutMs, cause) : connectionError(cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
  return readAnswer(response, text);
}

const timeoutError = (timeoutMs: number, cause: unknown): StorefrontError => {
  const message = `There was no answer within ${timeoutMs} ms.`;
  return new StorefrontError({ code: "timeout", message }, cause);
};

const connectionError = (cause: unknown): StorefrontError => {
  const message =
    "The API could not be reached, or the browser may not show its answer to this origin.";
  return new StorefrontError({ code: "connection_error", message }, cause);
};

function readAnswer({ ok, status, headers }: Response, text: string): unknown {
  let body: { readonly error?: ErrorParts; readonly request_id?: string } | null = null;
  try {
    body = JSON.parse(text);
  } catch {
    // The text is no JSON, so it is not from the API: the error below says so.
  }
  if (ok && isEnvelope(body)) return body;

  const after = headers.get("retry-after");
  throw new StorefrontError({
    code: "invalid_response",
    message: `The answer (HTTP ${status}) is not one of the API.`,
    ...(ok ? null : body?.error),
    status,
    request_id: body?.request_id ?? null,
    retry_after: after && +after >= 0 ? +after : null,
  });
}

/** Another service that answers 200 at this address must not be taken for the API. */
function isEnvelope(body: unknown): boolean {
  const { data, livemode, request_id } = Object(body);
  return data !== undefined && typeof livemode === "boolean" && typeof request_id === "string";
}

const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);

    signal?.addEventListener("abort", stop);
  });
