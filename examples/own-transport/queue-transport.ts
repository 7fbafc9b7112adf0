// A transport of the host's own: webhooks leave through a queue, and a process at the edge of the network posts them.
import {
  nodeTransport,
  type Sent,
  type WebhookPost,
  type WebhookTransport,
} from "vitrine/transport";

/** The two methods that are needed of a broker's client: RabbitMQ with publisher confirms, SQS, a table. */
export interface Queue {
  /** Resolves once the broker has the message safely; rejects when it has not. */
  publish(message: string): Promise<void>;
  /** Hands over messages one by one; a throw puts the message back. */
  consume(handle: (message: string) => Promise<void>): void;
}

const edge = nodeTransport();

/** For `createStorefront({ transport })`. `delivered` then means: the queue has it. */
export function queueTransport(
  queue: Queue,
  check: WebhookTransport["check"] = edge.check,
): WebhookTransport {
  return {
    check, // an endpoint is registered only for an address that the edge will go to
    async send({ url, headers, body }): Promise<Sent> {
      const started = performance.now();
      const text = typeof body === "string" ? body : new TextDecoder().decode(body);
      const accepted = await queue.publish(JSON.stringify({ url, headers, body: text })).then(
        () => true,
        () => false, // a failed delivery is a value: a throw would say that the transport itself is broken
      );
      return {
        ok: accepted,
        status: null,
        error: accepted ? null : "connection_reset",
        snippet: null,
        duration_ms: Math.round(performance.now() - started),
      };
    },
  };
}

/** In the process at the edge. The queue's own retries count from here: keep them within 300 s, for then the signature is too old. */
export function postFromQueue(queue: Queue, transport: WebhookTransport = edge): void {
  queue.consume(async (message) => {
    const { url, headers, body }: Pick<WebhookPost, "url" | "headers" | "body"> =
      JSON.parse(message);
    const sent = await transport.send({ url, headers, body, timeoutMs: 15_000 });
    if (!sent.ok) throw new Error(`not delivered: ${sent.error}`);
  });
}
