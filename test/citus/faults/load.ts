import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { expect } from "vitest";
import type { Storage } from "vitrine";
import { createShop, type Shop } from "../../support/shop.ts";

export interface Purchase {
  readonly store_id: string;
  readonly at: number;
  readonly ended: number;
  /** Null when the purchase was not acknowledged as paid. */
  readonly order_id: string | null;
  readonly error: unknown;
}

/** Opens shops that each have an endpoint, all on one storage. */
export async function openShops(
  storage: Storage,
  count: number,
): Promise<readonly [Shop, ...Shop[]]> {
  const open = async (): Promise<Shop> => {
    const shop = await createShop(storage, {
      now: () => Date.now(),
      webhooks: { leaseMs: 20_000 },
    });
    const url = "https://hooks.example.com/in";
    await shop.owner.endpoints.create({ store_id: shop.a.id, livemode: false, url });
    return shop;
  };

  const shops: [Shop, ...Shop[]] = [await open()];
  while (shops.length < count) shops.push(await open());
  return shops;
}

/** Purchases in all shops at once, with webhooks, maintenance and a consumer beside them. */
export function startLoad(shops: readonly [Shop, ...Shop[]]) {
  const [{ storefront, posts }] = shops;
  const purchases: Purchase[] = [];
  const failedRuns: unknown[] = [];
  const consumed = new Map<string, number>();
  const stop = new AbortController();
  let isSelling = true;

  const buyer = async (first: number): Promise<void> => {
    for (let n = first; isSelling; n += 1) purchases.push(await buy(shops[n % shops.length]));
  };
  const repeat = async (work: () => Promise<unknown>, pauseMs: number): Promise<void> => {
    while (!stop.signal.aborted) {
      await work().catch((error: unknown) => failedRuns.push(error));
      await sleep(pauseMs);
    }
  };
  const buyers = [0, 3, 6, 9].map(buyer);
  const background = [
    repeat(() => storefront.drainWebhooks({ maxDurationMs: 3_000, timeoutMs: 1_000 }), 50),
    repeat(() => storefront.runMaintenance({ maxDurationMs: 2_000 }), 2_000),
    storefront.consumeEvents({ consumer: "books", signal: stop.signal }, ({ id }) => {
      consumed.set(id, Date.now());
    }),
  ];

  return {
    purchases,
    failedRuns,
    /** When each event was consumed. */
    consumed,
    /** Ends the purchases, and waits until every event is delivered and consumed. */
    async end(pool: pg.Pool, schema: string): Promise<void> {
      isSelling = false;
      await Promise.all(buyers);

      // What was leased when its node was killed is sent again when the lease has ended, and
      // maintenance still finds the result of payments: both make events meanwhile.
      let events: readonly string[] = [];
      const left = async (): Promise<number> => {
        const { rows } = await pool.query(`select id from ${schema}.events`);
        const undelivered = await pool.query(
          `select count(*) from ${schema}.deliveries where state <> 'delivered'`,
        );
        events = rows.map(({ id }) => id);
        return events.filter((id) => !consumed.has(id)).length + Number(undelivered.rows[0].count);
      };
      await expect.poll(left, { timeout: 150_000, interval: 1_000 }).toBe(0);
      stop.abort();
      await Promise.all(background);

      const posted = new Set(posts.map(({ body }) => JSON.parse(textOf(body)).id));
      expect(events.filter((id) => !posted.has(id))).toEqual([]);
    },
  };
}

/** Every acknowledged order is paid, and the counters equal the events. Gives their number. */
export async function checkBooks(
  pool: pg.Pool,
  schema: string,
  purchases: readonly Purchase[],
): Promise<number> {
  const paid = purchases.flatMap(({ order_id }) => order_id ?? []);
  const orders = await pool.query(
    `select id from ${schema}.orders where id = any($1) and status = 'paid'`,
    [paid],
  );
  expect(orders.rows.length, "acknowledged orders that are paid").toBe(paid.length);

  const counters = await pool.query(`select sum(sequence) as sum from ${schema}.counters`);
  const events = await pool.query(`select count(*) from ${schema}.events`);
  expect(counters.rows[0].sum).toBe(events.rows[0].count);
  return Number(events.rows[0].count);
}

const textOf = (body: string | Uint8Array): string =>
  typeof body === "string" ? body : new TextDecoder().decode(body);

let buyers = 0;

async function buy(shop: Shop | undefined): Promise<Purchase> {
  if (!shop) throw new Error("There are shops.");
  const started = { store_id: shop.a.id, at: Date.now() };
  // Each buyer has an address, because one address may not make so many sessions.
  buyers += 1;
  const ip = `10.0.${(buyers >> 8) & 255}.${buyers & 255}`;

  try {
    const made = await shop.session({}, { ip });
    if (made.status !== 201) throw new Error(`The session was answered with ${made.status}.`);
    const token = shop.tokenOf(made);
    const paid = await shop.storefront.checkout.submit(token, {
      payment_method_id: shop.a.method_id,
    });
    const order_id = paid.order?.status === "paid" ? paid.order.id : null;
    return { ...started, ended: Date.now(), order_id, error: null };
  } catch (error) {
    const ended = Date.now();
    await sleep(200);
    return { ...started, ended, order_id: null, error };
  }
}

/** The node on which each shop's store lies, as `host:port`. */
export async function findNodes(
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
