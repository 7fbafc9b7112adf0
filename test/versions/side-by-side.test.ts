import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { Order } from "vitrine";
import { freshFolder } from "../support/demo.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import { checkEvents, checkNumbers, checkOrders, checkPayments } from "./books.ts";
import { type Age, ages, buildBoth, Fleet } from "./fleet.ts";
import { countOrders, fillOrders } from "./many-orders.ts";
import { startReceiver } from "./receiver.ts";
import {
  buyUntil,
  drainOptions,
  openStore,
  type Sale,
  type Store,
  type Traffic,
  workUntil,
} from "./traffic.ts";
import { versionBefore } from "./version-before.ts";

const databaseUrl = await postgresUrl();
/** `VERSIONS_SALES=5000` is the long form, of some ten minutes. */
const sales = Number(process.env["VERSIONS_SALES"] ?? 100);
const month = 31 * 24 * 3_600_000;

/** Another store has so many orders, which the migrations find and the maintenance fills. */
const manyOrders = Number(process.env["VERSIONS_ORDERS"] ?? 2_000);
const schema = `v${process.pid}_${Date.now()}`;
/** A cluster, where there is one: `.ci/run` starts it. */
const { TEST_CITUS_URL: citusUrl } = process.env;

const databases: readonly (readonly [name: string, args: () => readonly string[]])[] = [
  ["sqlite", () => ["sqlite", join(freshFolder(), "shop.sqlite"), "-"]],
  ["postgres", () => ["postgres", databaseUrl, schema]],
  ...(citusUrl ? [["citus", () => ["citus", citusUrl, schema]] as const] : []),
];

let start: Awaited<ReturnType<typeof buildBoth>>;
beforeAll(async () => {
  start = await buildBoth();
});

/** Tells whether a killed process has left a refund or a payment without its result. */
async function isWaiting({ fleet, where, products }: Store): Promise<boolean> {
  const pending = { ...where, status: "pending" };
  const refunds = await fleet.call("new", "owner.refunds.list", pending);
  const product_ids = [products.counted];
  const [counted] = await fleet.call("new", "owner.products.countStock", { ...where, product_ids });
  return refunds.data.length > 0 || counted.held > 0;
}

/**
 * Delivers and maintains through both versions until neither finds anything to do. What a killed
 * process has claimed is due again when its lease ends, and the gateway is asked a minute later
 * what has become of money that it had begun to move.
 */
async function settle(store: Store): Promise<void> {
  const { fleet } = store;
  for (let quiet = 0; quiet < 2; ) {
    const age = ages[quiet % 2] ?? "old";
    const { attempted, next_due_at } = await fleet.call(age, "drainWebhooks", drainOptions);
    const { more } = await fleet.call(age, "runMaintenance", {});
    const isQuiet = attempted === 0 && next_due_at === null && !more;
    quiet = isQuiet ? quiet + 1 : 0;
    if (next_due_at !== null) await pause(100);
    if (quiet < 2 || !(await isWaiting(store))) continue;
    quiet = 0;
    await pause(1_000);
  }
}

describe.concurrent.each(databases)(
  `this version beside ${versionBefore.slice(0, 12)}, on %s`,
  (_name, args) => {
    test("an upgrade under buyers: both sell, refund, settle, deliver and count as one", {
      // What a killed process has begun at a gateway may be held for 160 s.
      timeout: 300_000 + sales * 500,
    }, async ({ onTestFinished }) => {
      const receiver = await startReceiver();
      const [kind = "", url = "", ...place] = args();
      const fleet = new Fleet(start, [kind, url, ...place, receiver.target]);
      onTestFinished(async () => {
        await fleet.endAll();
        await receiver.close();
      });
      await Promise.all([fleet.start("old"), fleet.start("old")]);
      const store = await openStore(fleet, receiver.target);
      const full = kind === "sqlite" ? null : await fillOrders(fleet, { url, schema }, manyOrders);

      let atWork: readonly Age[] = ["old"];
      const traffic: Traffic = { sales: [], wrong: new Set() };
      const stop = new AbortController();
      const sold = async (share: number): Promise<void> => {
        const count = traffic.sales.length + Math.ceil(share * sales);
        while (traffic.sales.length < count && traffic.wrong.size === 0) await pause(20);
      };
      const load = { signal: stop.signal, atWork: () => atWork };
      const working = Promise.all([
        buyUntil(store, traffic, load),
        buyUntil(store, traffic, load),
        workUntil(store, traffic, load),
      ]);

      // The new version migrates while the old one sells; then both sell, and an old process that
      // ends starts again on the newer schema.
      await sold(0.15);
      await Promise.all([fleet.start("new"), fleet.start("new")]);
      atWork = ages;
      await sold(0.25);
      await fleet.end("old");
      await fleet.start("old");
      await sold(0.6);
      stop.abort();
      await working;
      expect([...traffic.wrong]).toEqual([]);
      const combinations = new Set(traffic.sales.map(({ session, payment }) => session + payment));
      expect(combinations.size).toBe(4);
      await settle(store);

      const orders = await checkOrders(store, traffic.sales);
      await checkPayments(store, orders);
      await checkEvents(store, orders, receiver.posts);
      await checkNumbers(store, orders, traffic.sales);
      await checkRenewals(store, traffic.sales);
      await checkGroups(store);
      if (full) expect(await countOrders(full)).toBe(full.count);
    });
  },
);

/** A month later each subscription is charged once, whichever version comes to it first. */
async function checkRenewals(store: Store, sales: readonly Sale[]): Promise<void> {
  const { fleet, where } = store;
  const list = () => fleet.call("new", "owner.subscriptions.list", { ...where, limit: 100 });
  const { data: before } = await list();
  expect(before.length).toBeGreaterThan(1);
  const ended = before.slice(0, before.length >> 1);
  for (const [index, { id }] of ended.entries())
    await fleet.call(ages[index % 2] ?? "old", "subscriptions.cancel", id, where);

  // The old version takes the notice before a renewal for a charge that somebody holds.
  for (let ms = month, isReady = false; !isReady; ms = 0) {
    const clock = await fleet.call("new", "owner.testClock.advance", {
      store_id: where.store_id,
      ms,
    });
    isReady = clock.status === "ready";
  }
  await settle(store);
  const { data: after } = await list();
  const states = new Map<string, string>(
    after.map(({ id, status }: { id: string; status: string }) => [id, status]),
  );
  const orders: readonly Order[] = await checkOrders(store, sales);
  for (const { id } of before) {
    const isEnded = ended.some((one: { readonly id: string }) => one.id === id);
    const paid = orders.filter(({ subscription_id }) => subscription_id === id);
    expect([id, states.get(id), paid.map(({ status }) => status)]).toEqual([
      id,
      isEnded ? "canceled" : "active",
      isEnded ? ["paid"] : ["paid", "paid"],
    ]);
  }
  await checkPayments(store, orders);
  await checkNumbers(store, orders, sales);
}

/** What the old version writes of groups, which it does not know, maintenance puts in order. */
async function checkGroups(store: Store): Promise<void> {
  const { fleet, where, key } = store;
  const owner = (age: Age, call: string, ...args: readonly unknown[]) =>
    fleet.call(age, `owner.${call}`, where.store_id, ...args);
  const shirt = { name: "Shirt", currency: "BRL", group: "shirt" };
  const options = (value: string) => [{ name: "Size", value }];
  const sizes = ["s", "m", "l"].map((size, at) => ({
    ...shirt,
    ...{ id: `prod_${size}`, slug: size, price: 100 * (at + 1), options: options(size) },
  }));
  await owner("new", "products.putMany", sizes);
  const listed = async (): Promise<readonly string[]> => {
    const path = "/products?group=first&search=shirt";
    const { data } = await fleet.do("new", { path, key });
    return data.map(({ slug }: { readonly slug: string }) => slug).sort();
  };
  expect(await listed()).toEqual(["s"]);

  await owner("old", "products.update", "prod_s", { active: false });
  await owner("old", "products.update", "prod_l", { price: 50 });
  await settle(store);
  expect(await listed()).toEqual(["l"]);
  const { data } = await fleet.do("new", { path: "/products/l", key });
  expect(data.group).toMatchObject({ id: "shirt", price_from: 50, price_to: 200 });
}
