import { isApiError } from "../../contract/errors.ts";
import { awaitTurn } from "../../http/turns.ts";
import {
  fromWeb,
  type Serve,
  splitTarget,
  toWeb,
  type WireReply,
  type WireRequest,
} from "../../http/wire.ts";
import {
  invalidOption,
  type OptionNames,
  refuseUnknownOptions,
  requireOptions,
} from "../../input/option-error.ts";
import type { CheckoutService } from "../../payments/checkout/checkout-service.ts";
import { storeApi } from "../mcp/store-api.ts";
import { type Agent, readAgent } from "./agent.ts";
import { faultOf } from "./api-faults.ts";
import { getCatalogProduct, lookUpCatalog, searchCatalog } from "./catalog.ts";
import {
  cancelCheckout,
  completeCheckout,
  createCheckout,
  getCheckout,
  updateCheckout,
} from "./checkout.ts";
import type { Desk } from "./desk.ts";
import { profileOf } from "./profile.ts";
import { BusinessFault, faultReply, json, ProtocolFault } from "./replies.ts";

/** `createUcp` takes these options. */
export interface UcpOptions {
  /** The endpoint's public address, e.g. `https://shop.example.com/ucp`. */
  readonly endpoint: string;
  /**
   * A secret key of the store, with the scopes `catalog:read`, `checkout:write` and `orders:read`.
   * No agent is ever shown it.
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

/** A UCP endpoint. Mount it like the API. */
export interface UcpEndpoint {
  /** Answers a request. Gives null when its path is neither the profile's nor the endpoint's. */
  readonly serve: Serve;
  /** Answers a Request with a Response. Any other path gives 404. */
  handler(request: Request, client?: { readonly ip?: string | undefined }): Promise<Response>;
}

const names: OptionNames<UcpOptions> = {
  endpoint: true,
  key: true,
  success_url: true,
  cancel_url: true,
  basePath: true,
  onError: true,
};

/**
 * Lets shopping agents find products of one store and make a checkout, by the Universal Commerce
 * Protocol (2026-08-25, REST). The buyer pays on the store's checkout page. Calls pass through the
 * API, with its limits. Throws `invalid_option` when an option is wrong.
 */
export function createUcp(
  storefront: { readonly serve: Serve; readonly checkout: Pick<CheckoutService, "expire"> },
  options: UcpOptions,
): UcpEndpoint {
  if (typeof Object(storefront).serve !== "function")
    invalidOption("storefront", "must be what createStorefront returned");
  const settings = readOptions(options);
  const profile = json(200, profileOf(settings.endpoint), {
    "cache-control": "public, max-age=300",
  });

  const serve: Serve = async (request) => {
    const { path } = splitTarget(request.target);
    if (path === "/.well-known/ucp") return isRead(request) ? profile : refuseMethod("GET, HEAD");
    if (!path.startsWith(`${settings.path}/`)) return null;

    try {
      return await answer(storefront, settings, request, path.slice(settings.path.length));
    } catch (error) {
      return faultReply(protocolFault(error, settings.onError));
    }
  };
  return {
    serve,
    handler: async (request, client) => {
      await awaitTurn();
      const reply = await serve({ ...fromWeb(request), ip: client?.ip });
      return toWeb(reply ?? json(404, { code: "not_found", content: noRoute }), request.method);
    },
  };
}

const isRead = ({ method }: WireRequest): boolean => method === "GET" || method === "HEAD";
const noRoute = "There is no such route.";
const refuseMethod = (allow: string): WireReply =>
  json(
    405,
    { code: "method_not_allowed", content: "The route does not take this method." },
    { allow },
  );

type UcpSettings = ReturnType<typeof readOptions>;

function readOptions(given: UcpOptions) {
  requireOptions(given, "createUcp");
  refuseUnknownOptions(given, names);
  const { endpoint, key, success_url, cancel_url, basePath = "/v1" } = given;

  if (typeof endpoint !== "string" || !/^https?:\/\/[^/?#\s]+(\/[^/?#\s]+)+$/.test(endpoint))
    invalidOption("endpoint", "must be a public address with a path: https://shop.example.com/ucp");
  if (typeof key !== "string" || !/^hk_(live|test)_sec_\w+$/.test(key))
    invalidOption("key", "must be a secret key of the store (hk_…_sec_…): agents never see it");
  for (const [name, url] of Object.entries({ success_url, cancel_url }))
    if (typeof url !== "string" || url === "")
      invalidOption(name, "must be a return URL that the store has registered");

  return {
    endpoint,
    path: new URL(endpoint).pathname,
    key,
    success_url,
    cancel_url,
    basePath,
    onError: given.onError ?? ((error: unknown) => console.error("vitrine/ucp:", error)),
  };
}

type Operation = (desk: Desk, id: string) => Promise<WireReply>;

/** Every route below the endpoint, by its method. */
const routes: readonly (readonly [RegExp, Readonly<Record<string, Operation>>])[] = [
  [/^\/catalog\/search$/, { POST: searchCatalog }],
  [/^\/catalog\/lookup$/, { POST: lookUpCatalog }],
  [/^\/catalog\/product$/, { POST: getCatalogProduct }],
  [/^\/checkout-sessions$/, { POST: createCheckout }],
  [/^\/checkout-sessions\/([^/]+)$/, { GET: getCheckout, PUT: updateCheckout }],
  [/^\/checkout-sessions\/([^/]+)\/complete$/, { POST: completeCheckout }],
  [/^\/checkout-sessions\/([^/]+)\/cancel$/, { POST: cancelCheckout }],
];

async function answer(
  storefront: Parameters<typeof createUcp>[0],
  settings: UcpSettings,
  request: WireRequest,
  path: string,
): Promise<WireReply> {
  for (const [pattern, methods] of routes) {
    const found = pattern.exec(path);
    if (!found) continue;

    const run = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    if (!run) return refuseMethod(Object.keys(methods).join(", "));
    const agent = readAgent(request.header("ucp-agent"));
    return run(deskOf(storefront, settings, request, agent), decoded(found[1] ?? ""));
  }
  throw new ProtocolFault(404, "not_found", noRoute);
}

/** An id that is written wrong is one that nothing has. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return "-";
  }
}

function deskOf(
  storefront: Parameters<typeof createUcp>[0],
  settings: UcpSettings,
  request: WireRequest,
  agent: Agent,
): Desk {
  const sent = request.header("idempotency-key") ?? crypto.randomUUID();
  const { key, basePath, success_url, cancel_url } = settings;
  return {
    agent,
    request,
    success_url,
    cancel_url,
    api: storeApi(storefront.serve, basePath, key, request),
    expire: (id, partition) => storefront.checkout.expire(id, partition),
    keyOf: (purpose) => digestOf(JSON.stringify([agent.profile, purpose, sent])),
  };
}

async function digestOf(words: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(words));
  const hex = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0"));
  return `ucp-${hex.join("")}`;
}

function protocolFault(
  error: unknown,
  onError: (error: unknown) => void,
): ProtocolFault | BusinessFault {
  if (error instanceof ProtocolFault || error instanceof BusinessFault) return error;
  if (isApiError(error)) {
    const fault = faultOf({ code: error.code, message: error.message });
    if (fault instanceof ProtocolFault && fault.status < 500) return fault;
    if (fault instanceof BusinessFault)
      return new ProtocolFault(400, "invalid_request", error.message);
  }
  onError(error);
  return new ProtocolFault(503, "service_unavailable", "The store cannot answer now.", 60);
}
