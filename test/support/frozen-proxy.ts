import { createServer, connect as dial, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

/** Stands between a client and a server, like a network that loses packets. */
export interface FrozenProxy {
  readonly url: string;
  /** From now on nothing passes in either direction, and nobody is told. */
  freeze(): void;
  thaw(): void;
  /** Passes on whatever the client sends, and freezes all answers once it has sent this text. */
  freezeAfter(text: string): void;
  readonly close: () => Promise<void>;
}

export async function frozenProxy(target: string): Promise<FrozenProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const state = { frozen: false, answersFrozen: false, text: null as string | null };

  const server = createServer((client) => {
    const upstream = dial(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    client.on("data", (bytes) => {
      if (state.frozen) return;
      if (state.text !== null && bytes.includes(state.text)) state.answersFrozen = true;
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (!state.frozen && !state.answersFrozen) client.write(bytes);
    });
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });

  const own = await freePort();
  await new Promise<void>((resolve) => server.listen(own, "127.0.0.1", resolve));
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(own);
  return {
    url: url.href,
    freeze: () => void Object.assign(state, { frozen: true }),
    thaw: () => void Object.assign(state, { frozen: false, answersFrozen: false, text: null }),
    freezeAfter: (text) => void Object.assign(state, { text }),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
