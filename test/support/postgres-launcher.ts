import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { type PostgresServer, startServer } from "./postgres-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The address that `postgresUrl()` asks; the first request starts PostgreSQL. */
    readonly postgresLauncher: string;
    /** The start of the name of every schema that the run makes. */
    readonly schemaPrefix: string;
  }
}

/**
 * The global setup of Vitest: a run has one real PostgreSQL. It starts when the first test file
 * asks for it and stops when the run ends. TEST_DATABASE_URL names another server to use.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["TEST_DATABASE_URL"];
  const prefix = `vitrine_test_${process.pid}_`;
  let started: Promise<PostgresServer> | undefined;

  const urlOfServer = async (way: string | undefined): Promise<string> => {
    if (given) return given;
    started ??= startServer();
    const { url, socketUrl } = await started;
    return way === "/socket" ? socketUrl : url;
  };

  const launcher = createServer((request, response) => {
    urlOfServer(request.url).then(
      (url) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  launcher.listen(0, "127.0.0.1");
  await once(launcher, "listening");

  const { port } = launcher.address() as AddressInfo;
  project.provide("postgresLauncher", `http://127.0.0.1:${port}`);
  project.provide("schemaPrefix", prefix);

  return async () => {
    launcher.close();
    launcher.closeAllConnections();
    if (given) await dropSchemas(given, prefix);
    const server = await started?.catch(() => undefined);
    await server?.stop();
  };
}

async function dropSchemas(url: string, prefix: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    "select nspname from pg_namespace where starts_with(nspname, $1)",
    [prefix],
  );
  for (const { nspname } of rows) await client.query(`drop schema "${nspname}" cascade`);
  await client.end();
}
