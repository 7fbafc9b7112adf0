import { parseOrigin } from "../../domain/url-rules.ts";
import type { Serve, WireRequest } from "../../http/wire.ts";
import { invalidOption } from "../../input/option-error.ts";
import { clientNameOf, type McpMethods, supportedVersions } from "./protocol.ts";
import { callTool, listTools, type Tools } from "./tools.ts";

// What every MCP endpoint has, whoever its tools are for.

/** An MCP endpoint. Mount it like the API. */
export interface McpEndpoint {
  /** Answers a request. Gives null when its path is not `path`. */
  readonly serve: Serve;
  /** Answers a Request with a Response. Any other path gives 404. */
  handler(request: Request, client?: { readonly ip?: string | undefined }): Promise<Response>;
}

/** The tools of an endpoint, and what their calls work with. */
export interface ToolServer<Place> {
  /** Tells a model what the tools are for. */
  readonly instructions: string;
  readonly tools: Tools<Place>;
  /** The tools that are listed. All of them by default. */
  readonly shown?: Tools<Place>;
  /** `public` means that the list is the same for everyone. */
  readonly cacheScope: "public" | "private";
  /** Gives what a call works with. `client` is the name that the client claims. */
  place(request: WireRequest, client: string): Place;
  onError(error: unknown): void;
}

/** A client may keep the list of tools for this long. It changes with the package's version. */
const toolsTtlMs = 3_600_000;

/** Answers the methods of a server that has nothing but tools. */
export function toolMethods<Place>(server: ToolServer<Place>): McpMethods {
  const { instructions, tools, shown = tools, cacheScope } = server;
  const caching = { ttlMs: toolsTtlMs, cacheScope };

  return {
    serverInfo: { name: "vitrine", version: "1" },
    onError: server.onError,
    call(message, request) {
      const { method, params } = message;
      switch (method) {
        case "server/discover": {
          const capabilities = { tools: {} };
          return Promise.resolve({ supportedVersions, capabilities, instructions, ...caching });
        }
        case "tools/list":
          return listTools(shown, params, caching);
        case "tools/call":
          return callTool(tools, params, server.place(request, clientNameOf(message)));
        default:
          return null;
      }
    },
  };
}

/** Checks the path of an endpoint. */
export function readPath(path: unknown): string {
  if (typeof path !== "string" || !/^\/[^\s?#]*[^\s?#/]$/.test(path))
    return invalidOption("path", "must be the public path of the endpoint, e.g. /mcp");
  return path;
}

/** Reads the origins whose pages may call an endpoint. */
export const readOrigins = (origins: readonly string[]): ReadonlySet<string> =>
  new Set(
    origins.map(
      (origin) => parseOrigin(origin) ?? invalidOption("origins", `has no origin: ${origin}`),
    ),
  );

/** Tells the console of an error that is not the client's. */
export const writeError = (error: unknown): void => console.error("vitrine/mcp:", error);
