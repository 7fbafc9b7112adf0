// The ceiling: bare node:http that sends the bytes of one answer and looks at nothing.
import { createServer } from "node:http";
import { announce, settings } from "./shared.ts";

const { headers, body, key } = settings<{
  headers: Record<string, string>;
  body: string;
  key: string;
}>();
const server = createServer((_req, res) => void res.writeHead(200, headers).end(body));
await announce(server, { key, slugs: [], product_ids: [] });
