/** What `init` can mount a storefront in, and where it can store. */
export const hostNames = ["express", "fastify", "next", "hono", "node"] as const;
export type HostName = (typeof hostNames)[number];
export const databaseNames = ["sqlite", "postgres"] as const;
export type DatabaseName = (typeof databaseNames)[number];
