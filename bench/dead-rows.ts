// Measures drains beside a read transaction that stays open, in whose sight no dead row goes away:
//   npx tsx bench/dead-rows.ts [deliveries] [spread|burst]
// By default there are 60,000 deliveries, ten due in each millisecond. With `burst` all are due at
// once. Both sides run in turn on one server, each in a database of its own.
import pg from "pg";
import { createStorefront } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { nodeTransport } from "vitrine/transport";
import { fillQueue } from "./drain/vitrine.ts";
import { urlOf, type Work } from "./drain/work.ts";
import { postgresFill } from "./fill.ts";
import { median } from "./measure.ts";
import { dropDatabase, newDatabase, stopPostgres } from "./postgres.ts";
import { number } from "./row.ts";
import { startServer } from "./server.ts";

const [count = "60000", spread = "spread"] = process.argv.slice(2);
const deliveries = Number(count);
/** The last of them are timed, in rounds. */
const rounds = 7;
const perRound = 2_000;
const idleDrains = 100;
/** Hosts drain this often while nothing is due. */
const idlePauseMs = 50;

/** A storefront with a full queue. */
interface Side {
  /** Sends so many deliveries and gives how many a second. */
  drain(deliveries: number): Promise<number>;
  /** Gives the time of a drain while nothing is due. */
  idle(): Promise<number>;
  close(): Promise<void>;
}

async function open(isHeld: boolean, work: Work): Promise<Side> {
  const url = await newDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  pool.on("error", () => {});
  const transport = nodeTransport({ allowTargets: [work.origin], warn: () => {} });
  const storefront = createStorefront({
    storage: postgresStorage(pool, { preparedStatements: true }),
    checkout: { baseUrl: "https://pay.example.com/c" },
    docsUrl: "https://docs.example.com/errors",
    sealKey: new Uint8Array(32).fill(1),
    transport,
  });
  await storefront.migrate();
  const { owner } = storefront;
  const { id: store_id } = await owner.stores.create({ name: "Store", currency: "BRL" });
  for (let index = 0; index < work.endpoints; index += 1)
    await owner.endpoints.create({ store_id, livemode: false, url: urlOf(work, index) });
  const fill = await postgresFill(url);
  await fillQueue(fill, work, dueIn(work.posts));
  await fill.close();

  const reader = new pg.Client(url);
  await reader.connect();
  if (isHeld) {
    await reader.query("begin isolation level repeatable read");
    await reader.query("select count(*) from stores");
  }

  return {
    async drain(maxDeliveries) {
      const began = performance.now();
      const report = await storefront.drainWebhooks({
        maxDeliveries,
        maxDurationMs: 900_000,
        perEndpointConcurrency: 32,
      });
      if (report.delivered !== maxDeliveries)
        throw new Error(`Delivered ${report.delivered} of ${maxDeliveries}.`);
      return (maxDeliveries / (performance.now() - began)) * 1_000;
    },
    async idle() {
      const began = performance.now();
      await storefront.drainWebhooks();
      return performance.now() - began;
    },
    async close() {
      transport.close();
      await reader.end();
      await pool.end();
      await dropDatabase(url);
    },
  };
}

/** Times both sides in turn, so that the machine's other work meets both alike. */
async function inTurn(
  sides: readonly Side[],
  rounds: number,
  time: (side: Side) => Promise<number>,
): Promise<readonly (readonly number[])[]> {
  const times = sides.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, side] of sides.entries()) times[index]?.push(await time(side));
  return times;
}

const mean = (times: readonly number[]): number =>
  times.reduce((sum, time) => sum + time, 0) / times.length;

/** Gives the SQL of the time at which a post is due. */
function dueIn(posts: number): string {
  const last = Date.now() - 1_000;
  return spread === "burst" ? `${last}` : `${last - Math.ceil(posts / 10)} + n / 10`;
}

const receiver = await startServer("receiver.ts");
const sides: Side[] = [];
try {
  const work: Work = { posts: deliveries, endpoints: 10, open: 64, origin: receiver.url };
  for (const isHeld of [false, true]) sides.push(await open(isHeld, work));
  const rest = deliveries - rounds * perRound;
  for (const side of sides) await side.drain(rest);

  const speeds = await inTurn(sides, rounds, (side) => side.drain(perRound));
  const idle = await inTurn(sides, idleDrains, async (side) => {
    await new Promise((done) => setTimeout(done, idlePauseMs));
    return side.idle();
  });
  const [free = 0, held = 0] = speeds.map((times) => median([...times]));
  console.log(`${number(deliveries)} deliveries, due ${spread}`);
  for (const [index, name] of ["without a transaction", "beside an open one"].entries()) {
    const times = idle[index] ?? [];
    console.log(
      `${name}: ${number(index === 0 ? free : held)} a second; an idle drain takes ` +
        `${number(median([...times]))} ms (median), ${number(mean(times))} ms (mean)`,
    );
  }
  console.log(`${number(held / free)} × (wanted: 0.8), idle wanted: 5 ms`);
} finally {
  for (const side of sides) await side.close();
  await receiver.stop();
  await stopPostgres();
}
