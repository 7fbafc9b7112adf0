import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { runStorageCase, storageSuite } from "vitrine/testing";
import { storages } from "../support/storages.ts";

describe.each(storages)("the storage port on %s", (_name, open) => {
  for (const storageCase of storageSuite) {
    test(storageCase.name, async () => {
      const storage = await open();
      await runStorageCase(storageCase, { storage, assert });
      await storage.close();
    });
  }
});
