import { isApiError } from "../../contract/errors.ts";
import { sha256 } from "../../domain/keys/hash.ts";
import { webHandler } from "../../http/web-handler.ts";
import { type Serve, splitTarget, type WireReply, type WireRequest } from "../../http/wire.ts";
import {
  invalidOption,
  type OptionNames,
  refuseUnknownOptions,
  requireOptions,
} from "../../input/option-error.ts";
import type { CheckoutService } from "../../payments/checkout/checkout-service.ts";
import { channelOf } from "../shared/channel.ts";
import { json } from "../shared/json.ts";
import {
  checkReturnUrls,
  checkStorefront,
  checkStoreOptions,
  secretKey,
} from "../shared/options.ts";
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
import { AcpFault, faultReply } from "./replies.ts";

/** `createAcp` takes these options. */
export interface AcpOptions {
  /** The endpoint's public address, e.g. `https://shop.example.com/acp`. */
  readonly endpoint: string;
  /**
   * The agents that may buy here: a name for each, and a secret key of the store with the scope
   * `checkout:write` and no other, which the agent sends as `Authorization: Bearer`.
   */
  readonly agents: Readonly<Record<string, string>>;
  /**
   * The secret key of the store that the endpoint itself uses. Its scopes are `catalog:read`,
   * `checkout:write` and `orders:read`. No agent is ever shown the key.
   */
  readonly key: string;
  /** A registered return URL: the buyer comes here after the payment. */
  readonly success_url: string;
  /** A registered return URL: the buyer comes here after giving up. */
  readonly cancel_url: string;
  /** The public path of the API. Default `/v1`. */
  readonly basePath?: string | undefined;
  /** Is told of errors that are not the agent's. By default they are written to the console. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** An ACP endpoint. Mount it like the API. */
export interface AcpEndpoint {
  /** Answers a request. Gives null when its path is neither the discovery's nor the endpoint's. */
  readonly serve: Serve;
  /** Answers a Request with a Response. Any other path gives 404. */
  handler(request: Request, client?: { readonly ip?: string | undefined }): Promise<Response>;
}

const names: OptionNames<AcpOptions> = {
  endpoint: true,
  agents: true,
  key: true,
  success_url: true,
  cancel_url: true,
  basePath: true,
  onError: true,
};

type Storefront = {
  readonly serve: Serve;
  readonly checkout: Pick<CheckoutService, "expire">;
};

/**
 * Lets shopping agents make a checkout of one store by the Agentic Commerce Protocol, versions
 * 2026-04-17 and 2026-01-30 over REST. The buyer pays on the store's checkout page. Every call
 * passes through the API, with its keys and limits. Throws `invalid_option` when an option is
 * wrong.
 */
export function createAcp(storefront: Storefront, options: AcpOptions): AcpEndpoint {
  checkStorefront(storefront);
  const settings = readOptions(options);
  const discovery = json(200, discoveryOf(settings.endpoint), {
    "cache-control": "public, max-age=3600",
  });

  const serve: Serve = async (request) => {
    const { path } = splitTarget(request.target);
    if (path === "/.well-known/acp.json")
      return /^(GET|HEAD)$/.test(request.method) ? discovery : refuseMethod("GET, HEAD");
    if (!path.startsWith(`${settings.path}/`)) return null;

    const below = path.slice(settings.path.length);
    const reply = await answer(storefront, settings, request, below).catch((error: unknown) =>
      faultReply(protocolFault(error, settings.onError)),
    );
    return { ...reply, headers: { ...reply.headers, ...echoed(request) } };
  };
  return { serve, handler: webHandler(serve, () => faultReply(noRoute())) };
}

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

type AcpSettings = ReturnType<typeof readOptions>;

function readOptions(given: AcpOptions) {
  requireOptions(given, "createAcp");
  refuseUnknownOptions(given, names);
  const { endpoint, key, success_url, cancel_url, basePath = "/v1" } = given;

  checkStoreOptions({ endpoint, key }, "https://shop.example.com/acp");
  checkReturnUrls({ success_url, cancel_url });

  const agents = readAgents(given.agents, key);
  return {
    endpoint,
    path: new URL(endpoint).pathname,
    key,
    // Digests are compared, so that the time of a look-up tells nothing of a key.
    agents: Promise.all(
      agents.map(async (agent) => [await sha256(agent.key), agent] as const),
    ).then((pairs) => new Map(pairs)),
    success_url,
    cancel_url,
    basePath,
    onError: given.onError ?? ((error: unknown) => console.error("vitrine/acp:", error)),
  };
}

function readAgents(given: AcpOptions["agents"], own: string) {
  const agents = Object.entries(given ?? {}).map(([name, key]) => ({ name, key }));
  if (agents.length === 0) invalidOption("agents", 'must name an agent: { assistant: "hk_…" }');

  for (const { name, key } of agents) {
    if (!/^[\w.-]{1,64}$/.test(name))
      invalidOption("agents", "must have names of 1 to 64 letters, digits, dots and dashes");
    if (typeof key !== "string" || secretKey.exec(key)?.[1] !== secretKey.exec(own)?.[1])
      invalidOption("agents", `must give ${name} a secret key of the mode of the option key`);
  }
  const keys = new Set([own, ...agents.map(({ key }) => key)]);
  if (keys.size <= agents.length)
    invalidOption("agents", "must give each agent a key of its own, which is not the option key");
  return agents;
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
