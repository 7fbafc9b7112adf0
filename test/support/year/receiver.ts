import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyWebhook, type WebhookEvent } from "vitrine/webhooks";

/** A receiver on a socket. */
export interface Receiver {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  /** The events that it has accepted, each once. */
  readonly events: readonly WebhookEvent[];
  /** Says what is wrong with a delivery. */
  readonly faults: readonly string[];
  /** Names the secret of the endpoint. */
  trust(secret: string): void;
  close(): void;
}

/** Opens a receiver that refuses each fifth event when it comes first. */
export async function openReceiver(now: () => number): Promise<Receiver> {
  const seen = new Set<string>();
  const events = new Map<string, WebhookEvent>();
  const faults: string[] = [];
  let secret = "";

  const server = createServer(async (request, response) => {
    const rawBody = Buffer.concat(await request.toArray());
    const header = request.headers["x-service-signature"];
    const verdict = await verifyWebhook({
      rawBody,
      header: typeof header === "string" ? header : undefined,
      secret,
      now: Math.floor(now() / 1_000),
      // The clock is set forward while deliveries are on their way.
      tolerance: 900,
    });
    if (!verdict.ok) faults.push(verdict.reason);
    else if (!seen.has(verdict.event.id) && seen.add(verdict.event.id).size % 5 === 0)
      return response.writeHead(500).end();
    else events.set(verdict.event.id, verdict.event);
    return response.writeHead(verdict.ok ? 200 : 400).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    get events() {
      return [...events.values()];
    },
    faults,
    trust(given) {
      secret = given;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
