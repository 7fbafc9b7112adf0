// What each subpath promises: its size when it is loaded (minified, gzip, its own files without dependencies and without what it loads later),
// and what its files must never hold.
const node = /["']node:/;
const drivers = /better-sqlite3|from ?["']pg["']|kysely/;
const frameworks = /from ?["'](express|fastify|next|hono|react)/;

export const subpaths = {
  ".": { budget: 60_000, forbidden: [node, drivers, frameworks] },
  "./webhooks": { budget: 1_024, forbidden: [/\bimport\b/, /zod|kysely|jose/, node] },
  "./transport/fetch": { budget: 4_000, forbidden: [/zod|jose/, node, drivers, frameworks] },
  "./webhooks/express": { budget: 2_000, forbidden: [/zod|jose/, drivers, frameworks] },
  "./webhooks/fastify": { budget: 2_000, forbidden: [/zod|jose/, drivers, frameworks] },
  "./webhooks/next": { budget: 2_000, forbidden: [/zod|jose/, drivers, frameworks] },
  "./client": {
    budget: 2_500,
    forbidden: [/^import\b|\bimport\(|\bfrom "/m, /zod|jose/, node, drivers],
  },
  "./openapi": { budget: 16_000, forbidden: [/jose/, node, drivers] },
  "./otel": { budget: 2_000, forbidden: [/zod|jose/, drivers] },
  "./testing": { budget: 85_000, forbidden: [node, drivers, frameworks] },
  "./node": { budget: 2_000, forbidden: [/zod|jose/, drivers, frameworks] },
  "./express": { budget: 2_000, forbidden: [/zod|jose/, drivers, frameworks] },
  "./fastify": { budget: 2_500, forbidden: [/zod|jose/, drivers, frameworks] },
  "./next": { budget: 2_500, forbidden: [/zod|jose/, drivers, frameworks] },
  // The SQL builder is the user's own, and so are the drivers.
  "./sqlite": { budget: 40_000, forbidden: [frameworks, /["']pg["']/] },
  "./postgres": { budget: 40_000, forbidden: [frameworks, /better-sqlite3/] },
  "./transport": { budget: 8_000, forbidden: [/zod|jose/, drivers, frameworks] },
};

export const external = [
  "zod",
  "jose",
  "p-retry",
  "kysely",
  "pg",
  "better-sqlite3",
  "@opentelemetry/api",
];
