import { fromWeb, type Serve, splitTarget, toWeb } from "../http/wire.ts";
import type { CheckoutService } from "../payments/checkout-service.ts";

export interface SandboxPage {
  /** Answers `{path of the test baseUrl}/{token}`; null for any other path. */
  readonly serve: Serve;
  /** Answers a Request with a Response; 404 for any other path. */
  handler(request: Request): Promise<Response>;
}

/**
 * The hosted page of the sandbox. It works without JavaScript, serves test sessions
 * only and never takes a real payment. Its code is loaded at its first request.
 */
export function createSandboxPage(checkout: CheckoutService, path: string | null): SandboxPage {
  const loadForms = () => import("./sandbox-forms.ts");

  const serve: Serve = async (request) => {
    const token = tokenOf(request.target, path);
    if (token === null) return null;
    return (await loadForms()).answerPage(checkout, request, token);
  };

  return {
    serve,
    async handler(request) {
      return toWeb((await serve(fromWeb(request))) ?? (await loadForms()).notFoundPage());
    },
  };
}

/** The token is the one segment below the path of the page; null for any other target. */
function tokenOf(target: string, path: string | null): string | null {
  if (path === null) return null;

  const full = splitTarget(target).path;
  const start = `${path.replace(/\/$/, "")}/`;
  if (!full.startsWith(start)) return null;

  const token = full.slice(start.length);
  return token === "" || token.includes("/") ? null : token;
}
