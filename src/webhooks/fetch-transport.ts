import { untilAborted } from "../domain/time-box.ts";
import {
  type AddressOptions,
  isMetadataAddress,
  isPublicAddress,
  judgeWebhookUrl,
} from "./address-rules.ts";
import type { SendErrorClass, Sent, WebhookTransport } from "./transport.ts";

export type { SendErrorClass, Sent, WebhookPost, WebhookTransport } from "./transport.ts";

export interface FetchTransportOptions extends AddressOptions {
  /** `globalThis.fetch` by default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The addresses of a name, e.g. by DNS over HTTPS: judged at registration and before every send. */
  readonly resolve?: (host: string, signal: AbortSignal) => Promise<readonly string[]>;
}

const checkMs = 10_000;
const bodyMs = 1_000;
const maxBodyBytes = 65_536;
const snippetBytes = 1_024;

/**
 * For runtimes without sockets: Workers, Deno Deploy, edge functions. It judges the URL, follows no redirect and keeps the deadline. It CANNOT
 * pin a connection to a checked address: `fetch` resolves the name by itself, so that a name may lead to an internal address (without
 * `resolve`, unseen; with it, for who changes the answer in between), and it obeys the runtime's proxy and certificate settings. Use it only
 * where the runtime cannot reach an internal network; on Node take `nodeTransport()` from vitrine/transport.
 */
export function fetchTransport(options: FetchTransportOptions = {}): WebhookTransport {
  const { fetch = (url, init) => globalThis.fetch(url, init), resolve } = options;

  const resolvesInside = async (
    url: string,
    signal: AbortSignal,
  ): Promise<"no" | "yes" | "unknown"> => {
    const verdict = judgeWebhookUrl(url, options);
    if (!verdict.ok) return "yes";
    if (!resolve || verdict.hostKind !== "name") return "no";
    const addresses = await resolve(verdict.host, signal).catch(() => []);
    if (verdict.allowedTarget) return addresses.some(isMetadataAddress) ? "yes" : "no"; // localhost need not resolve
    if (addresses.length === 0) return "unknown";
    return addresses.every((address) => isPublicAddress(address, options)) ? "no" : "yes";
  };

  return {
    async check(url) {
      const verdict = judgeWebhookUrl(url, options);
      if (!verdict.ok) return { ok: false, reason: verdict.reason };
      const inside = await resolvesInside(url, AbortSignal.timeout(checkMs));
      if (inside === "no") return { ok: true };
      return {
        ok: false,
        reason:
          inside === "yes"
            ? "it does not resolve to public addresses alone"
            : "its host name does not resolve",
      };
    },
    async send(post) {
      const started = performance.now();
      const controller = new AbortController();
      let ended: "timeout" | "aborted" | null = null;
      const end = (how: "timeout" | "aborted"): void => {
        ended ??= how;
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
      ): Sent => ({
        ok: error === null,
        status,
        error,
        snippet,
        duration_ms: Math.round(performance.now() - started),
      });
      try {
        const inside = await untilAborted(
          resolvesInside(post.url, controller.signal),
          controller.signal,
        );
        if (inside !== "no")
          return sent(null, inside === "yes" ? "ssrf_blocked" : "dns_error", null);
        const response = await fetch(post.url, {
          method: "POST",
          headers: { ...post.headers, "accept-encoding": "identity" },
          body: post.body as BodyInit,
          redirect: "manual",
          signal: controller.signal,
        });
        const { type, status } = response;
        const error = classOf(type === "opaqueredirect" ? 302 : status);
        // The outcome stands with the headers; a body that goes on is cut off.
        return sent(type === "opaqueredirect" ? null : status, error, await snippetOf(response));
      } catch {
        return sent(null, ended ?? "connection_reset", null);
      } finally {
        clearTimeout(deadline);
        post.signal?.removeEventListener("abort", abort);
      }
    },
  };
}

function classOf(status: number): SendErrorClass | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "http_status";
}

/** At most 64 KiB or 1 s of the body, 1 KiB of it kept. What a runtime unpacks on its own is counted unpacked. */
async function snippetOf(response: Response): Promise<string | null> {
  const reader = response.body?.getReader();
  if (!reader) return null;
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    reader.cancel().catch(() => {});
  }, bodyMs);
  const decoder = new TextDecoder();
  let text = "";
  let kept = 0;
  let length = 0;
  try {
    while (!over && length <= maxBodyBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, Math.max(0, snippetBytes - kept)), { stream: true });
      kept += Math.min(value.length, snippetBytes - kept);
      length += value.length;
    }
  } catch {
    // Cut off, by us or by them: what was read is kept.
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
  return text.replaceAll("\u0000", "\ufffd");
}
