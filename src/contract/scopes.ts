/** A key can have these permissions. Names do not change; v1 may add new ones. */
export const scopes = [
  "catalog:read",
  "categories:read",
  "checkout:write",
  "orders:read",
  "webhooks:read",
] as const;
export type Scope = (typeof scopes)[number];

/**
 * A publishable key is readable in web pages, so it never gets access to orders and
 * events.
 */
export const publishableScopes = [
  "catalog:read",
  "categories:read",
  "checkout:write",
] as const satisfies readonly Scope[];
