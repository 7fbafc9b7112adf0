import type { IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";

/** What a connection to a bank is opened with: the account's certificate, and whom it trusts. */
export interface ConnectionOptions {
  /** The client certificate in PEM, with its chain. */
  readonly certificate: string;
  /** The certificate's private key in PEM. */
  readonly key: string;
  /** The authorities, in PEM, that sign the bank's own certificate. Default: the system's. */
  readonly ca?: string | readonly string[] | undefined;
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
  /**
   * Closes the connections once no request is on its way. A request that is sent
   * later opens a connection for itself.
   */
  close(): void;
}

/**
 * The gateway's call is aborted after 120 s. A fresh token, the request and one
 * repeat of each end before that.
 */
export const answerWithinMs = 25_000;
const maxAnswerBytes = 4 * 1_048_576;
const maxSockets = 32;

/** Keeps the connections of one account open, because a TLS handshake costs more than a call. */
export function openConnection(
  { certificate, key, ca }: ConnectionOptions,
  withinMs = answerWithinMs,
): Connection {
  const agent = new Agent({
    cert: certificate,
    key,
    ...(ca !== undefined && { ca: [ca].flat() }),
    keepAlive: true,
    maxSockets,
    maxFreeSockets: 4,
    minVersion: "TLSv1.2",
  });
  let running = 0;
  let isClosed = false;

  return {
    async send(request, signal) {
      running += 1;
      try {
        const ends = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
        return await sendRepeated(agent, request, ends);
      } finally {
        running -= 1;
        // `destroy` would cut off requests that are on their way.
        if (isClosed && running === 0) agent.destroy();
      }
    },
    close() {
      isClosed = true;
      if (running === 0) agent.destroy();
    },
  };
}

async function sendRepeated(
  agent: Agent,
  request: SentRequest,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  try {
    return await sendOnce(agent, request, signal);
  } catch (error) {
    // The bank closed an idle connection while the request was on its way.
    if (!(error instanceof StaleConnection)) throw error;
    return sendOnce(agent, request, signal);
  }
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
