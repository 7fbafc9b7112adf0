import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, type TestContext, test } from "vitest";
import { forkable } from "../support/bundle.ts";
import { freshFolder } from "../support/demo.ts";
import { createShop } from "../support/shop.ts";
import { databases } from "./databases.ts";
import { ledgerGateway, readLedger } from "./ledger-gateway.ts";

const hour = 3_600_000;
const day = 24 * hour;
const buyers = 6;
const months = 3;

/** A charge that a kill left without an answer is asked about within these hours. */
const looks = [0, 0.1, 0.5, 2, 26].map((hours) => hours * hour);

const consent = "every month";
const buyer = (at: number) => ({ id: `u_${at}`, email: `u_${at}@example.com` });

/** Sells a plan to some buyers, in a shop whose provider's books are a file. */
async function openShop(open: (typeof databases)[number][1], context: TestContext) {
  const { args, storage } = open(context);
  await storage.migrate();
  const ledger = join(freshFolder(), "provider.jsonl");
  writeFileSync(ledger, "");
  const shop = await createShop(storage, {
    limits: { checkout: null },
    now: Date.now,
    gateways: [ledgerGateway(ledger, () => {})],
  });
  const where = { store_id: shop.a.id, livemode: false };
  const { owner, a } = shop;
  await owner.paymentMethods.update(a.id, a.method_id, { supports_recurring: true });
  const recurring = { interval: "month" as const, interval_count: 1 };
  const box = { name: "Box", price: 1000, currency: "BRL", recurring };
  const { id: product_id } = await owner.products.create(a.id, box);
  for (let at = 0; at < buyers; at += 1)
    await shop.buy({ items: [{ product_id, quantity: 1 }] }, {}, { consent, customer: buyer(at) });

  const start = await forkable("test/processes/crash-worker.ts");
  let kills = 0;
  /** Gives true when the process was killed. */
  const run = async (work: string, ...given: readonly (string | number)[]): Promise<boolean> => {
    const child = start([...args, ledger, a.id, a.method_id, work, ...given.map(String)]);
    const [code, signal] = await once(child, "exit");
    if (signal === "SIGKILL") kills += 1;
    else expect(code).toBe(0);
    return signal === "SIGKILL";
  };
  return { shop, where, ledger, run, kills: () => kills };
}

describe.concurrent.each(databases)("processes killed while they renew, on %s", (_name, open) => {
  test("each period is charged once, and the provider has what the books have", {
    timeout: 180_000,
  }, async (context) => {
    const { shop, where, ledger, run, kills } = await openShop(open, context);
    const { owner, a } = shop;
    for (let month = 1; month <= months; month += 1)
      while (await run("maintain", ...looks.map((look) => month * 31 * day + look)));
    expect(kills()).toBeGreaterThan(0);

    const { data } = await owner.subscriptions.list({ ...where, limit: 100 });
    expect(data).toHaveLength(buyers);
    for (const { status } of data) expect(status).toBe("active");
    const orders = (await owner.orders.list({ ...where, limit: 100 })).data;
    expect(orders.map(({ status }) => status)).toEqual(Array(buyers * (months + 1)).fill("paid"));

    const taken = readLedger(ledger).filter(({ what }) => what === "take");
    expect(taken.map(({ order_id }) => order_id).sort()).toEqual(orders.map(({ id }) => id).sort());
    expect((await owner.alerts.list(a.id)).data).toEqual([]);
    await shop.storefront.close();
  });

  test("what ended is forgotten by the provider, and nothing that goes on", {
    timeout: 180_000,
  }, async (context) => {
    const { shop, where, ledger, run, kills } = await openShop(open, context);
    const { data } = await shop.owner.subscriptions.list({ ...where, limit: 100 });
    const ending = data.slice(2).map(({ id }) => id);
    // A method that was asked about and not noted waits for a lease, and then for its next try.
    const times = Array.from({ length: 12 }, (_, at) => at * 0.5 * hour);
    while (kills() < 3) {
      while (await run("end", ...ending));
      await run("maintain", ...times);
    }
    while (await run("maintain", ...times.map((time) => time + 12 * hour)));

    const orders = (await shop.owner.payments.list({ ...where, limit: 100 })).data;
    const ended = new Set(
      data.filter(({ id }) => ending.includes(id)).map(({ latest_order_id }) => latest_order_id),
    );
    const kept = orders.filter(({ order_id }) => ended.has(order_id)).map(({ id }) => `kept_${id}`);
    const forgotten = readLedger(ledger).filter(({ what }) => what === "forget");
    expect(forgotten.map(({ id }) => id).sort()).toEqual(kept.sort());
    expect(kept).toHaveLength(buyers - 2);
    await shop.storefront.close();
  });

  test("what was kept of buyers who are erased is forgotten by the provider, and nothing else", {
    timeout: 180_000,
  }, async (context) => {
    const { shop, where, ledger, run, kills } = await openShop(open, context);
    const erased = [0, 1, 2, 3].map((at) => buyer(at).id);
    const orders = (await shop.owner.orders.list({ ...where, limit: 100 })).data;
    const theirs = new Set(
      orders.flatMap(({ id, customer }) => (erased.includes(customer.id ?? "") ? [id] : [])),
    );
    // A process that dies in a call is followed by one that erases the next buyer.
    for (const id of erased) await run("erase", id);
    const times = Array.from({ length: 12 }, (_, at) => at * 0.5 * hour);
    while (kills() < 3) await run("maintain", ...times);
    while (await run("erase", ...erased));
    while (await run("maintain", ...times.map((time) => time + 12 * hour)));

    const payments = (await shop.owner.payments.list({ ...where, limit: 100 })).data;
    const kept = payments.flatMap(({ id, order_id }) =>
      theirs.has(order_id) ? [`kept_${id}`] : [],
    );
    const forgotten = readLedger(ledger).filter(({ what }) => what === "forget");
    expect(forgotten.map(({ id }) => id).sort()).toEqual(kept.sort());
    expect(kept).toHaveLength(erased.length);
    await shop.storefront.close();
  });
});
