import { untilAborted } from "../../domain/async/time-box.ts";
import { type OptionNames, requireOptions } from "../../input/option-error.ts";
import { type OptionKind, refuseWrongOptions } from "../../input/option-kinds.ts";
import { isLocalShortage } from "../drain/local-shortage.ts";
import { addressKinds, requireOrigins } from "./address-options.ts";
import {
  type AddressOptions,
  isMetadataAddress,
  isPublicAddress,
  judgeWebhookUrl,
} from "./address-rules.ts";
import type { SendErrorClass, Sent, WebhookPost, WebhookTransport } from "./transport.ts";

export type { AddressOptions } from "./address-rules.ts";
export type { SendErrorClass, Sent, WebhookPost, WebhookTransport } from "./transport.ts";

/** The options of `fetchTransport`. */
export interface FetchTransportOptions extends AddressOptions {
  /** The function that sends. Default `globalThis.fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /**
   * Gives the addresses of a name, e.g. by DNS over HTTPS. They are judged at
   * registration and before every send.
   */
  readonly resolve?:
    | ((host: string, signal: AbortSignal) => Promise<readonly string[]>)
    | undefined;
}

const optionKinds: OptionNames<FetchTransportOptions, OptionKind> = {
  ...addressKinds,
  fetch: "function",
  resolve: "function",
};

const checkMs = 10_000;
const bodyMs = 1_000;
const maxBodyBytes = 65_536;
const snippetBytes = 1_024;

/**
 * Makes a transport for runtimes without sockets: Workers, Deno Deploy, edge
 * functions. It judges the URL, follows no redirect and keeps the deadline.
 *
 * The transport CANNOT pin a connection to a checked address, because `fetch` resolves the
 * name by itself. So a name may lead to an internal address. Without `resolve` this
 * is not seen at all, and with it the answer can change in between. `fetch` also
 * obeys the runtime's proxy and certificate settings. Use it only where the runtime
 * cannot reach an internal network. On Node take `nodeTransport()` from
 * vitrine/transport. Throws `invalid_option` for a wrong option.
 */
export function fetchTransport(options: FetchTransportOptions = {}): WebhookTransport {
  requireOptions(options, "fetchTransport");
  refuseWrongOptions(options, optionKinds);
  requireOrigins(options);
  return {
    async check(url) {
      const verdict = judgeWebhookUrl(url, options);
      if (!verdict.ok) return { ok: false, reason: verdict.reason };

      const destination = await judgeDestination(url, options, AbortSignal.timeout(checkMs));
      if (destination === "allowed") return { ok: true };

      const reason =
        destination === "blocked"
          ? "it does not resolve to public addresses alone"
          : "its host name does not resolve";
      return { ok: false, reason };
    },
    send: (post) => sendByFetch(post, options),
  };
}

async function sendByFetch(post: WebhookPost, options: FetchTransportOptions): Promise<Sent> {
  const { fetch = (url, init) => globalThis.fetch(url, init) } = options;
  const started = performance.now();
  const controller = new AbortController();
  const { signal } = controller;
  let endedBy: "timeout" | "aborted" | null = null;

  const end = (reason: "timeout" | "aborted"): void => {
    endedBy ??= reason;
    controller.abort();
  };
  const abort = (): void => end("aborted");
  const deadline = setTimeout(() => end("timeout"), post.timeoutMs);
  if (post.signal?.aborted) abort();
  post.signal?.addEventListener("abort", abort, { once: true });

  const sent = (
    status: number | null,
    error: SendErrorClass | null,
    snippet: string | null,
  ): Sent => {
    const duration_ms = Math.round(performance.now() - started);
    return { ok: error === null, status, error, snippet, duration_ms };
  };

  try {
    const destination = await untilAborted(judgeDestination(post.url, options, signal), signal);
    if (destination === "blocked") return sent(null, "ssrf_blocked", null);
    if (destination === "unresolved") return sent(null, "dns_error", null);

    const response = await fetch(post.url, {
      method: "POST",
      headers: { ...post.headers, "accept-encoding": "identity" },
      body: post.body as BodyInit,
      redirect: "manual",
      signal,
    });
    const status = response.type === "opaqueredirect" ? null : response.status;
    const error = status === null ? "redirect" : classOf(status);
    // The headers decide the outcome; a body that goes on after the deadline is cut off.
    return sent(status, error, await snippetOf(response));
  } catch (error) {
    const reason = isLocalShortage(error) ? "local_shortage" : "connection_reset";
    return sent(null, endedBy ?? reason, null);
  } finally {
    clearTimeout(deadline);
    post.signal?.removeEventListener("abort", abort);
  }
}

type Destination = "allowed" | "blocked" | "unresolved";

async function judgeDestination(
  url: string,
  options: FetchTransportOptions,
  signal: AbortSignal,
): Promise<Destination> {
  const verdict = judgeWebhookUrl(url, options);
  if (!verdict.ok) return "blocked";
  if (!options.resolve || verdict.hostKind !== "name") return "allowed";

  const addresses = await options.resolve(verdict.host, signal).catch(() => []);
  // An allowed target such as localhost need not resolve.
  if (verdict.allowedTarget) return addresses.some(isMetadataAddress) ? "blocked" : "allowed";
  if (addresses.length === 0) return "unresolved";

  const isPublic = addresses.every((address) => isPublicAddress(address, options));
  return isPublic ? "allowed" : "blocked";
}

function classOf(status: number): SendErrorClass | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "http_status";
}

/**
 * Gives the first 1 KiB of the body. It reads at most 64 KiB or 1 s of the body. A
 * body that the runtime unpacks by itself is counted unpacked.
 */
async function snippetOf(response: Response): Promise<string | null> {
  const reader = response.body?.getReader();
  if (!reader) return null;
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    reader.cancel().catch(() => {});
  }, bodyMs);

  const decoder = new TextDecoder();
  let text = "";
  let kept = 0;
  let length = 0;

  try {
    while (!isOver && length <= maxBodyBytes) {
      const { done, value } = await reader.read();
      if (done) break;

      text += decoder.decode(value.subarray(0, Math.max(0, snippetBytes - kept)), { stream: true });
      kept += Math.min(value.length, snippetBytes - kept);
      length += value.length;
    }
  } catch {
    // The body was cut off by one of the two sides. The part that was read is kept.
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
  return text.replaceAll("\u0000", "\ufffd");
}
