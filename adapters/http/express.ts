import type { ServerResponse } from "node:http";
import type { Serve } from "#core/http/wire.ts";
import { requireMountable } from "./mountable.ts";
import { fromNode } from "./node.ts";
import type { NodeRequest } from "./node-request.ts";
import { respond } from "./respond.ts";
import { serveBatched } from "./serve-batched.ts";

/**
 * Makes middleware for Express 4 and 5: `app.use(toExpress(storefront))`, before or
 * behind body parsers, with or without a prefix. The client's address is `req.ip`,
 * so the app's `trust proxy` decides.
 */
export function toExpress(storefront: { readonly serve: Serve }) {
  requireMountable(storefront, "serve", "toExpress");

  return (req: NodeRequest, res: ServerResponse, next: (error?: unknown) => void): void => {
    void respond(res, serveBatched(storefront.serve, fromNode(req)), next);
  };
}
