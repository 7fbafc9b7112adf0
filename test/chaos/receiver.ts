import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

export interface Receiver {
  readonly target: string;
  /** How many posts came in, whatever was answered. */
  received(): number;
  /** How many times each event was taken at each path. */
  readonly taken: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Accepts a post after a moment; of a hundred posts, five are refused and one is cut off. */
export async function startReceiver(): Promise<Receiver> {
  const taken = new Map<string, number>();
  let received = 0;
  const server = createServer(async (req, res) => {
    await readAll(req);
    received += 1;
    const chance = Math.random();
    if (chance < 0.01) return void req.socket.destroy();
    await new Promise((done) => setTimeout(done, Math.random() * 10));
    if (chance < 0.06) return void res.writeHead(500).end();
    const key = `${req.url} ${req.headers["x-service-event-id"]}`;
    taken.set(key, (taken.get(key) ?? 0) + 1);
    res.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    target: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    received: () => received,
    taken,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readAll(req: IncomingMessage): Promise<void> {
  for await (const _ of req) {
    // Only the end of the body matters.
  }
}
