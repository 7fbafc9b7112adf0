import { describe, test } from "vitest";
import { storageSuite } from "vitrine/testing";
import { runStorageCase } from "../support/storage-case.ts";
import { openPostgres, storages } from "../support/storages.ts";

const all = [
  ...storages,
  ["postgres with prepared statements", () => openPostgres({ preparedStatements: true })],
] as const;

describe.each(all)("the storage port on %s", (_name, open) => {
  for (const storageCase of storageSuite) {
    test(storageCase.name, async () => {
      const storage = await open();
      await runStorageCase(storageCase, storage);
      await storage.close();
    });
  }
});
