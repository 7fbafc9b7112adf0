import { bundleOf } from "../test/support/bundle.ts";
import { cpuSeconds, serversOf } from "./citus/cpu.ts";
import type { Purchases } from "./citus/side.ts";
import type { Work } from "./drain/work.ts";
import { run } from "./drain.ts";
import { alternate } from "./measure.ts";
import { dropDatabase, newDatabase, query } from "./postgres.ts";
import { atLeast, number, type Options, type Row } from "./row.ts";
import { startServer, withServers } from "./server.ts";

const stores = 64;
/** Citus makes 32 shards by default. */
const shards = Number(process.env["TEST_CITUS_SHARDS"] ?? 32);

/** Does the same work on the cluster of TEST_CITUS_URL and on plain PostgreSQL beside it. */
export async function benchCitus(options: Options): Promise<Row[]> {
  const cluster = process.env["TEST_CITUS_URL"];
  if (!cluster) return [];

  return [await benchCheckouts(cluster, options), await benchDrain(cluster, options)];
}

async function benchCheckouts(cluster: string, { seconds, rounds }: Options): Promise<Row> {
  const bundle = await bundleOf("bench/citus/side.ts");
  const work = { stores, atOnce: 16, seconds: seconds * 10 };
  const buy = (side: Purchases["side"], where: string) => run(bundle, { side, where, ...work });
  const servers = await serversOf(cluster);
  const spent = new Map<string, number>();
  let checkouts = 0;

  const values = await alternate(rounds, {
    PostgreSQL: () => onPlain((where) => buy("checkouts on PostgreSQL", where)),
    Citus: () =>
      inSchema(cluster, async (where) => {
        const before = [...servers].map(([name, pid]) => [name, cpuSeconds(pid)] as const);
        const perSecond = await buy("checkouts on Citus", where);
        for (const [name, at] of before)
          spent.set(name, (spent.get(name) ?? 0) + cpuSeconds(servers.get(name) ?? 0) - at);
        checkouts += perSecond * work.seconds * 1.5;
        return perSecond;
      }),
  });
  const perCheckout = [...spent].map(
    ([name, cpu]) => `${name} ${number((cpu / checkouts) * 1_000)} ms`,
  );
  return {
    work: `paid checkout, 16 at once, 64 stores in ${shards} shards`,
    unit: "per second",
    values,
    base: "PostgreSQL",
    targets: atLeast("Citus", { PostgreSQL: 0.45 }),
    note:
      "Both sides prepare their statements and share these cores. Processor time of the cluster for " +
      `a checkout, migration and opening of the stores included: ${perCheckout.join(", ")}.`,
  };
}

async function benchDrain(cluster: string, { seconds, rounds }: Options): Promise<Row> {
  const bundle = await bundleOf("bench/drain/side.ts");
  const posts = Math.round(seconds * 5_000);

  return withServers({ receiver: () => startServer("receiver.ts") }, async ({ receiver }) => {
    const origin = receiver?.url ?? "";
    const work: Work = { posts, endpoints: stores, perStore: 1, open: 64, origin };
    const asked = { work, options: {} };
    const values = await alternate(rounds, {
      PostgreSQL: () =>
        onPlain((where) => run(bundle, { side: "vitrine on PostgreSQL", where, ...asked })),
      Citus: () =>
        inSchema(cluster, (where) => run(bundle, { side: "vitrine on Citus", where, ...asked })),
    });
    return {
      work: `drain of 64 stores in ${shards} shards`,
      unit: "per second",
      values,
      base: "PostgreSQL",
      targets: atLeast("Citus", { PostgreSQL: 0.3 }),
      note: `${posts.toLocaleString("en")} signed posts of 1 KB to one endpoint of each store.`,
    };
  });
}

async function onPlain<T>(work: (url: string) => Promise<T>): Promise<T> {
  const url = await newDatabase();
  try {
    return await work(url);
  } finally {
    await dropDatabase(url);
  }
}

let schemas = 0;

async function inSchema<T>(cluster: string, work: (url: string) => Promise<T>): Promise<T> {
  const schema = `bench_${process.pid}_${++schemas}`;
  await query(cluster, `create schema ${schema}`);
  const url = new URL(cluster);
  url.searchParams.set("options", `-c search_path=${schema} -c citus.shard_count=${shards}`);
  try {
    return await work(url.href);
  } finally {
    await query(cluster, `drop schema ${schema} cascade`);
  }
}
