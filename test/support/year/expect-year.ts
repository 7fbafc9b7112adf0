import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Storage } from "vitrine";
import { createTestShop, type TestShop } from "vitrine/testing";
import { nodeTransport } from "vitrine/transport";
import type { WebhookEvent } from "vitrine/webhooks";
import { forkable } from "../bundle.ts";
import type { YearJob } from "./job.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { sealKey } from "./seal-key.ts";
import { allPages, type Fact, playOnTestShop, sellYear, startAt, tellYear } from "./story.ts";

const dayMs = 86_400_000;

/** A process that is killed holds work, a call to a gateway for longest: 150 s. */
const heldMs = 151_000;

/** An event is late by what a killed process held, several times at worst. */
const lateMs = 30 * 60_000;
/** The shop in memory moves by a minute while it waits for a provider. */
const earlyMs = 60_000;

export interface YearRun {
  readonly database: Pick<YearJob, "database" | "schema" | "distribute"> & {
    readonly storage: Storage;
  };
  readonly days: number;
  readonly kills: number;
  /** The longest time after which a process is killed. */
  readonly livesMs: number;
  /** True to wait for what a killed process held. Otherwise the clocks are set forward. */
  readonly waits: boolean;
}

/**
 * Turns the test clock of a stored shop over a story, in a process that is killed at random and
 * begun again, while two others send webhooks and maintain. Compares it with the same story on a
 * shop in memory.
 */
export async function expectSameYear(run: YearRun): Promise<void> {
  const { database, days } = run;
  const { storage, ...where } = database;
  let ahead = startAt - Date.now();
  const receiver = await openReceiver(() => Date.now() + ahead);
  await storage.migrate();
  const shop = await openShop(storage, receiver);
  await sellYear(shop);

  const job = { ...where, store_id: shop.where.store_id, receiver: receiver.origin };
  const begin = await starter({ ...job, offset: days * dayMs }, () => ahead);
  const keepers = await Promise.all([begin("keep"), begin("keep")]);
  const setForward = (): void => {
    if (!run.waits) ahead += heldMs;
    for (const child of keepers) child.send({ ahead });
  };
  try {
    for (let killed = 0; ; killed += 1) {
      const turning = await begin("advance");
      const ended = once(turning, "exit");
      const lives = killed < run.kills ? sleep(Math.random() * run.livesMs, null) : ended;
      const isOver = await Promise.race([lives, ended]);
      if (isOver) {
        expect(isOver).toEqual([0, null]);
        expect(killed, "processes that were killed").toBeGreaterThan(0);
        break;
      }
      await kill(turning);
      if (killed % 2 === 0) await replace(keepers, () => begin("keep"));
      setForward();
    }
    await expectAllDelivered(shop, receiver, setForward);
  } finally {
    for (const child of keepers) child.kill("SIGKILL");
    receiver.close();
  }
  await compare(shop, receiver, days);
  await shop.storefront.close();
}

/** Opens a shop whose webhooks go to the receiver from its first event on. */
async function openShop(storage: Storage, receiver: Receiver): Promise<TestShop> {
  const { send } = nodeTransport({ allowTargets: [receiver.origin] });
  const transport = { send, check: async () => ({ ok: true }) as const };
  const shop = await createTestShop({ storage, startAt, sealKey, transport });
  const { endpoints } = shop.storefront.owner;
  for (const { id } of await endpoints.list(shop.where)) await endpoints.delete(shop.where, id);
  const url = `${receiver.origin}/webhooks`;
  const { secret } = await endpoints.create({ ...shop.where, url });
  receiver.trust(secret);
  return shop;
}

type Begin = (work: YearJob["work"]) => Promise<ChildProcess>;

async function starter(job: Omit<YearJob, "work" | "ahead">, ahead: () => number): Promise<Begin> {
  const start = await forkable("test/support/year/year-worker.ts");
  return async (work) => {
    const child = start([JSON.stringify({ ...job, work, ahead: ahead() })]);
    await once(child, "message");
    return child;
  };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Kills one of the processes at random, and begins another in its place. */
async function replace(
  processes: ChildProcess[],
  begin: () => Promise<ChildProcess>,
): Promise<void> {
  const at = Math.floor(Math.random() * processes.length);
  const [killed] = processes.splice(at, 1);
  if (killed) await kill(killed);
  processes.push(await begin());
}

const eventsOf = async ({ storefront, where }: TestShop): Promise<readonly WebhookEvent[]> => {
  const { events } = storefront.owner;
  const all = await allPages((range) => events.list({ ...where, ...range }));
  return all.flatMap(({ payload }) => payload ?? []).toSorted((a, b) => a.sequence - b.sequence);
};

/** What a killed process was sending is sent once its lease has ended. */
async function expectAllDelivered(
  shop: TestShop,
  receiver: Receiver,
  setForward: () => void,
): Promise<void> {
  const wanted = (await eventsOf(shop)).map(({ id }) => id).sort();
  const told = () => receiver.events.map(({ id }) => id).sort();
  const { deliveries } = shop.storefront.owner;
  const left = async () => {
    const all = await allPages((range) => deliveries.list({ ...shop.where, ...range }));
    return all.filter(({ state }) => state !== "delivered").length;
  };
  setForward();
  await expect.poll(left, { timeout: 90_000, interval: 200 }).toBe(0);
  expect(told()).toEqual(wanted);
  expect(receiver.faults).toEqual([]);
}

async function compare(shop: TestShop, receiver: Receiver, days: number): Promise<void> {
  const events = await eventsOf(shop);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
  expect(receiver.events.toSorted((a, b) => a.sequence - b.sequence)).toEqual(events);
  for (const [at, { created_at }] of events.entries()) {
    const before = events[at - 1]?.created_at ?? created_at;
    expect(Date.parse(created_at), `event ${at + 1}`).toBeGreaterThan(Date.parse(before) - lateMs);
  }

  const wanted = await playOnTestShop(days);
  const found = await tellYear(shop, events);
  const buyers = Object.keys(wanted.events).sort();
  expect(Object.keys(found.events).sort()).toEqual(buyers);
  for (const buyer of buyers) same(found.events[buyer] ?? [], wanted.events[buyer] ?? []);
  same(found.orders, wanted.orders);
  same(found.charges, wanted.charges);
}

/** The same facts in the same order, at times that are equal but for what the work took. */
function same(found: readonly Fact[], wanted: readonly Fact[]): void {
  const seen = found.map(({ what, at }, index) => {
    const planned = wanted[index]?.at ?? 0;
    const isInTime = at > planned - earlyMs - 1 && at < planned + lateMs;
    return `${what} at ${new Date(isInTime ? planned : at).toISOString()}`;
  });
  expect(seen).toEqual(wanted.map(({ what, at }) => `${what} at ${new Date(at).toISOString()}`));
}
