import { fromWeb, type Serve, toWeb } from "../http/wire.ts";
import type { CheckoutService } from "../payments/checkout-service.ts";

export interface SandboxPage {
  /** GET and POST `{path of the test baseUrl}/{token}`; null elsewhere. */
  readonly serve: Serve;
  handler(request: Request): Promise<Response>;
}

/** The sandbox's hosted page: works without JavaScript, test sessions only, and never takes a real payment. Loaded at its first request. */
export function createSandboxPage(checkout: CheckoutService, path: string | null): SandboxPage {
  const forms = () => import("./sandbox-forms.ts");
  const serve: Serve = async (request) => {
    const token = tokenOf(request.target, path);
    return token === null ? null : (await forms()).answerPage(checkout, request, token);
  };
  return {
    serve,
    async handler(request) {
      return toWeb((await serve(fromWeb(request))) ?? (await forms()).gone());
    },
  };
}

function tokenOf(target: string, path: string | null): string | null {
  const [full = ""] = target.split("?", 1);
  const start = `${path?.replace(/\/$/, "")}/`;
  if (path === null || !full.startsWith(start)) return null;
  const token = full.slice(start.length);
  return token === "" || token.includes("/") ? null : token;
}
