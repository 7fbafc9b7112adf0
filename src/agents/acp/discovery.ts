/** The versions of the protocol that are answered, the oldest first. */
export const supportedVersions = ["2026-01-30", "2026-04-17"] as const;

export type AcpVersion = (typeof supportedVersions)[number];

/** The one extension that is spoken: discount codes. */
export const discountExtension = "discount";

/** Tells agents what is answered here, and where. No fact of the store is in it. */
export const discoveryOf = (endpoint: string) => ({
  protocol: {
    name: "acp",
    version: supportedVersions.at(-1),
    supported_versions: supportedVersions,
  },
  api_base_url: endpoint,
  transports: ["rest"],
  capabilities: { services: ["checkout"], extensions: [{ name: discountExtension }] },
});
