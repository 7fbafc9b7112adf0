import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** Bridges node:http to a `handler(Request)`, as frameworks do that know only Web requests. */
export const bridge =
  (handler: (request: Request) => Promise<Response>) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    answer(handler, req, res).catch((error: unknown) => res.writeHead(500).end(String(error)));
  };

async function answer(
  handler: (request: Request) => Promise<Response>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { method = "GET", headers, url } = req;
  const given = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const body =
    method === "GET" ? {} : { body: Readable.toWeb(req) as ReadableStream, duplex: "half" };
  const response = await handler(
    new Request(`http://${headers.host}${url}`, { method, headers: given, ...body }),
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  res
    .writeHead(response.status, {
      ...Object.fromEntries(response.headers),
      "content-length": bytes.length,
    })
    .end(bytes);
}
