import { type ErrorParts, StorefrontError } from "./error.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Patience {
  readonly signal?: AbortSignal | undefined;
  /** Of one attempt. A longer Retry-After is not waited for. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
}

/** The same request until it is answered: the same body under the same Idempotency-Key, so that no retry can do the work twice. */
export async function send(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  patience: Patience,
): Promise<unknown> {
  const { signal, timeoutMs, maxRetries } = patience;
  for (let retry = 0; ; retry++) {
    signal?.throwIfAborted();
    try {
      return await attempt(fetch, url, init, patience);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof StorefrontError)) throw error;
      const asked = (error.retry_after ?? 0) * 1000;
      if (retry >= maxRetries || !mayPass(error) || asked > timeoutMs) throw error;
      await pause(asked || Math.min(2 ** retry, 32) * 250 * (0.5 + Math.random() / 2), signal);
    }
  }
}

/** Worth another try: no answer, a proxy without its server, 503, 429, and a twin of this request at work. */
const mayPass = ({ status, code }: StorefrontError): boolean =>
  code === "connection_error" ||
  code === "timeout" ||
  code === "request_in_progress" ||
  status === 429 ||
  (status > 501 && status < 505);

async function attempt(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  { signal, timeoutMs }: Patience,
): Promise<unknown> {
  const control = new AbortController();
  const stop = () => control.abort();
  // By hand: AbortSignal.any is younger than some browsers in use.
  signal?.addEventListener("abort", stop);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, timeoutMs);
  let response: Response;
  let text: string;
  try {
    // The API never redirects; followed, the buyer's token would go along to wherever it leads.
    response = await fetch(url, { ...init, redirect: "manual", signal: control.signal });
    text = await response.text();
  } catch (cause) {
    throw late
      ? new StorefrontError(
          { code: "timeout", message: `There was no answer within ${timeoutMs} ms.` },
          cause,
        )
      : new StorefrontError(
          {
            code: "connection_error",
            message:
              "The API could not be reached, or the browser may not show its answer to this origin.",
          },
          cause,
        );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
  return read(response, text);
}

function read({ ok, status, headers }: Response, text: string): unknown {
  let body: { readonly error?: ErrorParts; readonly request_id?: string } | null = null;
  try {
    body = JSON.parse(text);
    if (ok) return body;
  } catch {
    // Not of the API: told below.
  }
  const after = headers.get("retry-after");
  throw new StorefrontError({
    code: "invalid_response",
    message: `The answer (HTTP ${status}) is not one of the API.`,
    ...body?.error,
    status,
    request_id: body?.request_id ?? null,
    retry_after: after && +after >= 0 ? +after : null,
  });
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
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
