import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { postgresUrl } from "../support/postgres-url.ts";
import { newProject, type Project, sqliteHost } from "./project.ts";

const hostProgram = `import { createServer } from "node:http";
import { toNode } from "vitrine/node";
import { storefront } from "./vitrine.config.mjs";
const handle = toNode(storefront);
createServer((q, s) => handle(q, s, () => s.writeHead(404).end())).listen(process.env.PORT, () =>
  console.log("listening"));
`;

/** The same on PostgreSQL, by DATABASE_URL and SCHEMA. */
export const postgresHost = sqliteHost
  .replace(
    'import { sqliteStorage } from "vitrine/sqlite";',
    'import pg from "pg";\nimport { postgresStorage } from "vitrine/postgres";',
  )
  .replace(
    /export const database = .*/,
    "export const database = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 });\nexport const schema = process.env.SCHEMA;\nexport const close = () => database.end();",
  )
  .replace("sqliteStorage(database)", "postgresStorage(database, { schema })");

let schemas = 0;

/**
 * Makes a project whose host serves a seeded store, by `node host.mjs` on the port PORT.
 * `options` stands among those of createStorefront.
 */
export async function openShop(kind: "sqlite" | "postgres", options = "") {
  const project = await newProject();
  const env: Record<string, string> = {};
  if (kind === "postgres") {
    env["DATABASE_URL"] = await postgresUrl();
    schemas += 1;
    env["SCHEMA"] = `cli_${process.pid}_${schemas}`;
  }
  const host = kind === "sqlite" ? sqliteHost : postgresHost;
  project.write("vitrine.config.mjs", host.replace("requestLog", `${options}\n  requestLog`));
  project.write("host.mjs", hostProgram);
  await project.json("migrate --yes", { env });
  const seeded = await project.json("seed", { env });
  return { project, env, seeded };
}

/** Reads the files that the command keeps for itself. Each is its user's own. */
export const stateFiles = ({ folder }: Project): readonly string[] =>
  readdirSync(join(folder, ".vitrine")).map((name) => {
    const file = join(folder, ".vitrine", name);
    expect([name, statSync(file).mode & 0o777]).toEqual([name, 0o600]);
    return readFileSync(file, "utf8");
  });

/** Reads what the one listener of the project keeps. */
export function listenerState({ folder }: Project): {
  readonly secret: string;
  readonly cursor: string;
} {
  const name = readdirSync(join(folder, ".vitrine")).find((each) => each.startsWith("listen-"));
  return JSON.parse(readFileSync(join(folder, ".vitrine", name ?? ""), "utf8"));
}
