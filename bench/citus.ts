import { bundleOf } from "../test/support/bundle.ts";
import type { Purchased, Purchases } from "./citus/side.ts";
import type { Work } from "./drain/work.ts";
import { run } from "./drain.ts";
import { alternate, median } from "./measure.ts";
import { dropDatabase, newDatabase, query } from "./postgres.ts";
import { atLeast, number, type Options, type Row } from "./row.ts";
import { startServer, withServers } from "./server.ts";

const stores = 64;
/** How many buyers pay at the same time. */
const atOnce = 16;
/** Citus makes 32 shards by default. */
const shards = Number(process.env["TEST_CITUS_SHARDS"] ?? 32);
/**
 * A plain PostgreSQL of the cluster's version and settings. Without it the cluster is
 * compared with the newer PostgreSQL of the other benches.
 */
const plain = process.env["TEST_PLAIN_URL"];

/** Does the same work on the cluster of TEST_CITUS_URL and on plain PostgreSQL beside it. */
export async function benchCitus(options: Options): Promise<Row[]> {
  const cluster = process.env["TEST_CITUS_URL"];
  if (!cluster) return [];

  return [await benchCheckouts(cluster, options), await benchDrain(cluster, options)];
}

async function benchCheckouts(cluster: string, { seconds, rounds }: Options): Promise<Row> {
  const bundle = await bundleOf("bench/citus/side.ts");
  // A connection learns the tables of each shard at its first purchases there, and a node keeps the
  // plan of a statement from its sixth run. A pool that has run for a minute knows them all, so that
  // they are no part of the measurement.
  const warmUp = atOnce * (shards * 2 + 20);
  const work = { stores, atOnce, warmUp, seconds: seconds * 10 };
  const buy = (side: Purchases["side"], where: string): Promise<Purchased> =>
    run(bundle, { side, where, ...work });
  const spent: Purchased["cpu"][] = [];

  const measured = await alternate(rounds, {
    PostgreSQL: () =>
      onPlain(async (where) => (await buy("checkouts on PostgreSQL", where)).perSecond),
    Citus: () =>
      inSchema(cluster, async (where) => {
        const { perSecond, cpu } = await buy("checkouts on Citus", where);
        spent.push(cpu);
        return perSecond;
      }),
  });
  const cpuOf = (name: string): number => median(spent.map((cpu) => cpu[name] ?? 0));
  const perCheckout = Object.keys(spent[0] ?? {}).map(
    (name) => `${name} ${number(cpuOf(name))} ms`,
  );
  return {
    work: `paid checkout, ${atOnce} at once, ${stores} stores in ${shards} shards`,
    unit: "per second",
    ...measured,
    base: "PostgreSQL",
    targets: atLeast("Citus", { PostgreSQL: 0.45 }),
    note:
      `Both sides prepare their statements, make ${warmUp} checkouts first, and share these cores. ` +
      `Processor time of a checkout: ${perCheckout.join(", ")}.`,
  };
}

async function benchDrain(cluster: string, { seconds, rounds }: Options): Promise<Row> {
  const bundle = await bundleOf("bench/drain/side.ts");
  const posts = Math.round(seconds * 5_000);

  return withServers({ receiver: () => startServer("receiver.ts") }, async ({ receiver }) => {
    const origin = receiver?.url ?? "";
    const work: Work = { posts, endpoints: stores, perStore: 1, open: 64, origin };
    const asked = { work, options: {} };
    const measured = await alternate(rounds, {
      PostgreSQL: () =>
        onPlain((where) => run(bundle, { side: "vitrine on PostgreSQL", where, ...asked })),
      Citus: () =>
        inSchema(cluster, (where) => run(bundle, { side: "vitrine on Citus", where, ...asked })),
    });
    return {
      work: `drain of 64 stores in ${shards} shards`,
      unit: "per second",
      ...measured,
      base: "PostgreSQL",
      targets: atLeast("Citus", { PostgreSQL: 0.3 }),
      note: `${posts.toLocaleString("en")} signed posts of 1 KB to one endpoint of each store.`,
    };
  });
}

async function onPlain<T>(work: (url: string) => Promise<T>): Promise<T> {
  if (plain) return inSchema(plain, work);

  const url = await newDatabase();
  try {
    return await work(url);
  } finally {
    await dropDatabase(url);
  }
}

let schemas = 0;

async function inSchema<T>(server: string, work: (url: string) => Promise<T>): Promise<T> {
  const schema = `bench_${process.pid}_${++schemas}`;
  await query(server, `create schema ${schema}`);
  const url = new URL(server);
  url.searchParams.set("options", `-c search_path=${schema} -c citus.shard_count=${shards}`);
  try {
    return await work(url.href);
  } finally {
    await query(server, `drop schema ${schema} cascade`);
  }
}
