import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./load.ts";
import { dropDatabase, newDatabase } from "./postgres.ts";
import type { Options, Row } from "./row.ts";
import { type Served, startServer, withServers } from "./server.ts";
import { works } from "./works.ts";

const mebibyte = 2 ** 20;

/** Measures the peak resident set of a server's process under the list load and nothing else. */
export async function benchMemory(options: Options): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const databases: string[] = [];
  // One process fills the shop and the next one serves it, so that the heap holds no leftovers.
  const restarted = async (file: string, settings: object): Promise<Served> => {
    const filler = await startServer(file, settings);
    await filler.stop();
    const { key, slugs, product_ids } = filler;
    return startServer(file, {
      ...settings,
      filled: { key, slugs: slugs.slice(0, 1), product_ids: product_ids.slice(0, 1) },
    });
  };
  const onSqlite = (file: string): Promise<Served> =>
    restarted(file, { kind: "sqlite", where: join(folder, `${file}.sqlite`), caches: true });
  const onPostgres = async (file: string): Promise<Served> => {
    const where = await newDatabase();
    databases.push(where);
    return restarted(file, { kind: "postgres", where, caches: true });
  };
  try {
    return [
      await memoryOf("SQLite", onSqlite, options),
      await memoryOf("PostgreSQL", onPostgres, options),
    ];
  } finally {
    for (const database of databases) await dropDatabase(database);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function memoryOf(
  storage: string,
  start: (file: string) => Promise<Served>,
  { seconds, rounds }: Options,
): Promise<Row> {
  const starts = {
    vitrine: () => start("vitrine.ts"),
    limit: () => start("limit.ts"),
    "by hand": () => start("by-hand.ts"),
  };
  const values = await withServers(starts, async (servers) => {
    const highest: Record<string, number> = {};
    for (const [name, server] of Object.entries(servers)) {
      const samples: number[] = [];
      for (let at = 0; at < rounds * 2; at++) {
        await load(server, works["GET /products?limit=20"](server, seconds / 2));
        samples.push((await server.usage()).rss / mebibyte);
      }
      highest[name] = Math.max(...samples);
      process.stderr.write(".");
    }
    return highest;
  });
  const targets = [{ side: "vitrine", base: "by hand", atMost: 1 }];
  return {
    work: `resident memory under the list load, ${storage}`,
    unit: "MB",
    values,
    base: "by hand",
    targets,
  };
}
