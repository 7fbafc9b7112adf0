import { makeWorkerUtils } from "graphile-worker";
import pg from "pg";
import PgBoss from "pg-boss";
import { postgresStorage } from "../adapters/storage/postgres.ts";
import { measuredClock } from "../adapters/storage/sql/engine/clock.ts";
import { postgresEngine } from "../adapters/storage/sql/engine/postgres/postgres-engine.ts";
import type { QueryGenerator } from "../adapters/storage/sql/engine/queries.ts";
import { followingWrites } from "../adapters/storage/sql/orders/write/following.ts";
import { postgres } from "../adapters/storage/sql/schema/dialect.postgres.ts";
import { insertEventsStep } from "../adapters/storage/sql/webhooks/events.ts";
import { renderParts } from "../src/rules/webhooks/render-event.ts";
import { postgresFill } from "./fill.ts";
import { createShop } from "./growth/shop.ts";
import { alternate, msPerCall } from "./measure.ts";
import { dropDatabase, newDatabase } from "./postgres.ts";
import type { Options, Row } from "./row.ts";

const data = { text: "x".repeat(900) };
const order = "update orders_of_the_host set paid = paid + 1 where id = 1";

/**
 * Measures what an event for one endpoint adds to the transaction of an order, beside a job of each
 * queue in the same transaction. It runs one transaction at a time on one connection.
 */
export async function benchEvents({ seconds, rounds }: Options): Promise<Row[]> {
  const url = await newDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // The database may be dropped before the last connection has closed.
  pool.on("error", () => {});
  const closing: (() => Promise<unknown>)[] = [() => pool.end(), () => dropDatabase(url)];
  try {
    await pool.query(
      "create table orders_of_the_host (id integer primary key, paid integer not null)",
    );
    await pool.query("insert into orders_of_the_host values (1, 0)");
    const adding = {
      vitrine: await vitrine(url, pool),
      "pg-boss": await boss(url, closing),
      "graphile-worker": await graphile(url),
    };
    const timed = (add: (client: pg.PoolClient) => Promise<unknown>) => (): Promise<number> =>
      msPerCall(seconds, 2_000, async () => {
        const client = await pool.connect();
        await client.query("begin");
        await client.query({ name: "order", text: order });
        await add(client);
        await client.query("commit");
        client.release();
      });
    const alone = timed(async () => {});
    const sides = Object.entries(adding).map(([name, add]) => [name, timed(add)] as const);
    const measured = await alternate(rounds, { alone, ...Object.fromEntries(sides) });
    const { alone: least = Number.NaN, ...totals } = measured.values;
    const values = Object.fromEntries(
      Object.entries(totals).map(([name, total]) => [name, total - least]),
    );
    const targets = [{ side: "vitrine", base: "pg-boss", atMost: 0.5 }];
    const note =
      `Beyond the ${least.toFixed(2)} ms of the transaction without it. vitrine: the sequence, ` +
      "the event and its delivery; the queues: one job.";
    return [
      {
        work: "event and fan-out to one endpoint, added to an order's transaction, PostgreSQL",
        unit: "ms",
        values,
        base: "pg-boss",
        targets,
        note,
      },
    ];
  } finally {
    for (const close of closing) await close();
  }
}

/** Every order's transaction ends with this step. */
async function vitrine(
  url: string,
  pool: pg.Pool,
): Promise<(client: pg.PoolClient) => Promise<unknown>> {
  const storage = postgresStorage(pool);
  const fill = await postgresFill(url);
  const { store_id } = await createShop(storage, fill);
  await fill.exec(
    `delete from webhook_endpoints where id <> (select min(id) from webhook_endpoints)`,
  );
  await fill.close();
  const engine = postgresEngine(pool, {
    dialect: postgres,
    naming: { schema: null, prefix: "" },
    preparedStatements: true,
    acquireTimeoutMs: 5_000,
    callTimeoutMs: null,
    clock: measuredClock(),
  });
  const insertEvents = insertEventsStep(engine, followingWrites(engine));
  const partition = { store_id, livemode: false };
  let serial = 0;
  const step = (): QueryGenerator<void> => {
    const draft = {
      id: `evt_${++serial}`,
      type: "order.paid" as const,
      created_at: Date.now(),
      data: () => data,
    };
    const nothing = { totals: null, stats: [] };
    return insertEvents(
      partition,
      [renderParts(partition, draft, { order_number: 1, offset: 0 })],
      null,
      nothing,
    );
  };
  return (client) => engine.within(client).read(step);
}

async function boss(
  url: string,
  closing: (() => Promise<unknown>)[],
): Promise<(client: pg.PoolClient) => Promise<unknown>> {
  const queue = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false });
  queue.on("error", () => {});
  await queue.start();
  closing.unshift(() => queue.stop({ graceful: false }));
  await queue.createQueue("post");
  return (client) =>
    queue.send("post", data, {
      db: { executeSql: (text: string, values: unknown[]) => client.query(text, values) },
    });
}

async function graphile(url: string): Promise<(client: pg.PoolClient) => Promise<unknown>> {
  const utils = await makeWorkerUtils({ connectionString: url });
  await utils.migrate();
  await utils.release();
  const text = "select graphile_worker.add_job('post', $1::json)";
  return (client) => client.query({ name: "job", text, values: [JSON.stringify(data)] });
}
