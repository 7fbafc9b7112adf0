import { Agent, request } from "node:http";
import { signWebhook } from "vitrine/webhooks";

/** Every side has this task: signed posts of one kilobyte, spread over the receiver's addresses. */
export interface Work {
  readonly posts: number;
  readonly endpoints: number;
  /** This many posts are open at the same time. */
  readonly open: number;
  readonly origin: string;
  /** This many endpoints belong to one store. It is 50 by default, which is the most. */
  readonly perStore?: number;
}

export const urlOf = ({ origin, endpoints }: Work, index: number): string =>
  `${origin}/hooks/${index % endpoints}`;
export const bodyText = "x".repeat(960);
export const bodyOf = (id: string): string =>
  `{"id":"${id}","type":"order.paid","data":{"text":"${bodyText}"}}`;

export interface Poster {
  post(url: string, id: string, body: string): Promise<void>;
  close(): void;
}

/**
 * Sends one signed post over kept-alive connections, as a careful developer writes it: with a time
 * limit and a check of the answer's status.
 */
export function createPoster(open: number): Poster {
  const agent = new Agent({ keepAlive: true, maxSockets: open, scheduling: "lifo" });
  return {
    async post(url, id, body) {
      const signature = await signWebhook({
        rawBody: body,
        secret: "whsec_x",
        timestamp: Math.floor(Date.now() / 1_000),
      });
      const headers = {
        "content-type": "application/json; charset=utf-8",
        "content-length": Buffer.byteLength(body),
        "user-agent": "by-hand/1",
        "X-Service-Signature": signature,
        "X-Service-Event-Id": id,
        "X-Service-Event-Type": "order.paid",
        "X-Service-Attempt": "1",
      };
      await new Promise<void>((resolve, reject) => {
        const sent = request(url, { method: "POST", agent, headers, timeout: 15_000 }, (res) => {
          res.resume();
          res.on("end", () =>
            res.statusCode === 204
              ? resolve()
              : reject(new Error(`The receiver answered ${res.statusCode}.`)),
          );
        });
        sent.on("timeout", () => sent.destroy(new Error("The receiver did not answer in time.")));
        sent.on("error", reject);
        sent.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

/** Runs `one` for 0..count-1, `open` at a time. */
export async function pooled(
  count: number,
  open: number,
  one: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: open }, worker));
}

export async function perSecond(posts: number, run: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await run();
  return (posts / (performance.now() - started)) * 1_000;
}
