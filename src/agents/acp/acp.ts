import { isApiError } from "../../contract/errors.ts";
import { sha256 } from "../../domain/keys/hash.ts";
import { servedAt } from "../../http/mount-paths.ts";
import { webHandler } from "../../http/web-handler.ts";
import { type Serve, splitTarget, type WireReply, type WireRequest } from "../../http/wire.ts";
import type { CheckoutService } from "../../payments/checkout/checkout-service.ts";
import { agentConnector, type ConnectAgent } from "../shared/agent-endpoints.ts";
import { channelOf } from "../shared/channel.ts";
import { json } from "../shared/json.ts";
import { checkStorefront } from "../shared/options.ts";
import { storeApi } from "../shared/store-api.ts";
import { faultOf, unavailable } from "./api-faults.ts";
import {
  cancelSession,
  completeSession,
  createSession,
  getSession,
  updateSession,
} from "./checkout.ts";
import type { Desk } from "./desk.ts";
import { type AcpVersion, discoveryOf, supportedVersions } from "./discovery.ts";
import { getFeed } from "./feed.ts";
import { type AcpOptions, type AcpSettings as ReadSettings, readOptions } from "./options.ts";
import { AcpFault, faultReply } from "./replies.ts";

export type { AcpOptions, AcpWebhooks } from "./options.ts";

/** An ACP endpoint. Mount it like the API. */
export interface AcpEndpoint {
  /** Answers a request. Gives null when its path is neither the discovery's nor the endpoint's. */
  readonly serve: Serve;
  /** Answers a Request with a Response. Any other path gives 404. */
  handler(request: Request, client?: { readonly ip?: string | undefined }): Promise<Response>;
}

/** The options as read, and what keeps the endpoints of agents that are told of their orders. */
interface AcpSettings extends ReadSettings {
  readonly tell: ConnectAgent | undefined;
}

interface Storefront {
  readonly serve: Serve;
  readonly checkout: Pick<CheckoutService, "expire">;
}

/**
 * Lets shopping agents make a checkout of one store by the Agentic Commerce Protocol, versions
 * 2026-04-17 and 2026-01-30 over REST. The buyer pays on the store's checkout page. Every call
 * passes through the API, with its keys and limits. Throws `invalid_option` when an option is
 * wrong.
 */
export function createAcp(storefront: Storefront, options: AcpOptions): AcpEndpoint {
  checkStorefront(storefront);
  const read = readOptions(options);
  const tell = read.webhooks ? agentConnector(storefront, "acp", read) : undefined;
  const settings = { ...read, tell };
  const discovery = json(200, discoveryOf(settings.endpoint), {
    "cache-control": "public, max-age=3600",
  });

  const serve = servedAt([settings.path, discoveryPath], async (request) => {
    const { path } = splitTarget(request.target);
    if (path === discoveryPath)
      return /^(GET|HEAD)$/.test(request.method) ? discovery : refuseMethod("GET, HEAD");
    if (!path.startsWith(`${settings.path}/`)) return null;

    const below = path.slice(settings.path.length);
    const reply = await answer(storefront, settings, request, below).catch((error: unknown) =>
      faultReply(protocolFault(error, settings.onError)),
    );
    return { ...reply, headers: { ...reply.headers, ...echoed(request) } };
  });
  return {
    serve,
    handler: webHandler(serve, () => faultReply(noRoute())),
  };
}

const discoveryPath = "/.well-known/acp.json";
const noRoute = () => new AcpFault(404, "route_not_found", "There is no such route.");
const refuseMethod = (allow: string): WireReply => {
  const reply = faultReply(
    new AcpFault(405, "method_not_allowed", "The route does not take this method."),
  );
  return { ...reply, headers: { ...reply.headers, allow } };
};

/** Gives the headers of the request that the protocol wants back. */
function echoed(request: WireRequest): Readonly<Record<string, string>> {
  const wanted = request.method === "POST" ? ["idempotency-key", "request-id"] : ["request-id"];
  const found = wanted.map((name) => [name, request.header(name)?.trim() ?? ""] as const);
  return Object.fromEntries(found.filter(([, value]) => /^[\x21-\x7e]{1,255}$/.test(value)));
}

type Operation = (desk: Desk, id: string) => Promise<WireReply>;

/** Every route below the endpoint, by its method. */
const routes: readonly (readonly [RegExp, Readonly<Record<string, Operation>>])[] = [
  [/^\/products\.jsonl$/, { GET: getFeed }],
  [/^\/checkout_sessions$/, { POST: createSession }],
  [/^\/checkout_sessions\/([^/]+)$/, { GET: getSession, POST: updateSession }],
  [/^\/checkout_sessions\/([^/]+)\/complete$/, { POST: completeSession }],
  [/^\/checkout_sessions\/([^/]+)\/cancel$/, { POST: cancelSession }],
];

async function answer(
  storefront: Storefront,
  settings: AcpSettings,
  request: WireRequest,
  path: string,
): Promise<WireReply> {
  for (const [pattern, methods] of routes) {
    const found = pattern.exec(path);
    if (!found) continue;

    const run = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    if (!run) return refuseMethod(Object.keys(methods).join(", "));
    // No session has an id with other characters.
    const id = /^[\w-]+$/.test(found[1] ?? "") ? (found[1] ?? "") : "-";
    return run(await deskOf(storefront, settings, request), id);
  }
  throw noRoute();
}

async function deskOf(
  storefront: Storefront,
  settings: AcpSettings,
  request: WireRequest,
): Promise<Desk> {
  const version = readVersion(request.header("api-version"));
  const sent = /^Bearer +(\S+)$/i.exec(request.header("authorization")?.trim() ?? "")?.[1];
  const agent = (await settings.agents).get(await sha256(sent ?? ""));
  if (!agent)
    throw new AcpFault(401, "unauthorized", "Send the agent's key: Authorization: Bearer <key>.");

  const idempotencyKey = request.method === "POST" ? readIdempotencyKey(request) : "";
  // Before an agent buys it has an endpoint, where it is to be told of its orders.
  const told = settings.webhooks?.agents[agent.name];
  if (told && request.method === "POST") await settings.tell?.({ name: agent.name, ...told });
  const { endpoint, key, basePath, success_url, cancel_url } = settings;
  const caller = { ip: request.ip, channel: channelOf("acp", agent.name) };
  return {
    endpoint,
    agent: agent.name,
    version,
    request,
    success_url,
    cancel_url,
    api: storeApi(storefront.serve, basePath, agent.key, caller),
    house: storeApi(storefront.serve, basePath, key, caller),
    expire: (id, partition) => storefront.checkout.expire(id, partition),
    keyOf: async (purpose) =>
      `acp-${await sha256(JSON.stringify([agent.name, purpose, idempotencyKey]))}`,
  };
}

function readVersion(header: string | undefined): AcpVersion {
  const asked = header?.trim() ?? "";
  const version = supportedVersions.find((each) => each === asked);
  if (version) return version;

  const code = asked === "" ? "missing_api_version" : "unsupported_api_version";
  const message = `Send the header API-Version: ${supportedVersions.join(" or ")}.`;
  throw new AcpFault(400, code, message);
}

function readIdempotencyKey(request: WireRequest): string {
  const key = request.header("idempotency-key")?.trim() ?? "";
  if (key === "")
    throw new AcpFault(
      400,
      "idempotency_key_required",
      "Idempotency-Key header is required on all POST requests",
    );
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new AcpFault(
    400,
    "invalid_idempotency_key",
    "The Idempotency-Key must be 1 to 255 visible ASCII characters.",
  );
}

function protocolFault(error: unknown, onError: (error: unknown) => void): AcpFault {
  if (error instanceof AcpFault) return error;
  if (isApiError(error)) {
    const { param } = error.details;
    const fault = faultOf({ code: error.code, message: error.message, param });
    if (fault.status < 500) return fault;
  }
  onError(error);
  return unavailable();
}
