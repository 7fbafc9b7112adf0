import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { expect, test } from "vitest";
import { createShop, type Shop } from "../../support/shop.ts";
import { openCitusOn } from "../storages.ts";
import { findWorkers, kill, revive, type Worker } from "./workers.ts";

const totalMs = Number(process.env["CITUS_KILL_SECONDS"] ?? 24) * 1_000;
const everyMs = Math.min(20_000, totalMs / 2);
const downMs = everyMs * 0.4;
/** A revived node may refuse until its recovery has ended, and rests until it is asked again. */
const graceMs = 3_000;

interface Outage {
  readonly node: string;
  readonly from: number;
  until: number;
}

interface Purchase {
  readonly node: string;
  readonly at: number;
  readonly ended: number;
  readonly order_id: string | null;
  readonly error: unknown;
}

test("a killed worker costs its own stores 503 and nobody else anything", {
  timeout: totalMs + 180_000,
}, async () => {
  const { storage, pool, schema } = await openCitusOn({ preparedStatements: true });
  const workers = await findWorkers(pool);
  const shops: Shop[] = [];
  for (let n = 0; n < 12; n += 1)
    shops.push(await createShop(storage, { now: () => Date.now(), webhooks: { leaseMs: 20_000 } }));
  const nodeOf = await findNodes(pool, schema, shops);
  expect(new Set(nodeOf.values()).size, "nodes with stores").toBe(workers.length);
  for (const { owner, a } of shops)
    await owner.endpoints.create({
      store_id: a.id,
      livemode: false,
      url: "https://hooks.example.com/in",
    });

  const outages: Outage[] = [];
  const purchases: Purchase[] = [];
  const failedRuns: unknown[] = [];
  const consumed = new Map<string, number>();
  const stop = new AbortController();
  const ends = Date.now() + totalMs;
  const [worker] = shops;
  if (!worker) throw new Error("There are shops.");
  const { storefront } = worker;

  const buyer = async (first: number): Promise<void> => {
    for (let n = first; Date.now() < ends; n += 1) {
      const shop = shops[n % shops.length] ?? worker;
      purchases.push(await buy(shop, nodeOf.get(shop.a.id) ?? ""));
    }
  };
  const background = async (work: () => Promise<unknown>, pauseMs: number): Promise<void> => {
    while (!stop.signal.aborted) {
      await work().catch((error: unknown) => failedRuns.push(error));
      await sleep(pauseMs);
    }
  };
  const running = [
    background(() => storefront.drainWebhooks({ maxDurationMs: 3_000, timeoutMs: 1_000 }), 50),
    background(() => storefront.runMaintenance({ maxDurationMs: 2_000 }), 2_000),
    storefront.consumeEvents({ consumer: "books", signal: stop.signal }, (event) => {
      consumed.set(event.id, Date.now());
    }),
  ];

  await Promise.all([killInTurn(pool, outages, ends), ...[0, 3, 6, 9].map(buyer)]);

  // What was leased when its node was killed is sent again when the lease has ended.
  const undelivered = async () =>
    (await pool.query(`select count(*) from ${schema}.deliveries where state <> 'delivered'`))
      .rows[0].count;
  await expect.poll(undelivered, { timeout: 150_000, interval: 1_000 }).toBe("0");
  const events = await readEvents(pool, schema);
  await expect.poll(() => consumed.size, { timeout: 90_000 }).toBe(events.length);
  stop.abort();
  await Promise.all(running);

  const wasDown = ({ node, at, ended }: Purchase): boolean =>
    outages.some((out) => out.node === node && at <= out.until + graceMs && ended >= out.from);
  const failed = purchases.filter(({ error }) => error !== null);
  const paid = purchases.flatMap(({ order_id }) => order_id ?? []);
  console.log(
    `${outages.length} kills, ${paid.length} purchases paid, ${failed.length} refused, ` +
      `${events.length} events, ${worker.posts.length} posts, ${failedRuns.length} failed runs`,
  );

  expect(failed.filter((purchase) => !wasDown(purchase)).map(({ error }) => error)).toEqual([]);
  const refusals = failed.map(({ error }) => String(error));
  expect(refusals.filter((text) => !/503|is unavailable for a moment/.test(text))).toEqual([]);
  expect(failed.length, "purchases at stores of a killed worker").toBeGreaterThan(0);
  expect(failedRuns).toEqual([]);
  const { rows } = await pool.query(
    `select id from ${schema}.orders where id = any($1) and status = 'paid'`,
    [paid],
  );
  expect(rows.length, "acknowledged orders that are paid").toBe(paid.length);
  const counters = await pool.query(
    `select coalesce(sum(sequence), 0) as sum from ${schema}.counters`,
  );
  expect(Number(counters.rows[0].sum)).toBe(events.length);
  const posted = new Set(worker.posts.map(({ body }) => JSON.parse(textOf(body)).id));
  expect(events.filter((id) => !posted.has(id))).toEqual([]);
  for (const out of outages) expectDeliveries(out, consumed);
});

/** While the node was down, events of the others went on. */
function expectDeliveries({ from, until }: Outage, consumed: ReadonlyMap<string, number>): void {
  const during = [...consumed.values()].filter((at) => at > from + 1_000 && at < until);
  expect(during.length, "events handled while a worker was down").toBeGreaterThan(0);
}

const textOf = (body: string | Uint8Array): string =>
  typeof body === "string" ? body : new TextDecoder().decode(body);

let buyers = 0;

async function buy(shop: Shop, node: string): Promise<Purchase> {
  const at = Date.now();
  try {
    // Each buyer has an address, because one address may not make so many sessions.
    buyers += 1;
    const ip = `10.0.${(buyers >> 8) & 255}.${buyers & 255}`;
    const made = await shop.session({}, { ip });
    if (made.status !== 201) throw new Error(`The session was answered with ${made.status}.`);
    const token = shop.tokenOf(made);
    const paid = await shop.storefront.checkout.submit(token, {
      payment_method_id: shop.a.method_id,
    });
    const order_id = paid.order?.status === "paid" ? paid.order.id : null;
    return { node, at, ended: Date.now(), order_id, error: null };
  } catch (error) {
    await sleep(200);
    return { node, at, ended: Date.now(), order_id: null, error };
  }
}

/** Kills one worker after the other until the time is over; all live in the end. */
async function killInTurn(pool: pg.Pool, outages: Outage[], ends: number): Promise<void> {
  for (let turn = 0; Date.now() + everyMs / 2 < ends; turn += 1) {
    await sleep(everyMs - downMs);
    const workers = await findWorkers(pool);
    const victim = workers[turn % workers.length] as Worker;
    const outage: Outage = { node: victim.id, from: Date.now(), until: Number.POSITIVE_INFINITY };
    outages.push(outage);
    kill(victim);
    await sleep(downMs);
    await revive(victim);
    outage.until = Date.now();
  }
}

async function findNodes(
  pool: pg.Pool,
  schema: string,
  shops: readonly Shop[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query(
    `select s.id, n.nodename || ':' || n.nodeport as node
      from unnest(cast($2 as text[])) as s(id)
      join pg_dist_placement as p
        on p.shardid = get_shard_id_for_distribution_column(cast($1 as regclass), s.id)
      join pg_dist_node as n on n.groupid = p.groupid`,
    [`${schema}.orders`, shops.map(({ a }) => a.id)],
  );
  return new Map(rows.map(({ id, node }) => [id, node]));
}

async function readEvents(pool: pg.Pool, schema: string): Promise<readonly string[]> {
  const { rows } = await pool.query(`select id from ${schema}.events`);
  return rows.map(({ id }) => id);
}
