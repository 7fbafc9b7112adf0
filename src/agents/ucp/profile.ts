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
    extends: ["dev.ucp.shopping.checkout"],
  },
} as const satisfies Readonly<Record<string, Capability>>;

export type CapabilityName = keyof typeof capabilities;

/** What both sides can do. Null stands for all of ours, where the agent's profile is not read. */
export type Active = ReadonlySet<CapabilityName> | null;

const home = `https://ucp.dev/${ucpVersion}`;

/**
 * Makes the document of `/.well-known/ucp`, with the keys of the store's signatures. There is
 * no payment handler, because the buyer pays at the store.
 */
export const profileOf = (endpoint: string, keys: readonly object[]) => ({
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
      Object.entries<Capability>(capabilities).map(([name, { spec, schema, ...more }]) => [
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
