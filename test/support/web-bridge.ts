import { createServer, type Server } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";

/** Turns sockets into `Request` and `Response`, with the minimum that Bun, Deno or Hono do. */
export function serveWeb(
  answer: (request: Request, ip: string | undefined) => Response | Promise<Response>,
): Server {
  return createServer(async (req, res) => {
    const gone = new AbortController();
    res.once("close", () => gone.abort());
    try {
      const headers = new Headers();
      for (let at = 0; at < req.rawHeaders.length; at += 2)
        headers.append(req.rawHeaders[at] ?? "", req.rawHeaders[at + 1] ?? "");
      const body =
        req.method === "GET" || req.method === "HEAD"
          ? null
          : (Readable.toWeb(req) as ReadableStream);
      const init = { method: req.method, headers, body, duplex: "half", signal: gone.signal };
      const response = await answer(
        new Request(`http://${req.headers.host}${req.url}`, init as RequestInit),
        req.socket.remoteAddress,
      );
      res.writeHead(response.status, Object.fromEntries(response.headers));
      if (response.body) await pipeline(Readable.fromWeb(response.body as NodeStream), res);
      else res.end();
    } catch {
      // `Request` refuses the method TRACE, so every runtime answers it without the application.
      if (!res.headersSent) res.writeHead(req.method === "TRACE" ? 405 : 500);
      if (!res.destroyed) res.end();
    }
  });
}
