// What stands behind each subpath of package.json's `exports`: its source file, its budget and what
// its built files must never contain. The budget counts what one import loads at once, minified and
// gzipped, without dependencies.
import manifest from "../../package.json" with { type: "json" };

const node = /["']node:/;
const drivers = /better-sqlite3|from ?["']pg["']|kysely/;
const frameworks = /from ?["'](express|fastify|next|hono|react)/;

const rules = {
  ".": {
    source: "src/index.ts",
    budget: 62_600,
    forbidden: [node, drivers, frameworks],
  },
  "./webhooks": {
    source: "src/webhooks/verify.ts",
    budget: 1_024,
    forbidden: [/\bimport\b/, /zod|kysely|jose/, node],
  },
  "./client": {
    source: "src/client/client.ts",
    // 2.5 KB of 1,024 bytes.
    budget: 2_560,
    forbidden: [/^import\b|\bimport\(|\bfrom "/m, /zod|jose/, node, drivers],
  },
  "./money": {
    source: "src/domain/money.ts",
    budget: 700,
    forbidden: [/\bimport\b/, /zod|jose/, node],
  },
  "./webhooks/express": {
    source: "adapters/webhooks/express.ts",
    budget: 2_500,
    forbidden: [/zod|jose/, drivers, frameworks],
  },
  "./webhooks/fastify": {
    source: "adapters/webhooks/fastify.ts",
    budget: 2_000,
    forbidden: [/zod|jose/, drivers, frameworks],
  },
  "./webhooks/next": {
    source: "adapters/webhooks/next.ts",
    budget: 2_260,
    forbidden: [/zod|jose/, drivers, frameworks],
  },
  // What a host's own code names. One value is there: exportReply.
  "./owner": {
    source: "src/public/owner.ts",
    budget: 600,
    forbidden: [/zod|jose/, node, drivers, frameworks],
  },
  // Types, and what the tests of a gateway need of the sandbox.
  "./gateway": {
    source: "src/public/gateway.ts",
    budget: 8_000,
    forbidden: [/jose/, node, drivers, frameworks],
  },
  "./storage": {
    source: "src/public/storage.ts",
    budget: 19_140,
    forbidden: [/\bimport\b/, node, drivers],
  },
  "./openapi": {
    source: "src/contract/openapi/openapi.ts",
    budget: 19_000,
    forbidden: [/jose/, node, drivers],
  },
  "./testing": {
    source: "src/testing/testing.ts",
    budget: 132_000,
    forbidden: [node, drivers, frameworks],
  },
  "./node": {
    source: "adapters/http/node.ts",
    budget: 2_000,
    forbidden: [/zod|jose/, drivers, frameworks],
  },
  "./express": {
    source: "adapters/http/express.ts",
    budget: 2_048,
    forbidden: [/zod|jose/, drivers, frameworks],
  },
  "./fastify": {
    source: "adapters/http/fastify.ts",
    budget: 2_560,
    forbidden: [/zod|jose/, drivers, frameworks],
  },
  "./next": {
    source: "adapters/http/next.ts",
    budget: 2_600,
    forbidden: [/zod|jose/, drivers, frameworks],
  },
  // Kysely and the drivers are the user's own packages, so the two SQL subpaths may import them.
  "./sqlite": {
    source: "adapters/storage/sqlite.ts",
    budget: 68_000,
    forbidden: [frameworks, /["']pg["']/],
  },
  "./postgres": {
    source: "adapters/storage/postgres.ts",
    budget: 79_090,
    forbidden: [frameworks, /better-sqlite3/],
  },
  "./transport": {
    source: "adapters/transport/node.ts",
    budget: 8_780,
    forbidden: [/zod|jose/, drivers, frameworks],
  },
  "./transport/fetch": {
    source: "src/webhooks/send/fetch-transport.ts",
    budget: 5_850,
    forbidden: [/zod|jose/, node, drivers, frameworks],
  },
  "./nats": {
    source: "adapters/relay/nats.ts",
    budget: 1_500,
    forbidden: [/zod|jose/, node, drivers, frameworks],
  },
  // The host hands its client in: nothing of the package stripe is loaded.
  "./stripe": {
    source: "adapters/payments/stripe.ts",
    budget: 11_200,
    forbidden: [/zod|jose/, /from ?["']stripe/, node, drivers, frameworks],
  },
  "./pix": {
    source: "adapters/payments/pix.ts",
    // 3.4 KB of it are Pix Automático.
    budget: 15_000,
    forbidden: [/zod|jose/, drivers, frameworks],
  },
  // What draws the screens is loaded at the first request, and is not counted here.
  "./dashboard": {
    source: "src/dashboard/dashboard.ts",
    budget: 7_000,
    forbidden: [node, drivers, frameworks],
  },
  // The tools' schemas are those of the API, without the storefront behind it.
  "./mcp": {
    source: "src/agents/mcp/mcp.ts",
    budget: 16_000,
    forbidden: [node, drivers, frameworks],
  },
  "./acp": {
    source: "src/agents/acp/acp.ts",
    budget: 16_000,
    forbidden: [node, drivers, frameworks],
  },
  "./ucp": {
    source: "src/agents/ucp/ucp.ts",
    budget: 17_170,
    forbidden: [node, drivers, frameworks],
  },
  "./mail": {
    source: "src/mail/mail.ts",
    budget: 16_000,
    forbidden: [node, drivers, frameworks],
  },
  // Readers of other shops' files, with the schemas of fields and without the storefront.
  "./import": {
    source: "src/imports/import.ts",
    budget: 16_450,
    forbidden: [/jose/, node, drivers, frameworks],
  },
  // It carries the table of metrics, with their descriptions.
  "./otel": {
    source: "adapters/otel.ts",
    budget: 4_000,
    forbidden: [/zod|jose/, drivers],
  },
  // A folder for the files of owner.archive.
  "./archive": {
    source: "adapters/archive/folder.ts",
    budget: 1_000,
    forbidden: [/zod|jose/, drivers, frameworks],
  },
};

const exported = Object.entries(manifest.exports).filter(([, built]) => typeof built !== "string");

for (const path of Object.keys(rules))
  if (!(path in manifest.exports)) throw new Error(`package.json does not export ${path}.`);

/** One entry for each subpath that package.json exports. */
export const subpaths = exported.map(([path, { default: built }]) => {
  const rule = rules[path];
  if (!rule) throw new Error(`${path} has no rule in test/repository/subpaths.mjs.`);

  return {
    path,
    name: path.replace(".", manifest.name),
    entry: built.replace(/^\.\/dist\/|\.js$/g, ""),
    built,
    ...rule,
  };
});

/**
 * The entries that are built as one file each, without imports: users copy three of them to places
 * without a bundler. The rules of a storage are pure functions, and sharing them would cut what all
 * hosts load into more files.
 */
export const standalone = ["webhooks", "client", "money", "storage"];

/** The entries that share files. */
export const connected = subpaths
  .map(({ entry }) => entry)
  .filter((entry) => !standalone.includes(entry));

/**
 * The command of package.json's `bin`. It contains commander, no subpath contains it, and it takes
 * the rest of the package by its public names.
 */
export const program = {
  path: "npx vitrine",
  entry: manifest.bin.vitrine.replace(/^dist\/|\.js$/g, ""),
  built: `./${manifest.bin.vitrine}`,
  source: "adapters/cli/main.ts",
  budget: 60_000,
  // The texts of `init` name drivers and frameworks, so that only commander can be looked for.
  forbidden: [/from ?["']commander/],
  // commander is CommonJS, and asks for Node's modules by `require`.
  banner:
    'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
};

/** The packages that the built files import but do not contain. */
export const external = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
