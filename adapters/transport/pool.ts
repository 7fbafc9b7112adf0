import type { Socket } from "node:net";
import { createConnector, type Route } from "./connect.ts";

export interface Connection {
  readonly socket: Socket;
  /** True when the connection has carried a post before. */
  reused: boolean;
  /**
   * Tells why the socket failed. A socket can fail at once, before a request
   * listens for the error.
   */
  error: Error | undefined;
  /** The `keep-alive` header of its last answer. */
  keepAliveHeader: string | undefined;
  /** Called with the number of bytes of each part of an answer, before the part is read. */
  onBytes: ((count: number) => void) | undefined;
  idle: boolean;
  /** The time at which an idle connection is closed, by `performance.now()`. */
  closesAt: number;
}

export type ConnectionPool = ReturnType<typeof createConnectionPool>;

const maxIdleMs = 30_000;
const sweepMs = 5_000;
/** More idle connections are not kept: the one that was used the longest ago is closed. */
const maxIdle = 256;
/**
 * A post must not arrive when the receiver closes: it is sent this long before the
 * end at most.
 */
const beforeEndMs = 1_000;

/**
 * Keeps connections by the route that they were checked for. The pool is the
 * transport's own, so that neither a proxy of the environment nor another user of
 * the global agent can interfere; and it does without Node's agent, which costs
 * more than everything else of a short request.
 */
export function createConnectionPool(ca: string | readonly string[] | undefined) {
  const connector = createConnector(ca);
  const sockets = new Set<Socket>();
  const idle = new Map<string, Connection[]>();
  /** Holds the idle connections, the one that was used the longest ago first. */
  const idleByAge = new Set<Connection>();
  let sweepTimer: ReturnType<typeof setTimeout> | undefined;

  function open(route: Route): Connection {
    const socket = connector.open(route);
    const connection = newConnection(socket);
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      idleByAge.delete(connection);
    });
    socket.on("data", (part: Buffer) => takePart(connection, part));
    // Node's client emits `free` when the answer is complete and another request may follow.
    socket.on("free", () => keep(route.poolKey, connection));
    return connection;
  }

  function keep(poolKey: string, connection: Connection): void {
    const { socket } = connection;
    const idleMs = idleMsOf(connection);
    if (idleMs <= 0 || socket.destroyed || !socket.writable) return void socket.destroy();

    socket.unref();
    connection.idle = true;
    connection.closesAt = performance.now() + idleMs;
    const kept = idle.get(poolKey);
    if (kept) kept.push(connection);
    else idle.set(poolKey, [connection]);
    idleByAge.add(connection);
    closeExcess(idleByAge);
    sweepTimer ??= setTimeout(sweep, sweepMs).unref();
  }

  function sweep(): void {
    sweepTimer = undefined;
    closeOverdue(idle);
    if (idle.size > 0) sweepTimer = setTimeout(sweep, sweepMs).unref();
  }

  /** Takes the connection that was used last, so that those in excess run out of time. */
  function take(poolKey: string): Connection | undefined {
    const kept = idle.get(poolKey);

    for (let connection = kept?.pop(); connection; connection = kept?.pop()) {
      const { socket, closesAt } = connection;
      idleByAge.delete(connection);
      if (socket.destroyed || !socket.writable || closesAt <= performance.now()) {
        socket.destroy();
        continue;
      }
      connection.idle = false;
      connection.reused = true;
      connection.keepAliveHeader = undefined;
      connection.onBytes = undefined;
      socket.ref();
      return connection;
    }
    return undefined;
  }

  return {
    connect: (route: Route): Connection => take(route.poolKey) ?? open(route),
    /** Serves the second try, after a kept connection proved dead. */
    connectFresh: open,
    close(): void {
      clearTimeout(sweepTimer);
      sweepTimer = undefined;
      idle.clear();
      idleByAge.clear();
      for (const socket of sockets) socket.destroy();
      connector.close();
    },
  };
}

function takePart({ idle, socket, onBytes }: Connection, part: Buffer): void {
  // A receiver that sends without being asked is not trusted with another post.
  if (idle) socket.destroy();
  else onBytes?.(part.length);
}

function closeOverdue(idle: Map<string, Connection[]>): void {
  const now = performance.now();

  for (const [poolKey, kept] of idle) {
    for (const { socket, closesAt } of kept) if (closesAt <= now) socket.destroy();
    const left = kept.filter(({ socket }) => !socket.destroyed);
    if (left.length > 0) idle.set(poolKey, left);
    else idle.delete(poolKey);
  }
}

function closeExcess(idleByAge: Set<Connection>): void {
  const [oldest] = idleByAge;
  if (!oldest || idleByAge.size <= maxIdle) return;

  idleByAge.delete(oldest);
  oldest.socket.destroy();
}

function newConnection(socket: Socket): Connection {
  const connection: Connection = {
    socket,
    idle: false,
    reused: false,
    closesAt: 0,
    error: undefined,
    keepAliveHeader: undefined,
    onBytes: undefined,
  };
  socket.once("error", (error) => {
    connection.error = error;
  });
  return connection;
}

/** Tells how long to keep a connection: a receiver may announce that it closes earlier. */
function idleMsOf({ keepAliveHeader }: Connection): number {
  if (keepAliveHeader === undefined) return maxIdleMs;

  const seconds = /(?:^|[ ,])timeout=(\d{1,6})/i.exec(keepAliveHeader)?.[1];
  return seconds === undefined
    ? maxIdleMs
    : Math.min(maxIdleMs, Number(seconds) * 1_000 - beforeEndMs);
}
