import type { ServerResponse } from "node:http";
import type { Serve } from "#core/http/wire.ts";
import { misplaced } from "./mount-place.ts";
import { requireMountable } from "./mountable.ts";
import { fromNode } from "./node.ts";
import type { NodeRequest } from "./node-request.ts";
import { respond } from "./respond.ts";
import { serveBatched } from "./serve-batched.ts";

/**
 * Makes middleware for Express 4 and 5: `app.use(toExpress(storefront))`, before or
 * behind body parsers, with or without a prefix. The client's address is `req.ip`,
 * so the app's `trust proxy` decides. Writes one warning to the console when the
 * storefront answers nothing under the prefix.
 */
export function toExpress(storefront: { readonly serve: Serve }) {
  requireMountable(storefront, "serve", "toExpress");

  let told = false;
  /** Express does not say where it mounts. The first request that is passed on does. */
  const tell = (mountPath: string): void => {
    const wrong = told ? null : misplaced(storefront.serve, mountPath);
    if (!wrong) return;
    told = true;
    console.warn(`vitrine: toExpress: ${wrong}`);
  };

  return (req: NodeRequest, res: ServerResponse, next: (error?: unknown) => void): void => {
    // What Express has mounted it below is cut off again once the next part has the request.
    const { baseUrl } = req;
    void respond(res, serveBatched(storefront.serve, fromNode(req)), (error) => {
      if (baseUrl && error === undefined) tell(baseUrl);
      next(error);
    });
  };
}
