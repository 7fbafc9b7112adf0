import { type DashboardAccess, readAccess } from "../../dashboard/access/access.ts";
import { partsOf } from "../../dashboard/frame/parts.ts";
import { parseUrl } from "../../domain/parse-url.ts";
import { isSafeTransport } from "../../domain/url-rules.ts";
import { servedAt } from "../../http/mount-paths.ts";
import { webHandler } from "../../http/web-handler.ts";
import { splitTarget, type WireReply, type WireRequest } from "../../http/wire.ts";
import { invalidOption, type OptionNames, requireOptions } from "../../input/option-error.ts";
import { type OptionKind, refuseWrongOptions } from "../../input/option-kinds.ts";
import { type McpEndpoint, readOrigins, readPath, toolMethods, writeError } from "./endpoint.ts";
import { bare } from "./json-rpc.ts";
import { answerMcp, refuseUnread } from "./protocol.ts";

/** The options of `createOwnerMcp`. */
export interface OwnerMcpOptions<Native = unknown> {
  /** The endpoint's full public path, e.g. `/mcp/owner`. */
  readonly path: string;
  /**
   * Says whose assistant has sent a request, as the dashboard's `authorize` does; null means
   * nobody, who is answered with 401. It is asked at every request: by a token of that person in
   * `Authorization`, say. When it throws, the answer is 500. `native` is the framework's own
   * request.
   */
  readonly authorize: (visit: {
    readonly request: WireRequest;
    readonly native: Native;
  }) => DashboardAccess | null | Promise<DashboardAccess | null>;
  /**
   * The public address of the mounted dashboard, where a person confirms a refund. Without it no
   * refund can be prepared.
   */
  readonly dashboardUrl?: string | undefined;
  /** Origins whose pages may call it. None by default, those on this machine neither. */
  readonly origins?: readonly string[] | undefined;
  /** Is told of errors that are not the client's. By default they are written to the console. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const names: OptionNames<OwnerMcpOptions, OptionKind> = {
  path: true,
  authorize: true,
  dashboardUrl: true,
  origins: "list",
  onError: "function",
};

/**
 * Lets the assistants of a store's people read orders, products, numbers and deliveries, change
 * products and send webhooks again, with the rights that `authorize` gives to the person, by the
 * Model Context Protocol. A refund is prepared, and a person confirms it in the dashboard. Each
 * call of a tool in a store leaves an entry in the audit log, with `via: "mcp"`. Throws
 * `invalid_option` when an option is wrong. The tools are loaded at the first request.
 */
export function createOwnerMcp<Native = unknown>(
  storefront: object,
  options: OwnerMcpOptions<Native>,
): McpEndpoint {
  const parts = partsOf(storefront);
  const { path, authorize, dashboardUrl, origins, onError } = readOptions(options);

  const answer = async (request: WireRequest): Promise<WireReply> => {
    let access: DashboardAccess | null;
    try {
      // The host says what its framework's request is: only it knows what it mounts this on.
      access = readAccess(await authorize({ request, native: request.native as Native }));
    } catch (error) {
      onError(error);
      return bare(500);
    }
    if (!access) return bare(401, { "www-authenticate": "Bearer" });

    const { deskOf } = await import("./owner-tools.ts");
    return answerMcp(toolMethods({ ...deskOf({ access, parts, dashboardUrl }), onError }), request);
  };

  const serve = servedAt([path], async (request) =>
    splitTarget(request.target).path === path
      ? (refuseUnread(request, (origin) => origins.has(origin)) ?? answer(request))
      : null,
  );
  return { serve, handler: webHandler(serve, () => bare(404)) };
}

function readOptions<Native>(given: OwnerMcpOptions<Native>) {
  requireOptions(given, "createOwnerMcp");
  refuseWrongOptions(given, names);
  const { authorize, dashboardUrl, origins = [], onError = writeError } = given;
  if (typeof authorize !== "function")
    invalidOption("authorize", "must be a function that says whose assistant has sent a request");

  return {
    path: readPath(given.path),
    authorize,
    dashboardUrl: dashboardUrl === undefined ? null : readDashboardUrl(dashboardUrl),
    origins: readOrigins(origins),
    onError,
  };
}

function readDashboardUrl(address: unknown): string {
  const url = typeof address === "string" ? parseUrl(address) : null;
  if (url && isSafeTransport(url) && url.search === "" && url.hash === "")
    return url.href.replace(/\/$/, "");
  return invalidOption(
    "dashboardUrl",
    "must be the public address of the dashboard, such as https://shop.example.com/dashboard",
  );
}
