import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { runStorageCase, storageSuite } from "vitrine/testing";
import { openPostgres, storages } from "../support/storages.ts";

const all = [
  ...storages,
  ["postgres with prepared statements", () => openPostgres({ preparedStatements: true })],
] as const;

describe.each(all)("the storage port on %s", (_name, open) => {
  for (const storageCase of storageSuite) {
    test(storageCase.name, async () => {
      const storage = await open();
      await runStorageCase(storageCase, { storage, assert });
      await storage.close();
    });
  }
});
