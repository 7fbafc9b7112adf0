import type pg from "pg";
import { expect } from "vitest";
import type { Storage } from "vitrine";

// A queue whose sent deliveries stay as dead rows, because some transaction is still open.

const store_id = "str_A";
/** So many deliveries were sent. */
export const sent = 20_000;
export const live = 300;
export const now = 1_000_000;

const addDeliveries = (pool: pg.Pool, endpoint: string, [from, to]: readonly [number, number]) => {
  const numbers = `generate_series(${from}::int, ${to}::int) as n`;
  return pool.query(`
    insert into deliveries (store_id, livemode, endpoint_id, event_id, event_type, state, attempts,
      due_at, created_at, updated_at)
    select '${store_id}', 0, '${endpoint}', 'evt_' || lpad(n::text, 8, '0'), 'order.paid', 'pending',
      0, n, n, n from ${numbers}`);
};
const addEvents = (pool: pg.Pool, from: number, to: number) =>
  pool.query(`
    insert into events (store_id, livemode, id, sequence, type, created_at, body)
    select '${store_id}', 0, 'evt_' || lpad(n::text, 8, '0'), n, 'order.paid', n, '{}'
    from generate_series(${from}::int, ${to}::int) as n`);

/** Fills the queue of the first endpoint beside an open transaction, which the caller ends. */
export async function fillBesideReader(pool: pg.Pool): Promise<pg.PoolClient> {
  for (const id of ["we_1", "we_2"])
    await pool.query(
      `insert into webhook_endpoints (store_id, livemode, id, state, record)
        values ('${store_id}', 0, $1, 'enabled', $2)`,
      [id, JSON.stringify({ id, store_id, livemode: false, url: "https://a.test/", secrets: [] })],
    );
  await addEvents(pool, 1, sent + live);
  await addDeliveries(pool, "we_1", [1, sent]);

  const reader = await pool.connect();
  await reader.query("begin isolation level repeatable read; select count(*) from deliveries");
  await pool.query(`update deliveries set state = 'delivered' where store_id = '${store_id}'`);
  await addDeliveries(pool, "we_1", [sent + 1, sent + live]);
  return reader;
}

/** A look that is faster is never examined, and a quick machine looks through dead rows at once. */
export const latencyMs = 4;

/** The time of a lease, longer than the longest time between whole looks. */
const leaseMs = 120_000;

/** Claims as a drain does. */
export const claimAt = (storage: Storage, at: number, token = `t_${at}`) =>
  storage.webhooks.claimDeliveries({
    now: at,
    lease_until: at + leaseMs,
    lease_token: token,
    limit: 100,
    per_endpoint: 100,
    quota_by_endpoint: {},
    after_endpoint: null,
  });

/** Tells what the claims of one process find after the first, which looked through dead rows. */
export async function expectAllFound(storage: Storage, pool: pg.Pool): Promise<void> {
  const { webhooks } = storage;
  const found = async (at: number, token?: string): Promise<readonly string[]> =>
    (await claimAt(storage, at, token)).deliveries.map(
      ({ endpoint_id, event_id }) => `${endpoint_id} ${Number(event_id.slice(4))}`,
    );
  const all = new Set<string>();
  for (let turn = 0; turn < 4; turn += 1) for (const one of await found(now)) all.add(one);
  expect(all.size, "what is due, each once").toBe(live);
  expect(await found(now)).toEqual([]);

  // What other endpoints get is looked for four times a second.
  await addEvents(pool, now, now + 1);
  await addDeliveries(pool, "we_2", [now, now]);
  await expect.poll(() => found(now), { interval: 60, timeout: 2_000 }).toEqual([`we_2 ${now}`]);
  await addDeliveries(pool, "we_1", [now, now]);
  expect(await found(now, "kept")).toEqual([`we_1 ${now}`]);

  const key = { store_id, endpoint_id: "we_1", event_id: `evt_${String(now).padStart(8, "0")}` };
  await webhooks.releaseDeliveries([key], "kept", now);
  expect(await found(now, "again"), "a released one").toEqual([`we_1 ${now}`]);
  const log = { started_at: now, duration_ms: 1, status: 500, error: "http_status", snippet: null };
  const settled = await webhooks.settleDeliveries(
    [{ ...key, lease_token: "again", delivered: false, due_at: now + 5_000, alert_id: "a", log }],
    now,
  );
  expect(settled.outcomes).toEqual(["rescheduled"]);
  expect(await found(now + 4_000)).toEqual([]);
  expect(await found(now + 5_000), "a retry").toEqual([`we_1 ${now}`]);

  // A row that is committed late, far below what the claims have seen.
  await addDeliveries(pool, "we_2", [5, 5]);
  expect(await found(now + 60_000), "after a minute at most").toEqual(["we_2 5"]);
  const ended = await claimAt(storage, now + leaseMs + 1_000);
  expect(ended.deliveries.length, "leases that ended").toBe(100);
}

/**
 * Tells whether a claim finds what became due since the last one, of an endpoint that was idle, and
 * then what was committed some time after it had been due.
 */
export async function expectFoundBetweenLooks(storage: Storage, pool: pg.Pool): Promise<void> {
  while ((await claimAt(storage, now)).deliveries.length > 0);

  await addEvents(pool, now + 2_000, now + 2_001);
  await addDeliveries(pool, "we_2", [now + 2_000, now + 2_000]);
  const found = async () => (await claimAt(storage, now + 5_000)).deliveries.length;
  await expect.poll(found, { interval: 60, timeout: 2_000 }).toBe(1);

  await addEvents(pool, now + 4_300, now + 4_300);
  for (const id of ["we_1", "we_2"]) await addDeliveries(pool, id, [now + 4_300, now + 4_300]);
  let late = 0;
  const foundLate = async () => (late += await found());
  await expect.poll(foundLate, { interval: 60, timeout: 2_000 }).toBe(2);
}

/** Tells what a process that waits for work is told. */
export async function expectNextWork(storage: Storage, pool: pg.Pool): Promise<void> {
  const { webhooks } = storage;
  const next = async (at: number) => (await webhooks.findNextWork(at)).next_due;
  await next(now);
  expect(await next(now), "what is due").toBe(sent + 1);

  while ((await claimAt(storage, now)).deliveries.length > 0);
  const later = await next(now);
  expect(later, "no later than the next whole look").toBeLessThanOrEqual(now + 60_000);
  expect(later).toBeGreaterThan(now);
  await addDeliveries(pool, "we_2", [now, now]);
  expect(await next(now)).toBe(now);
}
