import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { profileOfDrain } from "./drain.ts";
import { type Load, load } from "./load.ts";
import { dropDatabase, newDatabase } from "./postgres.ts";
import type { Options, Row } from "./row.ts";
import { type Served, startServer, withServers } from "./server.ts";
import { profileOfVerify } from "./verify.ts";
import { type Work, works } from "./works.ts";

/** Profiles the library with V8's profiler in the server's process, with caches off by default. */
export async function benchProfile(options: Options): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const database = await newDatabase();
  const settings = { kind: "sqlite", where: join(folder, "cold.sqlite"), caches: false };
  const memory = "memory, caches on";
  const starts = {
    [memory]: () => startServer("adapter.ts", { host: "node:http", route: "adapter" }),
    "SQLite, caches off": () => startServer("vitrine.ts", settings),
    "SQLite, caches on": () =>
      startServer("vitrine.ts", { ...settings, where: join(folder, "warm.sqlite"), caches: true }),
    "PostgreSQL, caches off": () =>
      startServer("vitrine.ts", { kind: "postgres", where: database, caches: false }),
  };
  try {
    return await withServers(starts, async (servers) => {
      const rows: Row[] = [];
      for (const [where, server] of Object.entries(servers).filter(([name]) => name !== memory))
        for (const work of Object.keys(works) as Work[])
          rows.push(await profiled(work, where, server, works[work](server, options.seconds)));
      const store: Load = { paths: ["/store"], seconds: options.seconds, status: 200 };
      rows.push(await profiled("GET /store", memory, servers[memory] as Served, store));
      rows.push(
        rowOf("drain on PostgreSQL, one endpoint, its sender", await profileOfDrain(options)),
      );
      return [...rows, rowOf("verify 1 KB and parse", await profileOfVerify(options))];
    });
  } finally {
    await dropDatabase(database);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function profiled(work: string, where: string, server: Served, asked: Load): Promise<Row> {
  await load(server, asked); // V8 compiles before the profile begins.
  const stop = await server.profile();
  await load(server, asked);
  const values = await stop();
  process.stderr.write(".");
  return rowOf(`${work}, ${where}`, values);
}

const rowOf = (work: string, values: Readonly<Record<string, number>>): Row => ({
  work: `own time of functions: ${work}`,
  unit: "%",
  values,
  base: Object.keys(values)[0] ?? "",
});
