import { memoryStorage, type Storage } from "vitrine";

/** Stands for `test/support/storages.ts` under Stryker, which needs tests that take milliseconds. */
export const storages: readonly (readonly [name: string, open: () => Promise<Storage>])[] = [
  ["memory", async () => memoryStorage()],
];
