/** The version of the Universal Commerce Protocol that is spoken. */
export const ucpVersion = "2026-08-25";

/** The service's endpoint speaks these versions. */
export const supportedVersions: readonly string[] = [ucpVersion];

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

/** What both sides can do. Null stands for all of ours, where the agent's profile is not read. */
export type Active = ReadonlySet<CapabilityName> | null;

/** A checkout may begin as a cart. */
export const cart = "dev.ucp.shopping.cart";
/** The extension that an agent may speak besides carts and checkouts. */
export const discount = "dev.ucp.shopping.discount";

export const isActive = (active: Active, name: CapabilityName): boolean =>
  active === null || active.has(name);

const home = `https://ucp.dev/${ucpVersion}`;

interface Announced {
  readonly keys: readonly object[];
  /** True means that agents are told of their orders. */
  readonly tellsOrders: boolean;
}

/**
 * Makes the document of `/.well-known/ucp`, with the keys of the store's signatures. There is
 * no payment handler, because the buyer pays at the store.
 */
export const profileOf = (endpoint: string, { keys, tellsOrders }: Announced) => ({
  ucp: {
    version: ucpVersion,
    services: {
      "dev.ucp.shopping": [
        {
          version: ucpVersion,
          spec: `${home}/specification/overview`,
          transport: "rest",
          schema: `${home}/services/shopping/rest.openapi.json`,
          endpoint,
        },
      ],
    },
    capabilities: Object.fromEntries(
      Object.entries<Capability>({
        ...capabilities,
        ...(tellsOrders && { [orderCapability]: orders }),
      }).map(([name, { spec, schema, ...more }]) => [
        name,
        [
          {
            version: ucpVersion,
            spec: `${home}/specification/${spec}`,
            schema: `${home}/schemas/${schema}`,
            ...more,
          },
        ],
      ]),
    ),
    payment_handlers: {},
  },
  ...(keys.length > 0 && { keys }),
});
