import { type AgentOptions, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent, type RequestOptions } from "node:https";
import type { Socket } from "node:net";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { type Answer, Failure } from "./resolve.ts";

/** What a request carries beside Node's own options. */
export interface PinnedOptions extends RequestOptions {
  /** The checked addresses; the connection may go nowhere else. */
  readonly answer: Answer;
  /** Origin and addresses: a name that moved gets new connections. */
  readonly pool: string;
  /** Handed on to `net.connect`; Node's types lack it here. */
  readonly autoSelectFamilyAttemptTimeout: number;
}

/** Connections whose TLS handshake is not over: what goes wrong on them is a TLS error. */
const handshaking = new WeakSet<object>();
export const isHandshaking = (socket: object | null): boolean => socket !== null && handshaking.has(socket);

export type Agents = ReturnType<typeof createAgents>;

/** Of their own, so that neither a proxy of the environment nor another user of the global agent has a say. */
export function createAgents(ca: string | readonly string[] | undefined) {
  let context: SecureContext | undefined;
  const secureContext = (): SecureContext => {
    context ??= createSecureContext({ minVersion: "TLSv1.2", ...(ca === undefined ? {} : { ca: [...rootCertificates, ...[ca].flat()] }) });
    return context;
  };
  const kept: AgentOptions = { keepAlive: true, keepAliveMsecs: 1_000, scheduling: "lifo", timeout: 30_000 };
  const https = new PinnedHttps(kept, secureContext);
  const http = new PinnedHttp(kept);
  return {
    https,
    http,
    /** For the second try after a kept connection proved dead: a connection that is new for certain. */
    freshHttps: new PinnedHttps({ keepAlive: false }, secureContext),
    freshHttp: new PinnedHttp({ keepAlive: false }),
    close(): void {
      https.destroy();
      http.destroy();
    },
  };
}

type Create = Parameters<HttpsAgent["createConnection"]>;

class PinnedHttps extends HttpsAgent {
  readonly #context: () => SecureContext;
  constructor(options: AgentOptions, context: () => SecureContext) {
    super(options);
    this.#context = context;
  }
  override getName(options?: RequestOptions): string {
    return (options as PinnedOptions).pool;
  }
  override createConnection(options: Create[0], done: Create[1]) {
    const socket = super.createConnection({ ...options, secureContext: this.#context() } as Create[0], done);
    socket?.once("connect", () => handshaking.add(socket)).once("secureConnect", () => handshaking.delete(socket));
    return pinned(socket, options);
  }
}

class PinnedHttp extends HttpAgent {
  override getName(options?: RequestOptions): string {
    return (options as PinnedOptions).pool;
  }
  override createConnection(options: Parameters<HttpAgent["createConnection"]>[0], done: Parameters<HttpAgent["createConnection"]>[1]) {
    return pinned(super.createConnection(options, done), options);
  }
}

/** What was connected is what was checked, whatever happened in between; else nothing is written. */
function pinned<S>(socket: S, options: object): S {
  const connection = socket as unknown as Socket;
  const { answer } = options as PinnedOptions;
  connection.once("connect", () => {
    const { remoteAddress } = connection; // undefined: the other side is gone already
    if (remoteAddress !== undefined && !answer.addresses.includes(remoteAddress)) connection.destroy(new Failure("ssrf_blocked"));
  });
  return socket;
}
