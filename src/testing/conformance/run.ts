import { createIds } from "../../domain/ids.ts";
import type { Storage } from "../../storage/types.ts";
import type { Assert, StorageCase } from "./case.ts";

/**
 * Runs one case of `storageSuite` on a storage that is migrated and has no rows. It
 * rejects with what `assert` throws when the storage breaks the rule;
 * `node:assert/strict` is one such `assert`. The case moves a clock of its own,
 * which starts at 1 January 2026, and leaves the storage open.
 */
export async function runStorageCase(
  { run }: StorageCase,
  { storage, assert }: { readonly storage: Storage; readonly assert: Assert },
): Promise<void> {
  let now = Date.UTC(2026, 0, 1);
  const clock = {
    now: () => now,
    advance(ms: number): void {
      now += ms;
    },
  };

  const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  const newId = createIds({ now: clock.now, randomBytes });
  await run({ storage, clock, newId, assert });
}
