import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { runStorageCase, storageSuite } from "vitrine/testing";
import { openCitus } from "./storages.ts";

const all = [
  ["plain statements", {}],
  ["prepared statements", { preparedStatements: true }],
] as const;

describe.each(all)("the storage port on Citus with %s", (_name, options) => {
  for (const storageCase of storageSuite) {
    test(storageCase.name, async () => {
      const storage = await openCitus(options);
      await runStorageCase(storageCase, { storage, assert });
      await storage.close();
    });
  }
});
