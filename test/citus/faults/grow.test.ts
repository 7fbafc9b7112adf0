import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { createStorefront, isApiError, type Storefront, sandboxGateway } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { movedTables } from "../../../adapters/storage/sql/grow/places.ts";
import { forkable } from "../../support/bundle.ts";
import { copyRow } from "../../support/copy-row.ts";
import { textOf } from "../../support/reply-text.ts";
import { createShop, returnUrl } from "../../support/shop.ts";
import { connectionString } from "../postgres-url.ts";

/** `GROW_ORDERS=100000` is the long form. */
const orders = Number(process.env["GROW_ORDERS"] ?? 2_000);
const buyers = 20;
const requestTimeoutMs = 4_500;
const schema = `grow_${process.pid}`;

interface Try {
  /** The longest answer of its two or three requests. */
  readonly ms: number;
  readonly ended: number;
  readonly by: "plain" | "citus";
  readonly order_id: string | null;
  readonly refusal: unknown;
}

test("tables are distributed under twenty buyers, in a process that is killed and goes on", {
  timeout: 1_200_000,
}, async () => {
  const pool = new pg.Pool({ connectionString, max: 24, options: "-c citus.shard_count=4" });
  pool.on("error", () => {});
  const plain = postgresStorage(pool, { schema, acquireTimeoutMs: 4_000 });
  await plain.migrate();
  const shop = await createShop(plain, { now: Date.now, requestTimeoutMs });
  await pool.query(`set search_path = ${schema}`);
  await shop.buy();
  await fill(pool);

  const citus = createStorefront({
    storage: postgresStorage(pool, { schema, distribute: "citus", acquireTimeoutMs: 4_000 }),
    checkout: { baseUrl: "https://pay.example.com/c" },
    docsUrl: "https://docs.example.com/errors",
    gateways: [sandboxGateway()],
    sealKey: new Uint8Array(32).fill(3),
    requestTimeoutMs,
    onError: () => {},
  });
  const stop = new AbortController();
  const tries: Try[] = [];
  const sides = { plain: shop.storefront, citus } as const;
  const buy = async (by: Try["by"], n: number): Promise<void> => {
    const bought = await buyOnce(sides[by], shop.a, n);
    tries.push({ ...bought, ended: Date.now(), by });
  };
  /** A load balancer would ask /readyz; a buyer here goes to the other side after a 503. */
  const buyer = async (first: number): Promise<void> => {
    let by: Try["by"] = "plain";
    for (let n = first; !stop.signal.aborted; n += buyers) {
      await buy(by, n);
      if (tries.at(-1)?.refusal) {
        by = by === "plain" ? "citus" : "plain";
        await sleep(100);
      }
    }
  };
  const atWork = Array.from({ length: buyers }, (_, n) => buyer(n));

  const loop = monitorEventLoopDelay();
  loop.enable();
  const began = Date.now();
  const start = await forkable("test/citus/faults/grow-worker.ts");
  for (const lifeMs of [4_000, 12_000]) {
    const child = start([connectionString, schema]);
    await sleep(lifeMs);
    child.kill("SIGKILL");
  }
  const code = await new Promise((resolve) =>
    start([connectionString, schema]).once("exit", resolve),
  );
  const grownMs = Date.now() - began;
  await sleep(3_000);
  stop.abort();
  await Promise.all(atWork);

  expect(code).toBe(0);
  const paid = tries.flatMap(({ order_id }) => order_id ?? []);
  loop.disable();
  const slowest = Math.max(...tries.map(({ ms }) => ms));
  // What this busy process itself is late by is no fault of the database.
  const lateMs = loop.max / 1e6;
  const ends = tries.filter(({ order_id }) => order_id).map(({ ended }) => ended);
  const pause = Math.max(...ends.slice(1).map((at, index) => at - (ends[index] ?? at)));
  console.log(
    `${orders} orders grown in ${grownMs} ms with 2 kills, ${paid.length} purchases paid, ` +
      `${tries.filter(({ by, order_id }) => by === "citus" && order_id).length} of them on Citus, ` +
      `${tries.filter(({ refusal }) => refusal).length} refused with 503, ` +
      `${tries.filter(({ ms }) => ms > 5_000).length} answers took more than 5 s, ` +
      `the slowest answer took ${slowest.toFixed()} ms ` +
      `while this process stood still for up to ${lateMs.toFixed()} ms, ` +
      `the longest time without a sale was ${pause} ms`,
  );
  expect(
    tries.map(({ refusal }) => refusal).filter((refusal) => refusal && refusal !== 503),
  ).toEqual([]);
  // A busy machine makes one of hundreds late; no call takes the 15 s after which it is 503.
  const late = tries.filter(({ ms }) => ms - lateMs > 5_000);
  expect(late.length).toBeLessThanOrEqual(Math.ceil(tries.length / 100));
  expect(slowest - lateMs).toBeLessThan(15_000);
  expect(tries.some(({ by, order_id }) => by === "citus" && order_id)).toBe(true);
  await checkRows(pool, paid);

  await pool.query(`drop schema ${schema} cascade`);
  await pool.query(`drop schema ${schema}_before cascade`);
  await pool.end();
});

/** Copies the one order and its attempt. */
async function fill(pool: pg.Pool): Promise<void> {
  const copies = { where: "true", count: orders };
  await copyRow(pool, {
    ...copies,
    table: `${schema}.orders`,
    fields: "'id', 'ord_' || n, 'number', 1000000 + n, 'session_id', 'cs_' || n",
  });
  await copyRow(pool, {
    ...copies,
    table: `${schema}.payment_attempts`,
    fields: "'id', 'pa_' || n, 'order_id', 'ord_' || n, 'reference', 'ref_' || n",
  });
}

async function buyOnce(
  storefront: Storefront,
  store: Awaited<ReturnType<typeof createShop>>["a"],
  n: number,
): Promise<Pick<Try, "ms" | "order_id" | "refusal">> {
  let ms = 0;
  const timed = async <T>(answer: Promise<T>): Promise<T> => {
    const began = performance.now();
    return answer.finally(() => {
      ms = Math.max(ms, performance.now() - began);
    });
  };
  const products = await timed(ask(storefront, store.test.pub, n, "GET", "/products"));
  if (products.status !== 200) return { ms, order_id: null, refusal: products.status };
  const body = {
    items: [{ product_id: products.body.data[0].id, quantity: 1 }],
    success_url: returnUrl,
    cancel_url: returnUrl,
  };
  const made = await timed(ask(storefront, store.test.pub, n, "POST", "/checkout/sessions", body));
  if (made.status !== 201) return { ms, order_id: null, refusal: made.status };

  const url = made.body.data.checkout_url;
  const page = await timed(pay(storefront, url, { payment_method_id: store.method_id }));
  if (page.status !== 303 && page.status !== 200)
    return { ms, order_id: null, refusal: page.status };
  try {
    const { order } = await storefront.checkout.view(url.split("/").at(-1));
    return { ms, order_id: order?.status === "paid" ? order.id : null, refusal: null };
  } catch (error) {
    return { ms, order_id: null, refusal: isRefusal(error) ? 503 : error };
  }
}

/** Sends the form of the checkout page. */
async function pay({ checkoutPage }: Storefront, url: string, fields: Record<string, string>) {
  const { origin } = new URL(url);
  const customer = { name: "Ana Sá", email: "ana@example.com" };
  const body = new URLSearchParams({ action: "pay", attempt: "", ...customer, ...fields });
  const answer = await checkoutPage.handler(
    new Request(url, { method: "POST", headers: { origin }, body }),
  );
  if (answer.status === 503) expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
  await answer.text();
  return answer;
}

const isRefusal = (error: unknown): boolean =>
  isApiError(error) && error.code === "service_unavailable" && Boolean(error.details.retry_after);

async function ask(
  { serve }: Storefront,
  key: string,
  n: number,
  method: string,
  path: string,
  body?: object,
) {
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": `grow-${n}-${Math.random()}`,
  };
  const reply = await serve({
    method,
    target: `/v1${path}`,
    ip: `10.${n & 255}.${Math.floor(Math.random() * 255)}.${(n >> 8) & 255}`,
    header: (name) => headers[name],
    body: async () => (body ? new TextEncoder().encode(JSON.stringify(body)) : null),
  });
  if (!reply) throw new Error("The path is ours.");
  if (reply.status === 503) expect(reply.headers["retry-after"]).toMatch(/^\d+$/);
  return { status: reply.status, body: JSON.parse((await textOf(reply.body)) ?? "null") };
}

/** Nothing is lost, doubled or left behind. */
async function checkRows(pool: pg.Pool, paid: readonly string[]): Promise<void> {
  const count = async (sql: string, values: unknown[] = []): Promise<number> =>
    Number((await pool.query(`select count(*) as n from ${sql}`, values)).rows[0].n);

  expect(new Set(paid).size).toBe(paid.length);
  expect(await count(`${schema}.orders where status = 'paid' and id = any($1)`, [paid])).toBe(
    paid.length,
  );
  expect(await count(`${schema}.orders where id ~ '^ord_[0-9]{1,6}$'`)).toBe(orders);
  const numbers = await pool.query(
    `select count(*) as all, count(distinct number) as distinct from ${schema}.orders`,
  );
  expect(numbers.rows[0].all).toBe(numbers.rows[0].distinct);
  const events = await pool.query(`select (select sum(sequence) from ${schema}.counters) as sum,
    (select count(*) from ${schema}.events) as events`);
  expect(events.rows[0].sum).toBe(events.rows[0].events);

  for (const name of ["orders", "events", "payments", "payment_attempts", "checkout_sessions"]) {
    const old = (await pool.query(`select id from ${schema}_before.${name}`)).rows;
    const now = new Set(
      (await pool.query(`select id from ${schema}.${name}`)).rows.map(({ id }) => id),
    );
    expect(
      old.filter(({ id }) => !now.has(id)),
      `rows of ${name} that were left behind`,
    ).toEqual([]);
  }
  const { rows } = await pool.query(
    `select count(*)::int as n from pg_dist_partition as p join pg_class as c on c.oid = p.logicalrelid
      where c.relnamespace = '${schema}'::regnamespace`,
  );
  expect(rows[0].n).toBe(movedTables.length);
}
