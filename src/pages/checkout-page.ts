import { servedAt } from "../http/mount-paths.ts";
import { webHandler } from "../http/web-handler.ts";
import { type RequestClient, type Serve, splitTarget } from "../http/wire.ts";
import type { CheckoutBase } from "../rules/checkout/checkout-urls.ts";
import type { PageService } from "./answer-request.ts";
import type { PageContext } from "./visit.ts";

/** The page at which buyers pay. Mount it in the host. */
export interface CheckoutPage {
  /**
   * Answers `{path of a baseUrl}/{token}` and the page's own files. Gives null for
   * any other path.
   */
  readonly serve: Serve;
  /**
   * Answers a Request with a Response. Any other path gives 404. Give the buyer's
   * address as `ip`: the limit `payments` counts by it, and nothing without it.
   */
  handler(request: Request, client?: RequestClient): Promise<Response>;
}

/** The page has these two names. */
export interface CheckoutPages {
  readonly checkoutPage: CheckoutPage;
  readonly sandboxPage: CheckoutPage;
}

/**
 * Makes the page at which buyers pay. Its code is loaded at its first request, because
 * no other request needs it. Without a `baseUrl` it answers nowhere.
 */
export function createCheckoutPages(ctx: PageContext, base: CheckoutBase | null): CheckoutPages {
  let loading: Promise<PageService> | undefined;
  const load = (): Promise<PageService> => {
    loading ??= import("./answer-request.ts").then((module) => module.createPageService(ctx));
    return loading;
  };

  const test = pathOf(base?.test ?? null);
  const live = pathOf(base?.live ?? null);
  return {
    checkoutPage: createPage(load, { paths: [...new Set([...live, ...test])], live: true }),
    sandboxPage: createPage(load, { paths: test, live: false }),
  };
}

const pathOf = (baseUrl: string | null): readonly string[] =>
  baseUrl === null ? [] : [new URL(baseUrl).pathname.replace(/\/$/, "")];

interface PageScope {
  readonly paths: readonly string[];
  /** Whether live sessions are answered too. */
  readonly live: boolean;
}

function createPage(load: () => Promise<PageService>, { paths, live }: PageScope): CheckoutPage {
  const serve = servedAt(paths, async (request) => {
    const { path, query } = splitTarget(request.target);
    for (const base of paths) {
      const name = nameBelow(base, path);
      if (name !== null) return (await load()).answer({ request, base, name, query, live });
    }
    return null;
  });

  return {
    serve,
    handler: webHandler(serve, async (request) => (await load()).notFound(request, paths[0] ?? "")),
  };
}

/** Gives the one segment below a path. Gives null for any other path. */
function nameBelow(base: string, path: string): string | null {
  if (!path.startsWith(`${base}/`)) return null;

  const name = path.slice(base.length + 1);
  return name === "" || name.includes("/") ? null : name;
}
