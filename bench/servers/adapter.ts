// Serves GET /v1/store on one host. It answers through the library's adapter, by a
// route that calls `serve` itself, or by a bare route that answers the same bytes.
import { createServer, type IncomingMessage } from "node:http";
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import { toNode } from "vitrine/node";
import { announce, settings } from "./shared.ts";
import { storeShop } from "./store-shop.ts";

const { host, route } = settings<{
  host: "node:http" | "Fastify" | "Express";
  route: "adapter" | "serve" | "bare";
}>();
const { storefront, key, reply } = await storeShop();
const rest = { key, slugs: [], product_ids: [] };

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}
/** Gives the answer of a route of the host. */
async function answerTo(req: IncomingMessage): Promise<Answer> {
  if (route === "bare") return { ...reply, headers: { ...reply.headers } };
  const header = (name: string): string | undefined => {
    const value = req.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
  const made = await storefront.serve({
    method: "GET",
    target: req.url ?? "/",
    header,
    body: async () => new Uint8Array(),
  });
  if (typeof made?.body !== "string") return { status: 404, headers: {}, body: null };
  return { ...made, body: made.body };
}
const sized = ({ headers, body }: Answer): Record<string, string> => ({
  ...headers,
  "content-length": String(Buffer.byteLength(body ?? "")),
});

if (host === "Fastify") {
  const { default: Fastify } = await import("fastify");
  const app = Fastify();
  if (route === "adapter") app.register(toFastify(storefront));
  else
    app.get("/v1/store", async (request, answer) => {
      const { status, headers, body } = await answerTo(request.raw);
      return answer.code(status).headers(headers).send(body);
    });
  await app.ready();
  await announce(app.server, rest);
} else if (host === "Express") {
  const { default: express } = await import("express");
  const app = express();
  if (route === "adapter") app.use(toExpress(storefront));
  else
    app.get("/v1/store", async (req, res) => {
      const made = await answerTo(req);
      res.writeHead(made.status, sized(made)).end(made.body);
    });
  await announce(createServer(app), rest);
} else {
  const adapted = toNode(storefront);
  const plain = createServer((req, res) => {
    answerTo(req).then(
      (made) => res.writeHead(made.status, sized(made)).end(made.body),
      (error: unknown) => res.writeHead(500).end(String(error)),
    );
  });
  await announce(route === "adapter" ? createServer(adapted) : plain, rest);
}
