import { hostFiles } from "./host-files.ts";
import type { DatabaseName, HostName } from "./names.ts";

/** What a new project is made of. */
export interface Plan {
  readonly host: HostName;
  readonly database: DatabaseName;
  readonly port: number;
  readonly sealKey: string;
  /** What package.json says to get this package. */
  readonly range: string;
}

/** Gives the files of a new project, by their paths. */
export const projectFiles = (plan: Plan): Readonly<Record<string, string>> => ({
  "shop.mjs": shopFile(plan.database),
  "vitrine.config.mjs": configFile(plan.database),
  ".env": envFile(plan),
  ...hostFiles(plan.host),
});

const storageLines = {
  sqlite: `import { sqliteStorage } from "vitrine/sqlite";`,
  postgres: `import pg from "pg";\nimport { postgresStorage } from "vitrine/postgres";`,
};

const databaseLines = {
  sqlite: `export const database = process.env.SQLITE_FILE ?? "shop.sqlite";`,
  postgres: `export const database = new pg.Pool({ connectionString: process.env.DATABASE_URL });
database.on("error", (error) => console.error("PostgreSQL:", error.message));`,
};

const shopFile = (database: DatabaseName): string => `import { existsSync } from "node:fs";
import { createStorefront, sandboxGateway } from "vitrine";
${storageLines[database]}
import { nodeTransport } from "vitrine/transport";

if (existsSync(".env")) process.loadEnvFile(".env");

${databaseLines[database]}

export const storefront = createStorefront({
  storage: ${database === "sqlite" ? "sqliteStorage" : "postgresStorage"}(database),
  publicUrl: process.env.PUBLIC_URL,
  gateways: [sandboxGateway()],
  transport: nodeTransport(),
  sealKey: Buffer.from(process.env.SEAL_KEY ?? "", "base64"),
  healthz: true,
  readyz: true,
  requestLog: {},
  onAlert: (alert) => console.error("Alert:", alert.type, alert.subject),
  onError: (error, where) => console.error(\`Error in \${where}:\`, error),
});

/** Sends webhooks and runs maintenance for as long as the host runs. */
export async function work(signal) {
  await storefront.migrate();
  const maintain = () => storefront.runMaintenance({ signal }).catch(console.error);
  setInterval(maintain, 60_000).unref();
  return storefront.runWebhookLoop({ signal });
}
`;

const configFile = (database: DatabaseName): string =>
  database === "sqlite"
    ? `// \`npx vitrine\` opens the host by this file.
export { database, storefront } from "./shop.mjs";
`
    : `// \`npx vitrine\` opens the host by this file.
import { database } from "./shop.mjs";
export { database, storefront } from "./shop.mjs";
export const close = () => database.end();
`;

const envFile = ({ database, port, sealKey }: Plan): string => `# Secrets: git ignores this file.
PUBLIC_URL=http://localhost:${port}
PORT=${port}
# Seals webhook secrets and checkout addresses. Keep it: without it nobody can read them.
SEAL_KEY=${sealKey}
${database === "sqlite" ? "SQLITE_FILE=shop.sqlite" : "DATABASE_URL=postgres://localhost/shop"}
`;

const hostPackages: Readonly<Record<HostName, Readonly<Record<string, string>>>> = {
  express: { express: "^5.1.0" },
  fastify: { fastify: "^5.0.0" },
  next: { next: "^16.0.0", react: "^19.0.0", "react-dom": "^19.0.0" },
  hono: { hono: "^4.6.0", "@hono/node-server": "^1.13.0" },
  node: {},
};

/** Gives what package.json needs for the host, without what it has already. */
export const manifestFor = ({ host, database, port, range }: Plan) => ({
  type: "module",
  scripts: {
    start: host === "next" ? `next dev --port ${port}` : "node server.mjs",
    seed: "vitrine seed",
  },
  dependencies: {
    vitrine: range,
    kysely: "^0.28.8",
    ...(database === "postgres" && { pg: "^8.11.0" }),
    ...hostPackages[host],
  },
  // From Node 22.16 on, SQLite works without it.
  optionalDependencies: database === "sqlite" ? { "better-sqlite3": "^12.0.0 || ^13.0.0" } : {},
});
