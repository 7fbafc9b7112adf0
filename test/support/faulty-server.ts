import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Serve } from "vitrine/node";
import { fromNode, send } from "vitrine/node";

type Handler = (req: IncomingMessage, res: ServerResponse, serve: Serve) => Promise<void> | void;

export interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

const answer: Handler = async (req, res, serve) => {
  const reply = await serve(fromNode(req));
  if (reply) send(res, reply);
  else res.writeHead(404).end();
};

const error = (status: number, code: string, headers: Record<string, string> = {}): Handler => {
  const body = JSON.stringify({
    error: {
      type: "api_error",
      code,
      message: `It is ${code}.`,
      param: null,
      docs_url: `https://d.example.com/#${code}`,
    },
    livemode: false,
    request_id: "req_FAULT",
  });
  return (_req, res) =>
    void res.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
};

/** The faults of a network, each on a real socket. */
export const faults = {
  /** The connection is reset before the API has done anything. */
  reset: ((req) => void req.socket.resetAndDestroy()) as Handler,
  /** The API does its work, and the answer is lost. */
  lost: (async (req, _res, serve) => {
    await serve(fromNode(req));
    req.socket.resetAndDestroy();
  }) as Handler,
  /** The connection is reset while the API works. */
  cut: ((req, _res, serve) => {
    void serve(fromNode(req));
    req.socket.resetAndDestroy();
  }) as Handler,
  /** The answer ends in the middle of its body. */
  torn: ((req, res) => {
    res.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    res.write('{"data":', () => req.socket.destroy());
  }) as Handler,
  /** The request is never answered. */
  silence: (() => {}) as Handler,
  /** The headers come immediately and the body never. */
  stall: ((_req, res) => {
    res.writeHead(200, { "content-type": "application/json" });
    res.write('{"data":');
  }) as Handler,
  error,
  /** A proxy answers that its server is unavailable. */
  proxy:
    (status: number): Handler =>
    (_req, res) =>
      void res.writeHead(status, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>"),
  redirect:
    (location: string): Handler =>
    (_req, res) =>
      void res.writeHead(307, { location }).end(),
  text:
    (status: number, body: string): Handler =>
    (_req, res) =>
      void res.writeHead(status, { "content-type": "text/plain" }).end(body),
} as const;

/** Starts a server that commits the faults of its script and then answers as the API does. */
export async function startFaultyServer(serve: Serve) {
  const script: Handler[] = [];
  const seen: Seen[] = [];
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const rawBody = await buffer(req);
    seen.push({
      method: req.method ?? "",
      url: new URL(req.url ?? "", "http://x"),
      headers: req.headers,
      body: rawBody.toString(),
    });
    await (script.shift() ?? answer)(Object.assign(req, { rawBody }), res, serve);
  };
  const server = createServer(
    (req, res) => void handle(req, res).catch(() => req.socket.destroy()),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    script,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
