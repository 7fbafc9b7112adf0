import { isApiError } from "../../contract/errors.ts";
import { sha256 } from "../../domain/keys/hash.ts";
import { parseUrl } from "../../domain/parse-url.ts";
import { decodePercent } from "../../domain/text/percent.ts";
import { servedAt } from "../../http/mount-paths.ts";
import { webHandler } from "../../http/web-handler.ts";
import { type Serve, splitTarget, type WireReply, type WireRequest } from "../../http/wire.ts";
import type { CheckoutService } from "../../payments/checkout/checkout-service.ts";
import { agentConnector, type ConnectAgent } from "../shared/agent-endpoints.ts";
import { channelOf } from "../shared/channel.ts";
import { json } from "../shared/json.ts";
import { checkStorefront } from "../shared/options.ts";
import { storeApi } from "../shared/store-api.ts";
import { type Agent, readAgent } from "./agent.ts";
import { faultOf } from "./api-faults.ts";
import {
  cancelCheckout,
  completeCheckout,
  createCheckout,
  getCheckout,
  updateCheckout,
} from "./checkout.ts";
import type { Desk } from "./desk.ts";
import { negotiate, type PlatformProfile, versionOf, webhookUrlOf } from "./negotiate.ts";
import { type UcpSettings as ReadSettings, readOptions, type UcpOptions } from "./options.ts";
import { type CapabilityName, cart, profileOf } from "./profile.ts";
import { BusinessFault, faultReply, ProtocolFault } from "./replies.ts";
import { signReply } from "./signatures/sign.ts";
import { isSigned, signatureMissing, verifyRequest } from "./signatures/verify-request.ts";
import {
  endpointFor,
  newestVersion,
  profilePath,
  splitVersion,
  supportedVersions,
  type UcpVersion,
} from "./versions.ts";

export type { UcpAgent, UcpOptions, UcpWebhooks } from "./options.ts";
export type { AgentKey } from "./signatures/agent-keys.ts";

/** A UCP endpoint. Mount it like the API. */
export interface UcpEndpoint {
  /** Answers a request. Gives null when its path is neither the profile's nor the endpoint's. */
  readonly serve: Serve;
  /** Answers a Request with a Response. Any other path gives 404. */
  handler(request: Request, client?: { readonly ip?: string | undefined }): Promise<Response>;
}

/** The options as read, and what keeps the endpoints of agents that are told of their orders. */
interface UcpSettings extends ReadSettings {
  readonly tell: ConnectAgent | undefined;
}

interface Storefront {
  readonly serve: Serve;
  readonly checkout: Pick<CheckoutService, "expire">;
}

/**
 * Lets shopping agents find products of one store and make a checkout by the Universal Commerce
 * Protocol, versions 2026-08-25 and 2026-04-08 over REST. The buyer pays on the store's checkout
 * page. Every call passes through the API, with its limits. Throws `invalid_option` when an option
 * is wrong.
 */
export function createUcp(storefront: Storefront, options: UcpOptions): UcpEndpoint {
  checkStorefront(storefront);
  const read = readOptions(options);
  const tell = read.webhooks ? agentConnector(storefront, "ucp", read) : undefined;
  const settings = { ...read, tell };
  const { endpoint, signer, onError } = settings;
  const announced = {
    keys: signer ? [signer.publicKey] : [],
    tellsOrders: tell !== undefined,
  };
  const home = settings.cancel_url.replaceAll("{CHECKOUT_SESSION_ID}", "");
  const caching = { "cache-control": "public, max-age=300" };
  const profiles = new Map(
    supportedVersions.map((version) => [
      version,
      json(200, profileOf(endpoint, { version, ...announced }), caching),
    ]),
  );
  const showProfile = (version: UcpVersion, request: WireRequest): WireReply => {
    const profile = profiles.get(version);
    return profile && isRead(request) ? profile : refuseMethod("GET, HEAD");
  };

  const serve = servedAt([settings.path, profilePath], async (request) => {
    const { path } = splitTarget(request.target);
    if (path === profilePath) return showProfile(newestVersion, request);
    if (!path.startsWith(`${settings.path}/`)) return null;

    const { version, rest } = splitVersion(path.slice(settings.path.length));
    if (version !== newestVersion && rest === "") return showProfile(version, request);

    const refuse = (error: unknown, spoken = version): WireReply =>
      faultReply(protocolFault(error, onError), home, spoken);
    const reply = await answer(storefront, settings, request, { version, rest, refuse }).catch(
      (error: unknown) => refuse(error),
    );
    return signer ? signReply(reply, signer, settings.now()).catch(refuse) : reply;
  });
  return {
    serve,
    handler: webHandler(serve, () => faultReply(routeFault())),
  };
}

const isRead = ({ method }: WireRequest): boolean => method === "GET" || method === "HEAD";
const routeFault = () => new ProtocolFault(404, "not_found", "There is no such route.");
const refuseMethod = (allow: string): WireReply =>
  json(
    405,
    { code: "method_not_allowed", content: "The route does not take this method." },
    { allow },
  );

type Operation = (desk: Desk, id: string) => Promise<WireReply>;

// Not every agent searches, fills carts or reads orders: the first such request loads the code.
const loadCatalog = () => import("./catalog/catalog.ts");
const searchCatalog: Operation = async (desk) => (await loadCatalog()).searchCatalog(desk);
const lookUpCatalog: Operation = async (desk) => (await loadCatalog()).lookUpCatalog(desk);
const getCatalogProduct: Operation = async (desk) => (await loadCatalog()).getCatalogProduct(desk);
const getOrder: Operation = async (desk, id) => (await import("./orders.ts")).getOrder(desk, id);

const loadCarts = () => import("./carts.ts");
const createCart: Operation = async (desk) => (await loadCarts()).createCart(desk);
const getCart: Operation = async (desk, id) => (await loadCarts()).getCart(desk, id);
const updateCart: Operation = async (desk, id) => (await loadCarts()).updateCart(desk, id);
const cancelCart: Operation = async (desk, id) => (await loadCarts()).cancelCart(desk, id);

const checkout = "dev.ucp.shopping.checkout";
const lookup = "dev.ucp.shopping.catalog.lookup";

interface Route {
  readonly pattern: RegExp;
  /** The capability that an agent must have; null for what the profile does not announce. */
  readonly needs: CapabilityName | null;
  readonly methods: Readonly<Record<string, Operation>>;
}

const session = "/checkout-sessions/([^/]+)";
const at = (path: string): RegExp => new RegExp(`^${path}$`);

/** Every route below the endpoint, by its method. */
const routes: readonly Route[] = [
  {
    pattern: at("/catalog/search"),
    needs: "dev.ucp.shopping.catalog.search",
    methods: { POST: searchCatalog },
  },
  { pattern: at("/catalog/lookup"), needs: lookup, methods: { POST: lookUpCatalog } },
  { pattern: at("/catalog/product"), needs: lookup, methods: { POST: getCatalogProduct } },
  { pattern: at("/checkout-sessions"), needs: checkout, methods: { POST: createCheckout } },
  { pattern: at(session), needs: checkout, methods: { GET: getCheckout, PUT: updateCheckout } },
  { pattern: at(`${session}/complete`), needs: checkout, methods: { POST: completeCheckout } },
  { pattern: at(`${session}/cancel`), needs: checkout, methods: { POST: cancelCheckout } },
  { pattern: at("/carts"), needs: cart, methods: { POST: createCart } },
  { pattern: at("/carts/([^/]+)"), needs: cart, methods: { GET: getCart, PUT: updateCart } },
  { pattern: at("/carts/([^/]+)/cancel"), needs: cart, methods: { POST: cancelCart } },
];

/** Orders are for agents that have proved who they are. */
const orderRoute: Route = {
  pattern: at("/orders/([^/]+)"),
  needs: null,
  methods: { GET: getOrder },
};

/** Where a request goes, and in which version. */
interface Asked {
  /** The version of the address, which counts where the agent names no other. */
  readonly version: UcpVersion;
  readonly rest: string;
  /** Answers with an error in the version that is spoken. */
  readonly refuse: (error: unknown, spoken: UcpVersion) => WireReply;
}

async function answer(
  storefront: Storefront,
  settings: UcpSettings,
  request: WireRequest,
  asked: Asked,
): Promise<WireReply> {
  const isKnowing = settings.authorize ?? settings.keysOf;
  const route = [...routes, ...(isKnowing ? [orderRoute] : [])].find(({ pattern }) =>
    pattern.test(asked.rest),
  );
  if (!route) throw routeFault();

  const { pattern, methods, needs } = route;
  const run = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
  if (!run) return refuseMethod(Object.keys(methods).join(", "));

  const agent = readAgent(request.header("ucp-agent"));
  const verified = await verify(settings, agent, request);
  if (!verified && (settings.requireSignatures || (route === orderRoute && !settings.authorize)))
    signatureMissing();
  await checkAgent(settings, agent, request, verified !== null);

  const profile = await settings.profileOf?.(agent.profile);
  const version = profile ? versionOf(profile) : (agent.version ?? asked.version);
  const operate = async (): Promise<WireReply> => {
    const agreed = profile ? negotiate(profile, needs) : { version, active: null };
    if (profile && request.method !== "GET") await connectAgent(settings, agent, profile);
    const desk = { ...deskOf(storefront, settings, verified ?? request, agent), agreed };
    // Nothing has an id with a bad percent-encoding.
    return run(desk, decodePercent(pattern.exec(asked.rest)?.[1] ?? "") ?? "-");
  };
  return operate().catch((error: unknown) => asked.refuse(error, version));
}

/** Gives a signed request once it is verified, and null for one that is not judged. */
async function verify(
  { keysOf, endpoint, now }: UcpSettings,
  { profile }: Agent,
  request: WireRequest,
): Promise<WireRequest | null> {
  if (!keysOf || !isSigned(request)) return null;
  const keys = (isFresh: boolean): Promise<unknown> => keysOf(profile, isFresh);
  return verifyRequest(request, { endpoint, keys, now: now() });
}

/** Sees before an agent buys that it has an endpoint, where it is to be told of its orders. */
async function connectAgent(
  { tell, webhooks, signingKey, endpoint: main }: UcpSettings,
  { profile: name }: Agent,
  profile: PlatformProfile,
): Promise<void> {
  const url = webhookUrlOf(profile);
  if (tell && url !== null && webhooks?.agents.includes(name))
    await tell({
      name,
      url,
      endpoint: endpointFor(main, versionOf(profile)),
      secret: JSON.stringify(signingKey),
    });
}

async function checkAgent(
  { authorize }: UcpSettings,
  { profile }: Agent,
  request: WireRequest,
  signed: boolean,
): Promise<void> {
  if (!authorize) return;

  const claims = {
    profile,
    apiKey: request.header("x-api-key"),
    authorization: request.header("authorization"),
    signed,
  };
  if ((await authorize(claims)) !== true)
    throw new ProtocolFault(401, "unauthorized", "The store does not know this agent.");
}

function deskOf(
  storefront: Storefront,
  settings: UcpSettings,
  request: WireRequest,
  agent: Agent,
): Omit<Desk, "agreed"> {
  const sent = request.header("idempotency-key") ?? crypto.randomUUID();
  const { key, basePath, success_url, cancel_url } = settings;
  return {
    agent,
    request,
    success_url,
    cancel_url,
    api: storeApi(storefront.serve, basePath, key, {
      ip: request.ip,
      channel: channelOf("ucp", parseUrl(agent.profile)?.hostname),
    }),
    expire: (id, partition) => storefront.checkout.expire(id, partition),
    keyOf: async (purpose) => `ucp-${await sha256(JSON.stringify([agent.profile, purpose, sent]))}`,
  };
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
