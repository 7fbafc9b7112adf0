// This server is the upper bound: bare node:http that sends one prepared answer and checks nothing.
import { createServer } from "node:http";
import { announce, settings } from "./shared.ts";

const { headers, body, key } = settings<{
  headers: Record<string, string>;
  body: string;
  key: string;
}>();
const server = createServer((_req, res) => void res.writeHead(200, headers).end(body));
await announce(server, { key, slugs: [], product_ids: [] });
