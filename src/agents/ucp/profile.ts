import {
  endpointFor,
  newestVersion,
  olderVersions,
  type UcpVersion,
  ucpVersions,
} from "./versions.ts";

interface Capability {
  /** The path of its text below `specification/`, and of its schema below `schemas/`. */
  readonly spec: string;
  readonly schema: string;
  readonly extends?: readonly string[];
}

/** What the store can do for an agent. What is not here is not done. */
export const capabilities = {
  "dev.ucp.shopping.checkout": { spec: "shopping/checkout", schema: "shopping/checkout.json" },
  "dev.ucp.shopping.cart": { spec: "shopping/cart", schema: "shopping/cart.json" },
  "dev.ucp.shopping.catalog.search": {
    spec: "shopping/catalog/search",
    schema: "shopping/catalog_search.json",
  },
  "dev.ucp.shopping.catalog.lookup": {
    spec: "shopping/catalog/lookup",
    schema: "shopping/catalog_lookup.json",
  },
  "dev.ucp.shopping.discount": {
    spec: "discount",
    schema: "shopping/discount.json",
    extends: ["dev.ucp.shopping.checkout", "dev.ucp.shopping.cart"],
  },
} as const satisfies Readonly<Record<string, Capability>>;

/** Orders are announced only with their webhooks, which the protocol wants. */
export const orderCapability = "dev.ucp.shopping.order";
const orders: Capability = { spec: "shopping/order", schema: "shopping/order.json" };

export type CapabilityName = keyof typeof capabilities;

/** What both sides have agreed on. */
export interface Agreed {
  readonly version: UcpVersion;
  /** What both can do. Null stands for all of ours, where the agent's profile is not read. */
  readonly active: ReadonlySet<CapabilityName> | null;
}

/** A checkout may begin as a cart. */
export const cart = "dev.ucp.shopping.cart";
/** The extension that an agent may speak besides carts and checkouts. */
export const discount = "dev.ucp.shopping.discount";

export const isActive = ({ active }: Agreed, name: CapabilityName): boolean =>
  active === null || active.has(name);

interface Announced {
  readonly version: UcpVersion;
  readonly keys: readonly object[];
  /** True means that agents are told of their orders. */
  readonly tellsOrders: boolean;
}

/**
 * Makes the document of `/.well-known/ucp`, or that of an older version. The keys in it verify the
 * store's signatures. It names no payment handler, because the buyer pays at the store.
 */
export function profileOf(endpoint: string, { version, keys, tellsOrders }: Announced) {
  const home = `https://ucp.dev/${version}`;
  const facts = ucpVersions[version];
  const older = version === newestVersion ? olderVersions : [];

  const capability = ({ spec, schema, ...more }: Capability) => ({
    version,
    spec: `${home}/specification/${spec.replace(/^shopping\//, facts.folder)}`,
    schema: `${home}/schemas/${schema}`,
    ...more,
  });
  const announced: Readonly<Record<string, Capability>> = {
    ...capabilities,
    ...(tellsOrders && { [orderCapability]: orders }),
  };

  return {
    ucp: {
      version,
      ...(older.length > 0 && {
        supported_versions: Object.fromEntries(
          older.map((each) => [each, endpointFor(endpoint, each)]),
        ),
      }),
      services: {
        "dev.ucp.shopping": [
          {
            version,
            spec: `${home}/specification/overview`,
            transport: "rest",
            schema: `${home}/services/shopping/rest.openapi.json`,
            endpoint: endpointFor(endpoint, version),
          },
        ],
      },
      capabilities: Object.fromEntries(
        Object.entries(announced).map(([name, each]) => [name, [capability(each)]]),
      ),
      payment_handlers: {},
    },
    ...(keys.length > 0 && { [facts.keys]: keys }),
  };
}
