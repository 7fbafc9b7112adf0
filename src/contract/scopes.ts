/** What a key may do. Names are stable; new ones may appear within v1. */
export const scopes = [
  "catalog:read",
  "categories:read",
  "checkout:write",
  "orders:read",
  "webhooks:read",
] as const;
export type Scope = (typeof scopes)[number];

/** All that a publishable key can hold: it stands in front-end bundles, so never orders or events. */
export const publishableScopes = [
  "catalog:read",
  "categories:read",
  "checkout:write",
] as const satisfies readonly Scope[];
