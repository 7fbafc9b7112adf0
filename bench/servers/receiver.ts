// Takes webhooks, for sides that compete in posting: a process of its own.
import { createServer } from "node:http";
import { announce } from "./shared.ts";

const server = createServer((req, res) => {
  req.resume();
  req.on("end", () => res.writeHead(204).end());
});
await announce(server, { key: "", slugs: [], product_ids: [] });
