// GET /v1/store on one host: through the library, or a bare route of that host that answers the same bytes.
import { createServer } from "node:http";
import express from "express";
import Fastify from "fastify";
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import { toNode } from "vitrine/node";
import { announce, settings } from "./shared.ts";
import { storeShop } from "./store-shop.ts";

const { host, bare } = settings<{ host: "node:http" | "Fastify" | "Express"; bare: boolean }>();
const { storefront, key, reply } = await storeShop();
const { status, headers, body } = reply;
const length = { ...headers, "content-length": String(Buffer.byteLength(body)) };
const rest = { key, slugs: [], product_ids: [] };

if (host === "Fastify") {
  const app = Fastify();
  if (bare) app.get("/v1/store", (_request, answer) => void answer.code(status).headers(headers).send(body));
  else app.register(toFastify(storefront));
  await app.ready();
  await announce(app.server, rest);
} else if (host === "Express") {
  const app = express();
  if (bare) app.get("/v1/store", (_req, res) => void res.writeHead(status, length).end(body));
  else app.use(toExpress(storefront));
  await announce(createServer(app), rest);
} else {
  const listener = toNode(storefront);
  const same = createServer((_req, res) => void res.writeHead(status, length).end(body));
  await announce(bare ? same : createServer(listener), rest);
}
