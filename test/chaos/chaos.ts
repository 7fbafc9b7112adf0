import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Storage } from "vitrine";
import { forkable } from "../support/bundle.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { startReceiver } from "./receiver.ts";

export interface ChaosOptions {
  /** `sqlite <file>` or `postgres <url> <schema>`. */
  readonly args: readonly [kind: string, where: string, schema: string];
  readonly storage: Storage;
  readonly seconds: number;
  readonly workers: number;
  /** Ends the database as a crash would, and starts it again. */
  readonly restart?: () => Promise<void>;
}

export interface ChaosReport {
  readonly database: string;
  readonly seconds: number;
  readonly orders: number;
  readonly deliveries: number;
  readonly states: Readonly<Record<string, number>>;
  /** How many events no receiver took. */
  readonly lost: number;
  readonly posts: number;
  /** How many posts no attempt log records. */
  readonly extra_sends: number;
  readonly kills: number;
  readonly restarts: number;
  readonly seconds_to_settle: number;
}

const endpoints = 5;
const schedule = [100, 200, 400, 800, 1_600, 3_200];
const settleSeconds = 90;

/** Pays orders while workers deliver and are killed at random; in the end all must have arrived. */
export async function runChaos({
  args,
  storage,
  seconds,
  workers: count,
  restart,
}: ChaosOptions): Promise<ChaosReport> {
  const receiver = await startReceiver();
  const shop = await createShop(storage, { now: Date.now, limits: { checkout: null } });
  const partition = { store_id: shop.a.id, livemode: false };
  for (let turn = 0; turn < endpoints; turn += 1)
    await shop.owner.endpoints.create({ ...partition, url: `${receiver.target}/${turn}` });

  const startWorker = await forkable("test/chaos/worker.ts");
  const start = async (): Promise<ChildProcess> => {
    const child = startWorker([...args, receiver.target, JSON.stringify(schedule)]);
    await once(child, "message");
    return child;
  };
  const workers = await Promise.all(Array.from({ length: count }, start));
  const until = Date.now() + seconds * 1_000;
  let kills = 0;
  let restarts = 0;
  const killing = async (): Promise<void> => {
    while (Date.now() < until) {
      await pause(200 + Math.random() * 600);
      const at = Math.floor(Math.random() * workers.length);
      workers[at]?.kill("SIGKILL");
      kills += 1;
      workers[at] = await start();
    }
  };
  const restarting = async (): Promise<void> => {
    for (;;) {
      await pause(Math.min(30_000, (seconds * 1_000) / 2));
      if (!restart || Date.now() >= until) return;
      await restart();
      restarts += 1;
    }
  };
  const orders = new Set<string>();
  const selling = async (): Promise<void> => {
    while (Date.now() < until) {
      // While the database is away, a sale is refused, or reported as unavailable although it was
      // made: the events show which.
      await shop.buy().then(
        (order) => orders.add(order.id),
        () => pause(100),
      );
      await pause(5);
    }
  };
  await Promise.all([killing(), restarting(), selling(), selling()]);

  const ended = Date.now();
  for (;;) {
    const { next_due } = await storage.webhooks.findNextWork(Date.now());
    if (next_due === null || Date.now() - ended > settleSeconds * 1_000) break;
    await pause(200);
  }
  for (const worker of workers) {
    if (worker.exitCode !== null)
      throw new Error("A worker ended on its own: see its error above.");
    const gone = once(worker, "exit");
    worker.kill("SIGTERM");
    await gone;
  }
  const rows = await allDeliveries(shop, partition);
  const known = await paidOrders(shop, partition);
  const missing = [...orders].filter((id) => !known.has(id));
  if (missing.length > 0) throw new Error(`${missing.length} acknowledged orders have no event.`);
  const states: Record<string, number> = {};
  for (const { state } of rows) states[state] = (states[state] ?? 0) + 1;
  const urls = new Map(
    (await shop.owner.endpoints.list(partition)).map(({ id, url }) => [id, new URL(url).pathname]),
  );
  const recorded = rows.reduce((sum, { attempts }) => sum + attempts, 0);
  const report = {
    database: args[0],
    seconds,
    orders: orders.size,
    deliveries: rows.length,
    states,
    lost: rows.filter((row) => !receiver.taken.has(`${urls.get(row.endpoint_id)} ${row.event_id}`))
      .length,
    posts: receiver.received(),
    extra_sends: receiver.received() - recorded,
    kills,
    restarts,
    seconds_to_settle: Math.round((Date.now() - ended) / 1_000),
  };
  await receiver.close();
  return report;
}

type Partition = { readonly store_id: string; readonly livemode: boolean };

async function allDeliveries(shop: Shop, partition: Partition) {
  const rows = [];
  let starting_after: string | null = null;
  do {
    const page = await shop.owner.deliveries.list({ ...partition, limit: 100, starting_after });
    rows.push(...page.data);
    starting_after = page.next_cursor;
  } while (starting_after !== null);
  return rows;
}

async function paidOrders(shop: Shop, partition: Partition): Promise<ReadonlySet<string>> {
  const listed = await shop.storage.webhooks.listEvents({ ...partition, limit: 1_000_000 });
  if (listed.outcome !== "listed") throw new Error(listed.outcome);
  const paid = listed.events.filter(({ type }) => type === "order.paid");
  return new Set(paid.map(({ body }) => JSON.parse(body ?? "{}").data.order.id));
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
