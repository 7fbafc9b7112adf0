import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { asError } from "./as-error.ts";

/**
 * Writes the parts of a body, each when the client has taken the one before. It never
 * rejects: a client that breaks off ends the stream, and a stream that fails breaks off
 * the connection with its error.
 */
export async function streamBody(
  res: ServerResponse,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    for await (const part of body) {
      // Leaving the loop calls the stream's `return()`.
      if (isClosed(res)) return;
      if (!res.write(part)) await drainOrClose(res);
      if (isClosed(res)) return;
    }
    res.end();
  } catch (error) {
    breakOff(res, asError(error));
  }
}

/**
 * Ends the connection in a way that no client takes for the end of the body. An answer
 * to HTTP/1.0, which nginx speaks to its upstreams unless told otherwise, has no chunks:
 * it ends with its connection, and only a reset tells that something is missing.
 */
export function breakOff(res: ServerResponse, error: Error): void {
  const { httpVersion, socket } = res.req;
  if (httpVersion === "1.0") reset(socket);

  res.destroy(error);
  // An answer that waits for another one on its connection has no socket of its own yet.
  socket.destroy();
}

function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    // Sockets of TLS and of files cannot be reset. They are closed like the others.
  }
}

/** An answer that waits for another one on its connection is not told when it closes. */
const isClosed = (res: ServerResponse): boolean => res.destroyed || res.req.socket.destroyed;

function drainOrClose(res: ServerResponse): Promise<void> {
  const { socket } = res.req;

  return new Promise((resolve) => {
    const end = (): void => {
      res.off("drain", end).off("close", end);
      socket.off("close", end);
      resolve();
    };
    res.on("drain", end).on("close", end);
    socket.on("close", end);
  });
}
