import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { type AgentOptions, Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type AddressOptions, isMetadataAddress, isPublicAddress, judgeWebhookUrl } from "../../src/webhooks/address-rules.ts";
import type { SendErrorClass, Sent, WebhookPost, WebhookTransport } from "../../src/webhooks/transport.ts";
import { cached, type Resolve, resolveByDns, resolveBySystem } from "./resolve.ts";

export type { Sent, WebhookPost, WebhookTransport } from "../../src/webhooks/transport.ts";

export interface NodeTransportOptions extends AddressOptions {
  /** Certificates to trust beside the system's, PEM. */
  readonly ca?: string | readonly string[];
  /** How names are resolved; the network's DNS by default. */
  readonly resolve?: Resolve;
  /** How the names of `allowTargets` are resolved; as the system does by default, `localhost` included. */
  readonly resolveAllowed?: Resolve;
  /** Receives the warning that `allowTargets` opens addresses; `console.warn` by default. */
  readonly warn?: (message: string) => void;
}

export interface NodeTransport extends WebhookTransport {
  /** Closes idle connections. */
  close(): void;
}

const snippetBytes = 1_024;
const maxBodyBytes = 65_536;
const bodyMs = 1_000;
const checkMs = 10_000;

/** What a request carries beside Node's own options: the addresses it may reach, part of the pool's name. */
type Pinned = RequestOptions & { readonly pinned: string };

/**
 * Sends over node:https by the rules of CONTRACT 7: the name is resolved and every answer checked at each send, the connection pinned to what
 * was checked, TLS verified against the name, redirects and environment proxies never followed, one deadline from DNS to headers.
 */
export function nodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  const { allowTargets = [], warn = console.warn } = options;
  if (allowTargets.length > 0) warn(`vitrine: webhooks may be sent to ${allowTargets.join(", ")} although these are not public addresses.`);
  const agents = {
    https: new PinnedHttpsAgent(agentOptions(options)),
    http: new PinnedHttpAgent({ keepAlive: true, keepAliveMsecs: 1_000, scheduling: "lifo", timeout: 30_000 }),
  };
  const dns = cached(options.resolve ?? resolveByDns);
  const system = cached(options.resolveAllowed ?? resolveBySystem);

  const addressesOf = async (verdict: Judged, signal: AbortSignal): Promise<readonly string[]> => {
    if (verdict.kind === "ip") return [verdict.host];
    const addresses = await abortable((verdict.allowed_target ? system : dns)(verdict.host, signal), signal);
    const allowed = verdict.allowed_target
      ? (address: string) => isIP(address) > 0 && !isMetadataAddress(address)
      : (address: string) => isPublicAddress(address, options);
    if (addresses.length === 0) throw new Failure("dns_error");
    if (!addresses.every(allowed)) throw new Failure("ssrf_blocked");
    return addresses;
  };

  return {
    async check(url) {
      const verdict = judgeWebhookUrl(url, options);
      if (!verdict.ok) return { ok: false, reason: verdict.reason };
      try {
        await addressesOf(verdict, AbortSignal.timeout(checkMs));
        return { ok: true };
      } catch (error) {
        return {
          ok: false,
          reason:
            error instanceof Failure && error.kind === "ssrf_blocked"
              ? "it does not resolve to public addresses alone"
              : "its host name does not resolve",
        };
      }
    },
    async send(post) {
      const started = Date.now();
      const controller = new AbortController();
      const deadline = setTimeout(() => controller.abort(new Failure("timeout")), post.timeoutMs);
      const abort = (): void => controller.abort(new Failure("aborted"));
      post.signal?.addEventListener("abort", abort, { once: true });
      const finish = (part: Pick<Sent, "ok" | "status" | "error" | "snippet">): Sent => ({ ...part, duration_ms: Date.now() - started });
      try {
        if (post.signal?.aborted) throw new Failure("aborted");
        const verdict = judgeWebhookUrl(post.url, options);
        if (!verdict.ok) throw new Failure("ssrf_blocked");
        const addresses = await addressesOf(verdict, controller.signal);
        const response = await open(agents, verdict, addresses, post, controller.signal);
        const status = response.statusCode ?? 0;
        const snippet = await readSnippet(response, started + post.timeoutMs);
        const ok = status >= 200 && status < 300;
        return finish({ ok, status, error: ok ? null : status >= 300 && status < 400 ? "redirect" : "http_status", snippet });
      } catch (error) {
        return finish({
          ok: false,
          status: null,
          error: classOf(controller.signal.aborted ? controller.signal.reason : error),
          snippet: null,
        });
      } finally {
        clearTimeout(deadline);
        post.signal?.removeEventListener("abort", abort);
      }
    },
    close() {
      agents.https.destroy();
      agents.http.destroy();
    },
  };
}

type Judged = Extract<ReturnType<typeof judgeWebhookUrl>, { ok: true }>;

class Failure extends Error {
  readonly kind: SendErrorClass;
  constructor(kind: SendErrorClass) {
    super(kind);
    this.kind = kind;
  }
}

// A connection is reused only for the same set of checked addresses: a name that moved gets a pool of its own.
class PinnedHttpsAgent extends HttpsAgent {
  override getName(options?: RequestOptions): string {
    return `${super.getName(options)}:${(options as Pinned | undefined)?.pinned}`;
  }
}
class PinnedHttpAgent extends HttpAgent {
  override getName(options?: RequestOptions): string {
    return `${super.getName(options)}:${(options as Pinned | undefined)?.pinned}`;
  }
}

const agentOptions = ({ ca }: NodeTransportOptions): AgentOptions => ({
  keepAlive: true,
  keepAliveMsecs: 1_000,
  scheduling: "lifo",
  timeout: 30_000,
  rejectUnauthorized: true,
  minVersion: "TLSv1.2",
  ...(ca === undefined ? {} : { ca: [...[ca].flat()] }),
});

/** Resolves with the answer's headers. A kept connection that the receiver had closed meanwhile is replaced once. */
async function open(
  agents: { https: HttpsAgent; http: HttpAgent },
  verdict: Judged,
  addresses: readonly string[],
  post: WebhookPost,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const secure = verdict.url.protocol === "https:";
  const choices = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, options, done) => {
    const [first] = choices;
    if (options.all) done(null, choices);
    else done(null, first?.address ?? "", first?.family);
  };
  const options: Pinned = {
    method: "POST",
    hostname: verdict.host,
    port: verdict.url.port === "" ? (secure ? 443 : 80) : Number(verdict.url.port),
    path: verdict.url.pathname + verdict.url.search,
    headers: { ...post.headers, host: verdict.url.host, "accept-encoding": "identity", "content-length": Buffer.byteLength(post.body) },
    agent: secure ? agents.https : agents.http,
    lookup,
    ...(secure && verdict.kind === "name" ? { servername: verdict.host } : {}),
    maxHeaderSize: 16_384,
    pinned: [...addresses].sort().join(","),
  };
  for (let attempt = 1; ; attempt += 1) {
    const request = secure ? httpsRequest(options) : httpRequest(options);
    try {
      return await answerTo(request, addresses, post.body, signal);
    } catch (error) {
      const stale = request.reusedSocket && attempt === 1 && (error as { code?: unknown }).code === "ECONNRESET";
      if (!stale || signal.aborted) throw error;
    }
  }
}

function answerTo(
  request: ClientRequest,
  addresses: readonly string[],
  body: string | Uint8Array,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let secured = true;
    const stop = (): void => void request.destroy(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    request.once("socket", (socket) => {
      if (request.reusedSocket) return;
      socket.once("connect", () => {
        // What was connected is what was checked, whatever happened in between.
        const { remoteAddress } = socket;
        if (remoteAddress !== undefined && !addresses.includes(remoteAddress)) request.destroy(new Failure("ssrf_blocked"));
        secured = !("encrypted" in socket);
      });
      socket.once("secureConnect", () => {
        secured = true;
      });
    });
    request.once("response", (response) => {
      signal.removeEventListener("abort", stop);
      resolve(response);
    });
    request.once("error", (error) => {
      signal.removeEventListener("abort", stop);
      reject(secured || error instanceof Failure ? error : Object.assign(new Failure("tls_error"), { cause: error }));
    });
    request.end(body);
  });
}

/** At most 64 KiB or 1 s of the body, never past the deadline; a body that ends in time leaves the connection to the next send. */
function readSnippet(response: IncomingMessage, deadline: number): Promise<string> {
  return new Promise((resolve) => {
    const kept: Buffer[] = [];
    let length = 0;
    const done = (): void => {
      clearTimeout(timer);
      if (!response.complete) response.destroy();
      resolve(new TextDecoder().decode(Buffer.concat(kept).subarray(0, snippetBytes)).replaceAll("\u0000", "\ufffd"));
    };
    const timer = setTimeout(done, Math.max(0, Math.min(bodyMs, deadline - Date.now())));
    response.on("data", (chunk: Buffer) => {
      if (length < snippetBytes) kept.push(chunk);
      length += chunk.length;
      if (length > maxBodyBytes) done();
    });
    response.once("end", done);
    response.once("error", done);
    response.once("close", done);
  });
}

function classOf(error: unknown): SendErrorClass {
  if (error instanceof Failure) return error.kind;
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  if (/^(ENOTFOUND|ENODATA|EAI_|ESERVFAIL|EREFUSED|ETIMEOUT|ECANCELLED|EBADNAME|EBADRESP|EFORMERR|ENONAME)/.test(code)) return "dns_error";
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES)$/.test(code)) return "connect_refused";
  if (
    /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO|INVALID_CA|PATH_LENGTH|INVALID_PURPOSE)/.test(code)
  )
    return "tls_error";
  return code === "ETIMEDOUT" ? "timeout" : "connection_reset";
}

/** The resolver may not answer an abort at once. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason instanceof Failure ? signal.reason : new Failure("timeout"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
