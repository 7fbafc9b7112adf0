import { memoryStorage, type Storage } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";

/** Every storage that the suites run on; each call gives a fresh one. */
export const storages: readonly (readonly [name: string, open: () => Promise<Storage>])[] = [
  ["memory", async () => memoryStorage()],
  [
    "sqlite",
    async () => {
      const storage = sqliteStorage(":memory:");
      await storage.migrate();
      return storage;
    },
  ],
];
