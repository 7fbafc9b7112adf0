import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { expect, test } from "vitest";
import { openCitusOn } from "../storages.ts";
import { checkBooks, findNodes, openShops, type Purchase, startLoad } from "./load.ts";
import { findWorkers, kill, revive } from "./workers.ts";

const totalMs = Number(process.env["CITUS_KILL_SECONDS"] ?? 24) * 1_000;
const everyMs = Math.min(20_000, totalMs / 2);
/** Long enough that consumers, which wait seconds after an error, go on before it ends. */
const downMs = everyMs * 0.6;
/** A server that has started again may refuse until its recovery has ended. */
const graceMs = 3_000;

interface Outage {
  readonly node: string;
  readonly from: number;
  readonly until: number;
}

test("a killed worker costs its own stores 503 and nobody else anything", {
  timeout: totalMs + 300_000,
}, async () => {
  const { storage, pool, schema } = await openCitusOn({ preparedStatements: true });
  const workers = await findWorkers(pool);
  const shops = await openShops(storage, 12);
  const nodeOf = await findNodes(pool, schema, shops);
  expect(new Set(nodeOf.values()).size, "nodes with stores").toBe(workers.length);

  const load = startLoad(shops);
  const outages = await killInTurn(pool);
  await load.end(pool, schema);
  const events = await checkBooks(pool, schema, load.purchases);

  const { purchases, failedRuns, consumed } = load;
  const failed = purchases.filter(({ error }) => error !== null);
  console.log(
    `${outages.length} kills, ${purchases.length - failed.length} purchases paid, ` +
      `${failed.length} refused, ${events} events, ${failedRuns.length} failed runs`,
  );
  const wasDown = ({ store_id, at, ended }: Purchase): boolean =>
    outages.some(
      ({ node, from, until }) =>
        node === nodeOf.get(store_id) && at <= until + graceMs && ended >= from,
    );
  expect(failed.filter((purchase) => !wasDown(purchase)).map(({ error }) => error)).toEqual([]);
  const refusals = failed.map(({ error }) => String(error));
  expect(refusals.filter((text) => !/503|is unavailable for a moment/.test(text))).toEqual([]);
  expect(failed.length, "purchases at stores of a killed worker").toBeGreaterThan(0);
  expect(failedRuns).toEqual([]);
  for (const { from, until } of outages) {
    const during = [...consumed.values()].filter((at) => at > from + 1_000 && at < until);
    expect(during.length, "events consumed while a worker was down").toBeGreaterThan(0);
  }
});

test("while a worker is lost, gauges and lag count what the other nodes hold", {
  timeout: 120_000,
}, async () => {
  const { storage, pool, schema } = await openCitusOn({ preparedStatements: true });
  const shops = await openShops(storage, 6);
  const [{ storefront }] = shops;
  const nodeOf = await findNodes(pool, schema, shops);
  for (const shop of shops) await shop.buy();
  const count = async () => ({
    due: (await storage.gauges.read(Date.now())).webhooks_due,
    lag: await storefront.eventLag({ consumer: "books" }),
  });
  const all = await count();
  expect(all).toMatchObject({ due: 18, lag: { events: 18, partitions: 6 } });

  const [victim] = await findWorkers(pool);
  if (!victim) throw new Error("There is a worker.");
  const left = [...nodeOf.values()].filter((node) => node !== victim.id).length;
  kill(victim);
  try {
    expect(await count()).toMatchObject({
      due: left * 3,
      lag: { events: left * 3, partitions: left },
    });
  } finally {
    await revive(victim);
  }
  await expect.poll(count, { timeout: 60_000, interval: 500 }).toEqual(all);
});

/** Kills one worker after the other until the time is over; all live in the end. */
async function killInTurn(pool: pg.Pool): Promise<readonly Outage[]> {
  const ends = Date.now() + totalMs;
  const outages: Outage[] = [];
  for (let turn = 0; Date.now() + everyMs / 2 < ends; turn += 1) {
    await sleep(everyMs - downMs);
    const workers = await findWorkers(pool);
    const victim = workers[turn % workers.length];
    if (!victim) break;

    const from = Date.now();
    kill(victim);
    await sleep(downMs);
    await revive(victim);
    outages.push({ node: victim.id, from, until: Date.now() });
  }
  return outages;
}
