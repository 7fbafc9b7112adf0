import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { storageSuite } from "vitrine/testing";
import { createIds } from "../../src/domain/ids.ts";
import { openPostgres, storages } from "../support/storages.ts";

const all = [...storages, ["postgres with prepared statements", () => openPostgres({ preparedStatements: true })]] as const;

describe.each(all)("the storage port on %s", (_name, open) => {
  for (const { name, run } of storageSuite) {
    test(name, async () => {
      let now = Date.UTC(2026, 0, 1);
      const clock = {
        now: () => now,
        advance(ms: number): void {
          now += ms;
        },
      };
      const newId = createIds({ now: clock.now, randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)) });
      const storage = await open();
      await run({ storage, clock, newId, assert });
      await storage.close();
    });
  }
});
