import assert from "node:assert/strict";
import type { Storage } from "vitrine";
import type { StorageCase } from "vitrine/testing";
import { createIds } from "../../src/domain/ids.ts";

/** Runs a case of the conformance suite with a clock of its own. */
export async function runStorageCase({ run }: StorageCase, storage: Storage): Promise<void> {
  let now = Date.UTC(2026, 0, 1);
  const clock = {
    now: () => now,
    advance(ms: number): void {
      now += ms;
    },
  };
  const newId = createIds({
    now: clock.now,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  });
  await run({ storage, clock, newId, assert });
}
