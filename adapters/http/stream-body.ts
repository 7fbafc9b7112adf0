import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { asError } from "./as-error.ts";

/**
 * Writes the parts of a body one by one, each after the client has taken the one
 * before. It never rejects: it ends the stream when the client disconnects, and it
 * breaks off the connection with the stream's error when the stream fails.
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
 * Ends the connection so that no client takes it for the end of the body. An answer
 * to HTTP/1.0, which nginx speaks to its upstreams by default, has no chunks and
 * ends when its connection closes. Only a reset shows the client that something is
 * missing.
 */
export function breakOff(res: ServerResponse, error: Error): void {
  const { httpVersion, socket } = res.req;
  if (httpVersion === "1.0") reset(socket);

  res.destroy(error);
  // An answer that waits behind another one on its connection has no socket of its own yet.
  socket.destroy();
}

function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy();
  } catch {
    // Sockets of TLS and of files cannot be reset. They are closed like the others.
  }
}

/**
 * Tells whether the answer is over. It checks the socket too, because an answer
 * that waits behind another one gets no event of its own.
 */
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
