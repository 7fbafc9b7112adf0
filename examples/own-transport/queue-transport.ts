// A transport of the host's own: it puts webhooks into a queue, and a process at the edge of the
// network sends them.
import {
  nodeTransport,
  type Sent,
  type WebhookPost,
  type WebhookTransport,
} from "vitrine/transport";

/** A queue needs this. RabbitMQ with publisher confirms, SQS or a table can do it. */
export interface Queue {
  /** Resolves once the queue has stored the message, and rejects when it could not. */
  publish(message: string): Promise<void>;
  /** Passes the messages one by one. After an exception the message goes back into the queue. */
  consume(handle: (message: string) => Promise<void>): void;
}

const edge = nodeTransport();

/**
 * Makes a transport for `createStorefront({ transport })`. `delivered` means that
 * the queue has the message.
 */
export function queueTransport(
  queue: Queue,
  check: WebhookTransport["check"] = edge.check,
): WebhookTransport {
  return {
    // An endpoint is registered only for an address that the edge process can send to.
    check,
    async send({ url, headers, body }): Promise<Sent> {
      const started = performance.now();
      const text = typeof body === "string" ? body : new TextDecoder().decode(body);
      const accepted = await queue.publish(JSON.stringify({ url, headers, body: text })).then(
        () => true,
        // A failed delivery is a value. An exception would say that the transport itself fails.
        () => false,
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

/**
 * Posts from the queue, in the process at the edge. The queue's retries must end
 * 300 s after the signature was made, because receivers refuse an older one.
 */
export function postFromQueue(queue: Queue, transport: WebhookTransport = edge): void {
  queue.consume(async (message) => {
    const { url, headers, body }: Pick<WebhookPost, "url" | "headers" | "body"> =
      JSON.parse(message);
    const sent = await transport.send({ url, headers, body, timeoutMs: 15_000 });
    if (!sent.ok) throw new Error(`not delivered: ${sent.error}`);
  });
}
