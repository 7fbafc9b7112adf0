import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleOf } from "../test/support/bundle.ts";
import type { Purchases } from "./citus/side.ts";
import type { Asked } from "./drain/side.ts";
import type { Work } from "./drain/work.ts";
import { alternate } from "./measure.ts";
import { dropDatabase, newDatabase } from "./postgres.ts";
import { atLeast, type Options, type Row } from "./row.ts";
import { startServer, withServers } from "./server.ts";

/**
 * Sends signed posts of one kilobyte to a receiver in a process of its own. Each side is a fresh
 * process, bundled as a host deploys it, with a fresh database.
 */
export async function benchDrain({ seconds, rounds, large }: Options): Promise<Row[]> {
  const posts = large ? 20_000 : Math.round(Math.min(1, seconds) * 12_500);
  const bundle = await bundleOf("bench/drain/side.ts");
  const start = (side: Asked["side"], where: string, work: Work, given: Asked["options"] = {}) =>
    run(bundle, { side, where, work, options: given });
  return withServers({ receiver: () => startServer("receiver.ts") }, async ({ receiver }) => {
    const origin = receiver?.url ?? "";
    const one: Work = { posts, endpoints: 1, open: 32, origin };
    // A drain opens 64 posts by default.
    const hundred: Work = { posts, endpoints: 100, open: 64, origin };
    const rows: Row[] = [];
    for (const [work, options, name] of [
      [one, { perEndpointConcurrency: 32 }, "one endpoint, 32 open"],
      [hundred, {}, "100 endpoints, 64 open"],
    ] as const) {
      const measured = await alternate(rounds, {
        vitrine: () => onPostgres((url) => start("vitrine on PostgreSQL", url, work, options)),
        "graphile-worker": () => onPostgres((url) => start("graphile-worker", url, work)),
        "bare loop": () => start("bare loop", "", work),
      });
      rows.push({
        ...rowOf(`PostgreSQL, ${name}`, posts),
        ...measured,
        base: "graphile-worker",
        targets: atLeast("vitrine", { "graphile-worker": 1.3 }),
      });
    }
    const measured = await alternate(rounds, {
      vitrine: () =>
        onSqlite((file) => start("vitrine on SQLite", file, one, { perEndpointConcurrency: 32 })),
      "hand-written batch": () => onSqlite((file) => start("hand-written batch", file, one)),
    });
    const targets = atLeast("vitrine", { "hand-written batch": 0.5 });
    return [
      ...rows,
      {
        ...rowOf("SQLite, one endpoint, 32 open", posts),
        ...measured,
        base: "hand-written batch",
        targets,
      },
    ];
  });
}

const rowOf = (where: string, posts: number): Pick<Row, "work" | "unit" | "note"> => ({
  work: `drain on ${where}`,
  unit: "per second",
  note:
    `${posts.toLocaleString("en")} signed posts of 1 KB. vitrine and the hand-written batch log ` +
    "each attempt; graphile-worker and the bare loop do not.",
});

/** Profiles the time of the sender itself, without its waits for the database and the receiver. */
export async function profileOfDrain({ seconds }: Options): Promise<Record<string, number>> {
  const bundle = await bundleOf("bench/drain/side.ts");
  return withServers({ receiver: () => startServer("receiver.ts") }, ({ receiver }) => {
    const work: Work = {
      posts: Math.round(Math.min(1, seconds) * 12_500),
      endpoints: 1,
      open: 32,
      origin: receiver?.url ?? "",
    };
    const asked = {
      side: "vitrine on PostgreSQL",
      work,
      options: { perEndpointConcurrency: 32 },
      profile: true,
    } as const;
    return onPostgres((where) => run<Record<string, number>>(bundle, { ...asked, where }));
  });
}

/** Runs a side in a process of its own. */
export async function run<T = number>(bundle: string, asked: Asked | Purchases): Promise<T> {
  const child = fork(bundle, [JSON.stringify(asked)], {
    execArgv: [],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const ended = once(child, "exit").then(([code]): never => {
    throw new Error(`${asked.side} ended with ${code}.`);
  });
  const [answer] = await Promise.race([once(child, "message"), ended]);
  await ended.catch(() => {});
  return answer as T;
}

async function onPostgres<T>(run: (url: string) => Promise<T>): Promise<T> {
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
