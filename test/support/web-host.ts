import type { IncomingMessage, ServerResponse } from "node:http";

/** What a platform that speaks Request and Response does in front of a handler. */
export function webHost(handle: (request: Request) => Promise<Response> | Response) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of req) chunks.push(chunk);
    } catch {
      return; // cut off: nobody is there to be answered
    }
    const headers = new Headers();
    for (let at = 0; at < req.rawHeaders.length; at += 2) headers.append(req.rawHeaders[at] ?? "", req.rawHeaders[at + 1] ?? "");
    const bodiless = req.method === "GET" || req.method === "HEAD";
    const request = new Request(`http://${req.headers.host ?? "host"}${req.url}`, {
      method: req.method ?? "GET",
      headers,
      ...(bodiless ? {} : { body: Buffer.concat(chunks) }),
    });
    const response = await handle(request);
    res.writeHead(response.status, Object.fromEntries(response.headers));
    res.end(Buffer.from(await response.arrayBuffer()));
  };
}
