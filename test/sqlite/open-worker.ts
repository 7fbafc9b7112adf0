// A process of a platform that starts beside others: it opens each new file that it is told.
import { sqliteStorage } from "vitrine/sqlite";

process.on("message", async (path: string) => {
  try {
    const storage = sqliteStorage(path);
    await storage.migrate();
    await storage.close();
    process.send?.("opened");
  } catch (error) {
    process.send?.(String(error));
  }
});
process.send?.("ready");
