import type { ServerResponse } from "node:http";
import type { Serve } from "../../src/http/wire.ts";
import { fromNode, type NodeRequest, send } from "./node.ts";
import { serveTogether } from "./serve-together.ts";

/**
 * Middleware for Express 4 and 5: `app.use(toExpress(storefront))`, before or behind body parsers, with or without a prefix.
 * The client's address is `req.ip`, so `trust proxy` of the app rules.
 */
export function toExpress(storefront: { readonly serve: Serve }) {
  return (req: NodeRequest, res: ServerResponse, next: (error?: unknown) => void): void => {
    serveTogether(storefront.serve, fromNode(req)).then(
      (reply) => (reply ? send(res, reply) : next()),
      next,
    );
  };
}
