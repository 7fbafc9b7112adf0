import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { bareLoop } from "./drain/bare.ts";
import { handWrittenBatch } from "./drain/batch.ts";
import { graphileWorker } from "./drain/graphile.ts";
import { vitrineDrain } from "./drain/vitrine.ts";
import type { Work } from "./drain/work.ts";
import { postgresFill, sqliteFill } from "./fill.ts";
import { alternate } from "./measure.ts";
import { dropDatabase, newDatabase } from "./postgres.ts";
import { atLeast, type Options, type Row } from "./row.ts";
import { startServer, withServers } from "./server.ts";

const wanted = 5_000;

/** Signed posts of one kilobyte to a receiver in a process of its own, every side in this one; a fresh database for each. */
export async function benchDrain({ seconds, rounds }: Options): Promise<Row[]> {
  const posts = Math.min(wanted, Math.round(seconds * wanted));
  return withServers({ receiver: () => startServer("receiver.ts") }, async ({ receiver }) => {
    const origin = receiver?.url ?? "";
    const one: Work = { posts, endpoints: 1, open: 32, origin };
    const hundred: Work = { posts, endpoints: 100, open: 64, origin }; // 64 is a drain's own default
    const rows: Row[] = [];
    for (const [work, options, name] of [
      [one, { perEndpointConcurrency: 32 }, "one endpoint, 32 open"],
      [hundred, {}, "100 endpoints, 64 open"],
    ] as const) {
      const values = await alternate(rounds, {
        vitrine: () => onPostgres(async (url) => vitrineOnPostgres(url, work, options)),
        "graphile-worker": () => onPostgres((url) => graphileWorker(url, work)),
        "bare loop": () => bareLoop(work),
      });
      rows.push({
        ...rowOf(`PostgreSQL, ${name}`, posts),
        values,
        base: "graphile-worker",
        targets: atLeast("vitrine", { "graphile-worker": 1.3 }),
      });
    }
    const values = await alternate(rounds, {
      vitrine: () => onSqlite((file) => vitrineDrain(sqliteStorage(file), sqliteFill(file), one, { perEndpointConcurrency: 32 })),
      "hand-written batch": () => onSqlite((file) => handWrittenBatch(file, one)),
      "bare loop": () => bareLoop(one),
    });
    const targets = atLeast("vitrine", { "hand-written batch": 0.5 });
    return [...rows, { ...rowOf("SQLite, one endpoint, 32 open", posts), values, base: "hand-written batch", targets }];
  });
}

const rowOf = (where: string, posts: number): Pick<Row, "work" | "unit" | "note"> => ({
  work: `drain on ${where}`,
  unit: "per second",
  note: `${posts.toLocaleString("en")} signed posts of 1 KB. vitrine and the hand-written batch log each attempt; graphile-worker and the bare loop do not.`,
});

async function vitrineOnPostgres(url: string, work: Work, options: { perEndpointConcurrency?: number }): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  pool.on("error", () => {}); // the database may be dropped before the last connection has said farewell
  const fill = await postgresFill(url);
  try {
    return await vitrineDrain(postgresStorage(pool, { preparedStatements: true }), fill, work, options);
  } finally {
    await fill.close();
    await pool.end();
  }
}

async function onPostgres(run: (url: string) => Promise<number>): Promise<number> {
  const url = await newDatabase();
  try {
    return await run(url);
  } finally {
    await dropDatabase(url);
  }
}

async function onSqlite(run: (file: string) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  try {
    return await run(join(folder, "drain.sqlite"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
