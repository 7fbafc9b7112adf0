import type { RequestOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { connect, isIP, type Socket } from "node:net";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { type Answer, Failure } from "./resolve.ts";

/** Where a connection goes, and nowhere else. */
export interface Place {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  readonly answer: Answer;
  /** Origin and addresses: a name that moved gets new connections. */
  readonly pool: string;
}

export interface Connection {
  readonly socket: Socket;
  /** Has carried a post before. */
  reused: boolean;
  /** The `keep-alive` header of its last answer. */
  announced: string | undefined;
  idle: boolean;
  until: number;
}

export type Pool = ReturnType<typeof createPool>;

/** For one of several addresses. Node's own 250 ms give up a receiver on the other side of the world for an IPv6 address that leads nowhere. */
const attemptMs = 2_500;
const idleMs = 30_000;
const sweepMs = 5_000;
/** Before the end that a receiver announces: a post on the way there must not meet a closed door. */
const hurryMs = 1_000;

/** Connections whose TLS handshake is not over: what goes wrong on them is a TLS error. */
const handshaking = new WeakSet<object>();
export const isHandshaking = (socket: object | null): boolean =>
  socket !== null && handshaking.has(socket);

/**
 * Kept connections, by what they were checked for. Of their own, so that neither a proxy of the environment nor another user of the global
 * agent has a say; and without Node's agent, which costs more than all else of a short request.
 */
export function createPool(ca: string | readonly string[] | undefined) {
  let context: SecureContext | undefined;
  const secureContext = (): SecureContext => {
    context ??= createSecureContext({
      minVersion: "TLSv1.2",
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ...[ca].flat()] }),
    });
    return context;
  };
  const https = new HttpsAgent(); // opens TLS connections and keeps their sessions
  const all = new Set<Socket>();
  const idle = new Map<string, Connection[]>();
  let sweeping: ReturnType<typeof setTimeout> | undefined;

  const open = ({ secure, host, port, answer, pool }: Place): Connection => {
    const options = {
      host,
      port,
      lookup: answer.lookup,
      autoSelectFamilyAttemptTimeout: attemptMs,
      noDelay: true,
    };
    const socket = secure ? openSecure(options, pool) : connect(options);
    const connection: Connection = {
      socket,
      idle: false,
      reused: false,
      until: 0,
      announced: undefined,
    };
    all.add(socket);
    socket.once("close", () => all.delete(socket));
    // What was connected is what was checked, whatever happened in between; else nothing is written.
    socket.once("connect", () => {
      socket.setKeepAlive(true, 1_000);
      const { remoteAddress } = socket; // undefined: the other side is gone already
      if (remoteAddress !== undefined && !answer.addresses.includes(remoteAddress))
        socket.destroy(new Failure("ssrf_blocked"));
    });
    // What speaks unasked is no connection to trust with a post.
    socket.on("data", () => void (connection.idle && socket.destroy()));
    socket.on("error", () => {}); // a request that has it tells; an idle one just goes
    socket.on("free", () => keep(pool, connection)); // said by Node's client when an answer came whole and may be followed by another
    return connection;
  };
  const openSecure = (options: { readonly host: string }, pool: string): Socket => {
    const servername = isIP(options.host) ? "" : options.host;
    const tls = {
      servername,
      secureContext: secureContext(),
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
      _agentKey: pool,
    };
    const socket = https.createConnection({ ...options, ...tls } as RequestOptions) as Socket;
    return socket
      .once("connect", () => handshaking.add(socket))
      .once("secureConnect", () => handshaking.delete(socket));
  };
  const keep = (pool: string, connection: Connection): void => {
    const { socket, announced } = connection;
    const seconds =
      announced === undefined ? undefined : /(?:^|[ ,])timeout=(\d{1,6})/i.exec(announced)?.[1];
    const ms = seconds === undefined ? idleMs : Math.min(idleMs, Number(seconds) * 1_000 - hurryMs);
    if (ms <= 0 || socket.destroyed || !socket.writable) return void socket.destroy();
    socket.unref();
    connection.idle = true;
    connection.until = performance.now() + ms;
    const kept = idle.get(pool);
    if (kept) kept.push(connection);
    else idle.set(pool, [connection]);
    sweeping ??= setTimeout(sweep, sweepMs).unref();
  };
  const sweep = (): void => {
    sweeping = undefined;
    const now = performance.now();
    for (const [pool, kept] of idle) {
      for (const { socket, until } of kept) if (until <= now) socket.destroy();
      const left = kept.filter(({ socket }) => !socket.destroyed);
      if (left.length > 0) idle.set(pool, left);
      else idle.delete(pool);
    }
    if (idle.size > 0) sweeping = setTimeout(sweep, sweepMs).unref();
  };
  /** The one that was used last: those that are not needed any more run out of time. */
  const take = (pool: string): Connection | undefined => {
    const kept = idle.get(pool);
    for (let connection = kept?.pop(); connection; connection = kept?.pop()) {
      const { socket, until } = connection;
      if (socket.destroyed || !socket.writable || until <= performance.now()) {
        socket.destroy();
        continue;
      }
      connection.idle = false;
      connection.reused = true;
      connection.announced = undefined;
      socket.ref();
      return connection;
    }
    return undefined;
  };

  return {
    /** `fresh`: for the second try after a kept connection proved dead. */
    connect: (place: Place, fresh: boolean): Connection =>
      (fresh ? undefined : take(place.pool)) ?? open(place),
    close(): void {
      clearTimeout(sweeping);
      sweeping = undefined;
      idle.clear();
      for (const socket of all) socket.destroy();
      https.destroy();
    },
  };
}
