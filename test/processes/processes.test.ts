import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { freshFolder } from "../support/demo.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { startWorkers, type Worker } from "../support/workers.ts";

const databaseUrl = await postgresUrl();

const databases = [
  [
    "sqlite",
    () => ({
      args: ["sqlite", join(freshFolder(), "shop.sqlite")],
      open: (args: readonly string[]) => sqliteStorage(args[1] ?? ""),
    }),
  ],
  [
    "postgres",
    () => ({
      args: ["postgres", databaseUrl, `p${process.pid}_${Math.floor(performance.now())}`],
      open: (args: readonly string[]) =>
        postgresStorage(
          pools[
            pools.push(new pg.Pool({ connectionString: args[1] ?? "", max: 5 })) - 1
          ] as pg.Pool,
          {
            schema: args[2] ?? "",
          },
        ),
    }),
  ],
] as const;
const pools: pg.Pool[] = [];

interface Result {
  readonly status: number | string | null;
  readonly code: string | null;
  readonly id: string | null;
  readonly number: number;
}

describe.each(databases)("four processes on one %s database", (_name, prepare) => {
  let workers: readonly Worker[] = [];
  let shop: Shop;
  beforeAll(async () => {
    const { args, open } = prepare();
    workers = await startWorkers(8, ...args);
    // All migrate an empty database at once.
    await Promise.all(workers.map((worker) => worker.do({ act: "migrate" })));
    shop = await createShop(open(args), {
      now: Date.now,
      limits: { checkout: null, coupons: null },
    });
  }, 60_000);
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await shop.storage.close();
    await Promise.all(pools.splice(0).map((pool) => pool.end()));
  });
  const four = (act: (worker: Worker, index: number) => Promise<Result[]>): Promise<Result[]> =>
    Promise.all(workers.slice(0, 4).map(act)).then((all) => all.flat());
  const body = (more = {}) => ({
    items: [{ product_id: shop.product.id, quantity: 1 }],
    success_url: returnUrl,
    cancel_url: returnUrl,
    ...more,
  });
  const checkout = (key: string, count: number, store_key = shop.a.test.pub) => ({
    act: "call",
    count,
    path: "/checkout/sessions",
    headers: { authorization: `Bearer ${store_key}`, "idempotency-key": key },
    body: body(),
  });

  test("exactly ten of 200 checkout calls pass the limit, and equal ones make one session", async () => {
    const answers = await four((worker) => worker.do(checkout("equal", 50)));
    const made = answers.filter((answer) => answer.status === 201);
    const waiting = answers.filter((answer) => answer.code === "request_in_progress");
    expect(new Set(made.map((answer) => answer.id)).size).toBe(1);
    expect(made.length + waiting.length).toBe(10);
    expect(answers.filter((answer) => answer.code === "rate_limit_exceeded")).toHaveLength(190);
    expect(answers.filter((answer) => Number(answer.status) >= 500)).toEqual([]);
  });

  test("a one-use coupon submitted by fifty buyers is used once; order numbers and sequences have no gap", async () => {
    await shop.owner.coupons.create(shop.a.id, {
      code: "ONE",
      discount_type: "percentage",
      discount_amount: 10,
      max_uses: 1,
    });
    const tokens: string[] = [];
    for (let turn = 0; turn < 50; turn += 1)
      tokens.push(shop.tokenOf(await shop.session({ coupon_code: "ONE" })));
    const results = await four((worker, index) =>
      worker.do({
        act: "submit",
        tokens: tokens.filter((_, at) => at % 4 === index),
        method_id: shop.a.method_id,
      }),
    );
    expect(results.filter((result) => result.status === "paid")).toHaveLength(1);
    expect(results.filter((result) => result.code === "coupon_invalid")).toHaveLength(49);
  });

  test("two hundred buyers of fifty pieces buy exactly fifty, each event seen once by a poller that starts before them", async () => {
    await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 50 });
    const tokens: string[] = [];
    for (let turn = 0; turn < 200; turn += 1) tokens.push(shop.tokenOf(await shop.session()));
    const { key } = { key: shop.a.test.sec };
    const start = (await shop.get("/events?limit=100", { key })).body.next_cursor;
    const seen: number[] = [];
    let cursor: string | null = start;
    let selling = true;
    const poll = async (): Promise<void> => {
      // Asked before the page is read: the last commit may come while an empty page is on its way.
      const more = selling;
      const page = (
        await shop.get(`/events?limit=7${cursor === null ? "" : `&starting_after=${cursor}`}`, {
          key,
        })
      ).body;
      seen.push(...page.data.map((event: { sequence: number }) => event.sequence));
      cursor = page.next_cursor;
      // SQLite answers within the turn: without a pause, other processes' messages would wait.
      await new Promise((done) => setTimeout(done, 2));
      if (more || page.data.length > 0) return poll();
    };
    const polling = poll();
    const results = await four((worker, index) =>
      worker.do({
        act: "submit",
        tokens: tokens.filter((_, at) => at % 4 === index),
        method_id: shop.a.method_id,
      }),
    ).finally(() => {
      selling = false;
    });
    await polling;
    // A payment that a slow machine has begun and not ended waits for maintenance, with its piece.
    const isSold = ({ status }: Result): boolean => status === "paid" || status === "pending";
    const isSoldOut = ({ code }: Result): boolean => code === "insufficient_stock";
    expect(results.filter((result) => !isSold(result) && !isSoldOut(result))).toEqual([]);
    expect(results.filter(isSold)).toHaveLength(50);
    expect(results.filter(isSoldOut)).toHaveLength(150);
    const paid = results.filter(({ status }) => status === "paid").length;
    expect(paid).toBeGreaterThan(0);
    const numbers = results
      .flatMap((result) => (result.number > 0 ? [result.number] : []))
      .sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, index) => (numbers[0] ?? 0) + index));
    expect(seen.length).toBe(50 + 2 * paid);
    expect(seen).toEqual(seen.map((_, index) => (seen[0] ?? 0) + index));
  });
});
