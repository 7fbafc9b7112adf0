import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Storage } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { runStorageCase, storageSuite } from "vitrine/testing";
import { storages } from "../support/storages.ts";

/** Other tests hand over a copy of a database. Here the storage opens and migrates its own. */
async function openOwnSqlite(): Promise<Storage> {
  const storage = sqliteStorage(":memory:");
  await storage.migrate();
  return storage;
}

const opened = storages.map(
  ([name, open]) => [name, name === "sqlite" ? openOwnSqlite : open] as const,
);

describe.each(opened)("the storage port on %s", (_name, open) => {
  for (const storageCase of storageSuite) {
    test(storageCase.name, async () => {
      const storage = await open();
      await runStorageCase(storageCase, { storage, assert });
      await storage.close();
    });
  }
});
