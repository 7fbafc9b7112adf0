import { servedAt } from "../../http/mount-paths.ts";
import { webHandler } from "../../http/web-handler.ts";
import { type Serve, splitTarget } from "../../http/wire.ts";
import type { CustomerPageContext } from "./context.ts";

/** The page at which buyers see what they have bought. Mount it in the host. */
export interface CustomerPage {
  /** Answers `customerPage.baseUrl` and what is below it. Gives null for any other path. */
  readonly serve: Serve;
  /** Answers a Request with a Response. Any other path gives 404. */
  handler(request: Request): Promise<Response>;
}

/** Makes the page. Its code is loaded at its first request. */
export function createCustomerPage(ctx: CustomerPageContext): CustomerPage {
  const { options } = ctx;
  const base = options && new URL(options.baseUrl).pathname;
  let loading: Promise<Serve> | undefined;
  const serve = servedAt(base ? [base] : [], async (request) => {
    const { path } = splitTarget(request.target);
    if (!base || (path !== base && !path.startsWith(`${base}/`))) return null;

    loading ??= import("./service.ts").then((module) => module.createService(ctx, options));
    return (await loading)(request);
  });
  const handle = webHandler(serve, () => ({ status: 404, headers: {}, body: null }));
  return { serve, handler: (request) => handle(request) };
}
