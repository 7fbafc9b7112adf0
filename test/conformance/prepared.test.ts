import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { runStorageCase, storageSuite } from "vitrine/testing";
import { openPostgresOn } from "../support/storages.ts";

// The same statements as in storages.test.ts, but kept by each connection: `.ci/run` runs this.
describe("the storage port on postgres with prepared statements", () => {
  for (const storageCase of storageSuite) {
    test(storageCase.name, async () => {
      const { storage } = await openPostgresOn({}, { preparedStatements: true });
      await runStorageCase(storageCase, { storage, assert });
      await storage.close();
    });
  }
});
