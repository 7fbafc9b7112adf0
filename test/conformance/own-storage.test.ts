import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import { memoryStorage, type Storage } from "vitrine";
import { runStorageCase, storageSuite } from "vitrine/testing";

/** Stands for a storage of your own. This one counts the reads of keys and leaves the rest alone. */
function countingStorage(): { storage: Storage; reads: () => number } {
  const inner = memoryStorage();
  let reads = 0;

  const access: Storage["access"] = {
    ...inner.access,
    findAccess(keyHash) {
      reads += 1;
      return inner.access.findAccess(keyHash);
    },
  };
  return { storage: { ...inner, access }, reads: () => reads };
}

// The whole suite runs on storages that share no code with memory: `map-storage.test.ts`.
const aboutAccess = storageSuite.filter(({ name }) => /\bkeys?\b/.test(name));

describe("a storage of your own", () => {
  test.each(aboutAccess)("$name", async (storageCase) => {
    const { storage } = countingStorage();
    await storage.migrate();
    await runStorageCase(storageCase, { storage, assert });
    await storage.close();
  });

  test("fails the suite when it breaks a rule", async () => {
    const { storage, reads } = countingStorage();
    const step: Storage["records"]["step"] = (subject, decide) =>
      subject.on === "api_key"
        ? storage.records.step(subject, (found) => ({ result: decide(found).result }))
        : storage.records.step(subject, decide);
    const forgetful: Storage = {
      ...storage,
      records: Object.assign(Object.create(storage.records), { step }),
    };
    const aboutKeys = storageSuite.find(({ name }) => name.startsWith("a key is found"));
    if (!aboutKeys) throw new Error("The suite has no case about keys.");

    const run = runStorageCase(aboutKeys, { storage: forgetful, assert });
    await expect(run).rejects.toThrow();
    expect(reads()).toBeGreaterThan(0);
  });
});
