import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import { memoryStorage, type Storage } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { runStorageCase, storageSuite } from "vitrine/testing";
import { readText } from "../support/markdown.ts";

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

  test("the cases stand in the parts of docs/storages.md, which names each", () => {
    const parts = [...new Set(storageSuite.map(({ part }) => part))];
    expect(parts).toHaveLength(6);
    const guide = readText("docs/storages.md").replace(/\s+/g, " ");
    expect(guide).toContain(parts.slice(0, -1).join(", "));
    expect(storageSuite.filter(({ part }) => part === parts[1]).length).toBeGreaterThan(20);
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
    const run = runStorageCase(caseOf("a key is found"), { storage: forgetful, assert });
    await expect(run).rejects.toThrow();
    expect(reads()).toBeGreaterThan(0);
  });

  test("a failure tells the last calls: the method, its arguments and what it gave", async () => {
    const inner = sqliteStorage(":memory:");
    await inner.migrate();
    // The planted fault: a key that is exactly a day old stays.
    const storage: Storage = Object.freeze({
      ...inner,
      purge: (now: number, limit: number) => inner.purge(now - 1, limit),
    });
    const aboutPurge = caseOf("a purge deletes idempotency keys");

    const failure: unknown = await runStorageCase(aboutPurge, { storage, assert }).catch(
      (error: unknown) => error,
    );
    assert(failure instanceof assert.AssertionError);
    const lines = failure.message.split("\n");
    expect(lines.at(-1)).toBe(`purge(${Date.UTC(2026, 0, 2)}, 100) → 0`);
    expect(lines.at(-2)).toMatch(
      /^checkout\.step\(\{.*"step":"createSession".*, ƒ\) → \{"outcome":/,
    );
    expect(failure.stack).toContain("The last calls of the storage:");
    expect(lines.every((line) => line.length < 600)).toBe(true);
    await inner.close();
  });

  test("a failure tells a call that threw, and one that has not ended", async () => {
    const inner = memoryStorage();
    const access = Object.create(inner.access) as Storage["access"];
    access.raiseAlert = () => Promise.reject(new Error("The disk is full."));
    const storage: Storage = { ...inner, access };

    const run = runStorageCase(caseOf("twenty concurrent raises"), { storage, assert });
    await expect(run).rejects.toThrow(/access\.raiseAlert\(\{.*\) threw Error: The disk is full\./);
  });
});

/** Gives the case whose name begins so. */
function caseOf(name: string) {
  const found = storageSuite.find((storageCase) => storageCase.name.startsWith(name));
  assert(found, `The suite has no case "${name}".`);
  return found;
}
