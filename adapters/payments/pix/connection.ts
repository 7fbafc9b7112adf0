import type { IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";

/** What opens connections to a bank: the account's certificate, and whom it trusts. */
export interface ConnectionOptions {
  /** The client certificate in PEM, with its chain. */
  readonly certificate: string;
  /** Its private key in PEM. */
  readonly key: string;
  /** Authorities in PEM that sign the bank's own certificate; the system's by default. */
  readonly ca?: string | readonly string[];
}

export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly text: string;
}

export interface Connection {
  /**
   * Sends a request that may be repeated without harm. It rejects without an answer
   * within 25 s, when the signal aborts, and for an answer above 4 MiB.
   */
  send(request: SentRequest, signal: AbortSignal): Promise<ReceivedAnswer>;
  /** Closes the connections that are idle, and the others when their answers came. */
  close(): void;
}

/**
 * The gateway's call is aborted after 120 s. A fresh token, the request and one
 * repeat of each end before that.
 */
const answerWithinMs = 25_000;
const maxAnswerBytes = 4 * 1_048_576;
const maxSockets = 32;

/** Keeps the connections of one account open, because a TLS handshake costs more than a call. */
export function openConnection({ certificate, key, ca }: ConnectionOptions): Connection {
  const agent = new Agent({
    cert: certificate,
    key,
    ...(ca !== undefined && { ca: [ca].flat() }),
    keepAlive: true,
    maxSockets,
    maxFreeSockets: 4,
    minVersion: "TLSv1.2",
  });

  return {
    async send(request, signal) {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
      try {
        return await sendOnce(agent, request, ends);
      } catch (error) {
        // The bank closed an idle connection while the request was on its way.
        if (!(error instanceof StaleConnection)) throw error;
        return sendOnce(agent, request, ends);
      }
    },
    close: () => agent.destroy(),
  };
}

class StaleConnection extends Error {}

function sendOnce(
  agent: Agent,
  { method, url, headers, body }: SentRequest,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const options = { agent, method, signal, headers: { ...headers, ...length } };
    const request = httpsRequest(url, options, (answer) => {
      readAnswer(answer).then(resolve, reject);
    });

    request.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && error.code === "ECONNRESET";
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    request.end(body);
  });
}

async function readAnswer(answer: IncomingMessage): Promise<ReceivedAnswer> {
  const chunks: Uint8Array[] = [];
  let length = 0;

  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > maxAnswerBytes) {
      answer.destroy();
      throw new Error("The bank's answer is larger than 4 MiB.");
    }
    chunks.push(chunk);
  }
  return { status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") };
}
