import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { Storage } from "#core/storage/types.ts";
import { type Call, type ExitName, end } from "../../frame/command.ts";
import type { Host } from "../../frame/host.ts";
import { rateText } from "../../frame/rate.ts";

interface Result {
  readonly name: string;
  readonly fault: string | null;
}

/** Runs the suite of the storage port on an empty storage beside the configured one. */
export async function run(call: Call): Promise<ExitName> {
  const { screen, input, signal } = call;
  const host = call.host();
  await refuseStores(host, input.flag("yes"));
  const { runStorageCase, storageSuite } = await import("vitrine/testing");
  const grep = input.text("grep");
  const cases = storageSuite.filter(({ name }) => grep === undefined || name.includes(grep));

  const started = Date.now();
  const results: Result[] = [];
  for (const storageCase of cases) {
    if (signal.aborted) return "interrupted";
    const opened = await openEmpty(host);
    const fault = await runStorageCase(storageCase, { storage: opened.storage, assert }).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    await opened.close();
    results.push({ name: storageCase.name, fault });
    const ms = Date.now() - started;
    screen.progress(rateText(results.length, { of: cases.length, ms, what: "cases" }));
  }

  screen.settle();
  const failed = results.filter(({ fault }) => fault !== null);
  screen.result({ cases: results.length, failed }, () => [
    ...failed.map(({ name, fault }) => `${screen.paint.bad("✗")} ${name}\n  ${fault}`),
    `${results.length - failed.length} of ${results.length} cases passed.`,
  ]);
  return failed.length === 0 ? "done" : "failed";
}

async function refuseStores({ storefront }: Host, allowed: boolean): Promise<void> {
  if (allowed) return;
  // A database without tables has no stores either.
  const stores = await storefront.owner.stores.list({ limit: 1 }).catch(() => ({ data: [] }));
  if (stores.data.length > 0)
    end("refused", "This database has stores. The suite works beside them: say so with --yes.");
}

interface Pool {
  connect(callback: (error: Error | undefined, client: never) => void): void;
  query(text: string): Promise<unknown>;
}

/** Opens an empty storage: a schema of its own on the pool, or a database in memory. */
async function openEmpty({ database, openStorage }: Host) {
  const name = `vitrine_conformance_${randomBytes(6).toString("hex")}`;
  if (openStorage) return emptied(await openStorage(name));
  if (typeof database === "string") {
    const { sqliteStorage } = await import("vitrine/sqlite");
    return emptied(sqliteStorage(":memory:"));
  }
  if (!isPool(database))
    return end("usage", "The configuration must export `database` or `openStorage`.");

  const { postgresStorage } = await import("vitrine/postgres");
  return emptied(postgresStorage(database, { schema: name }), () =>
    database.query(`drop schema if exists ${name} cascade`),
  );
}

async function emptied(storage: Storage, after: () => Promise<unknown> = async () => {}) {
  await storage.migrate();
  const close = async (): Promise<void> => {
    await storage.close();
    await after();
  };
  return { storage, close };
}

const isPool = (database: unknown): database is Pool =>
  typeof database === "object" && database !== null && "connect" in database && "query" in database;
