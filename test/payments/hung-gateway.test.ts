import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type CatalogSource,
  memoryStorage,
  type Storage,
  type StorefrontOptions,
  sandboxGateway,
} from "vitrine";
import type { PaymentGateway, PaymentResult } from "vitrine/gateway";
import { ownArticle } from "../support/own-article.ts";
import { patience } from "../support/patience.ts";
import { createShop, start } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const minute = 60_000;
const hour = 60 * minute;
const currency = "BRL";

/** A gateway that answers no question until the test says so, and keeps what it was asked. */
function quietGateway() {
  const questions: { readonly id: string; readonly answer: () => void }[] = [];
  const control = { paysAtOnce: false, accounts: 0, most: 0 };
  let running = 0;

  const ask = <T>(id: string, result: T): Promise<T> => {
    running += 1;
    control.most = Math.max(control.most, running);
    return new Promise((resolve) => {
      const answer = (): void => {
        running -= 1;
        resolve(result);
      };
      questions.push({ id, answer });
    });
  };
  const paid = (id: string): PaymentResult => ({
    status: "succeeded",
    reference: `quiet_${id}`,
    amount: 1000,
    currency,
  });
  const gateway: PaymentGateway = {
    ...sandboxGateway(),
    id: "quiet",
    async createPayment({ id }) {
      return { ...paid(id), status: control.paysAtOnce ? "succeeded" : "pending" };
    },
    getPayment: ({ id }) => ask(id, paid(id)),
    cancelPayment: ({ id }) => ask(id, paid(id)),
    refund: () => Promise.reject(new Error("connection reset")),
    getRefund: ({ id }) => ask(id, { status: "succeeded", reference: "re_1" } as const),
  };
  return Object.assign(control, { gateway, questions });
}

/** A gateway that says of each payment at once that it is paid. */
const briskGateway: PaymentGateway = {
  ...sandboxGateway(),
  id: "brisk",
  createPayment: async ({ id, amount }) => ({
    status: "pending",
    reference: `brisk_${id}`,
    amount,
    currency,
  }),
  getPayment: async ({ reference }) => ({
    status: "succeeded",
    reference: reference ?? "",
    amount: 1000,
    currency,
  }),
};

const items = [{ product_id: "42", quantity: 1 }];

/** A host's catalog that cannot confirm what was sold, and then does not even answer. */
function silentCatalog() {
  const article = ownArticle("42");
  const control = { isSilent: false };
  /** The ids of orders whose confirmation waits, and its answers. */
  const waiting = new Map<string, () => void>();
  const catalog: CatalogSource = {
    list: async () => ({ products: [article], next: null }),
    find: async () => article,
    categories: async () => [],
    cart: async () => [{ product: article, on_hand: 99 }],
    reserve: async () => true,
    confirm({ order_id }) {
      if (!control.isSilent) throw new Error("The host's database is down.");
      return new Promise((resolve) => waiting.set(order_id, resolve));
    },
    release: async () => {},
  };
  return Object.assign(control, catalog, { waiting });
}

/** A shop whose clock runs, with a payment method for each of the two gateways. */
async function shopWith(
  storage: Storage,
  gateway: PaymentGateway,
  options: Partial<StorefrontOptions> = {},
) {
  const began = performance.now();
  let offset = 0;
  const shop = await createShop(storage, {
    limits: { checkout: null },
    gateways: [sandboxGateway(), gateway, briskGateway],
    now: () => start + offset + Math.floor(performance.now() - began),
    ...options,
  });
  // Its code loads at the first call.
  await shop.storefront.runMaintenance();

  const methodOf = async (id: string) => {
    const method = { type: "pix" as const, name: id, currencies: [currency], gateway: id };
    return (await shop.owner.paymentMethods.create(shop.a.id, method)).id;
  };
  const methods = { quiet: await methodOf("quiet"), brisk: await methodOf("brisk") };

  const buy = async (from: keyof typeof methods, times = 1, body: Record<string, unknown> = {}) => {
    const orders: string[] = [];
    for (let turn = 0; turn < times; turn += 1) {
      const order = await shop.buy(body, {}, { payment_method_id: methods[from] });
      orders.push(order?.id ?? "");
    }
    return orders;
  };
  const where = { store_id: shop.a.id, livemode: false };
  const statusOf = async (id: string) => (await shop.storefront.orders.retrieve(id, where)).status;
  const statuses = async (ids: readonly string[]) => new Set(await Promise.all(ids.map(statusOf)));
  const later = (ms: number): void => {
    offset += ms;
  };
  return { shop, where, buy, statusOf, statuses, later };
}

describe.each(storages)("a gateway that does not answer a run of maintenance, on %s", (_, open) => {
  test("holds up neither another gateway nor another job, and its late answers are written", async () => {
    const quiet = quietGateway();
    const { shop, where, buy, statusOf, statuses, later } = await shopWith(
      await open(),
      quiet.gateway,
    );
    quiet.paysAtOnce = true;
    const [refunded = ""] = await buy("quiet");
    await shop.storefront.orders.refund(refunded, { ...where, reference: "r1" });
    quiet.paysAtOnce = false;
    const waiting = await buy("quiet", 45);
    later(1_000);
    const answered = await buy("brisk", 3);

    later(25 * hour);
    const maxDurationMs = 5_000;
    const run = shop.storefront.runMaintenance({ maxDurationMs });
    await wait(maxDurationMs);
    expect(await statuses(answered)).toEqual(new Set(["paid"]));
    expect(quiet.most).toBe(8);

    await wait(200);
    for (const { answer } of quiet.questions) answer();
    const { jobs } = await run;
    expect(jobs.rows).toEqual({ done: expect.any(Number), left: false });
    expect(jobs.rows.done).toBeGreaterThan(0);
    const behind = [jobs.returns, jobs.renewals, jobs.events, jobs.stats, jobs.index];
    expect(behind.map(({ left }) => left)).toEqual([false, false, false, false, false]);

    const asked = quiet.questions.map(({ id }) => id);
    expect(asked).toHaveLength(new Set(asked).size);
    await vi.waitFor(async () => expect(await statusOf(refunded)).toBe("refunded"), patience);
    await vi.waitFor(async () => {
      const states = await Promise.all(waiting.map(statusOf));
      expect(states.filter((status) => status === "paid")).toHaveLength(7);
    }, patience);
    expect(shop.alerts).toEqual([]);
  });
});

// How a run divides its time is decided above the storage: it is the same on each one.

describe("the time of a run beside one who does not answer", () => {
  afterEach(() => void vi.useRealTimers());

  /** Runs maintenance for its 25 seconds, on a clock of the test, and a minute more. */
  async function runAll(shop: Awaited<ReturnType<typeof shopWith>>["shop"]) {
    const report = shop.storefront.runMaintenance();
    await vi.advanceTimersByTimeAsync(90_000);
    return report;
  }
  const useClock = (): void =>
    void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });

  test("the accounts of a gateway that answers none of them count as one", async () => {
    useClock();
    const quiet = quietGateway();
    const account = async () => {
      quiet.accounts += 1;
      return `acct_${quiet.accounts}`;
    };
    const { shop, buy, statuses, later } = await shopWith(memoryStorage(), {
      ...quiet.gateway,
      account,
    });
    await buy("quiet", 200);
    later(1_000);
    const answered = await buy("brisk", 3);

    later(10 * minute);
    await runAll(shop);
    expect(quiet.questions).toHaveLength(40);
    expect(await statuses(answered)).toEqual(new Set(["paid"]));
  });

  test("an account without answers holds up no other account of a gateway that answers", async () => {
    useClock();
    const quiet = quietGateway();
    let account = "acct_silent";
    const gatewayOf = (asked: string | null) =>
      asked === "acct_silent" ? quiet.gateway : briskGateway;
    const { shop, buy, statuses, later } = await shopWith(memoryStorage(), {
      ...quiet.gateway,
      account: async () => account,
      getPayment: async (payment) =>
        (await gatewayOf(payment.account).getPayment?.(payment)) ?? null,
    });
    await buy("quiet", 8);
    account = "acct_brisk";
    const answered = await buy("quiet", 60);

    later(10 * minute);
    await runAll(shop);
    expect(quiet.questions).toHaveLength(8);
    expect(await statuses(answered)).toEqual(new Set(["paid"]));
  });

  test("a run that fails ends after the questions that it has begun", async () => {
    useClock();
    const quiet = quietGateway();
    const storage = memoryStorage();
    const down = new Error("The database is down.");
    let isDown = false;
    const { shop, buy, statuses, later } = await shopWith(
      { ...storage, purge: (...args) => (isDown ? Promise.reject(down) : storage.purge(...args)) },
      quiet.gateway,
    );
    const waiting = await buy("quiet");
    later(10 * minute);

    isDown = true;
    let hasEnded = false;
    const run = shop.storefront
      .runMaintenance()
      .catch((error: unknown) => error)
      .finally(() => {
        hasEnded = true;
      });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(quiet.questions).toHaveLength(1);
    expect(hasEnded).toBe(false);

    for (const { answer } of quiet.questions) answer();
    expect(await run).toBe(down);
    expect(await statuses(waiting)).toEqual(new Set(["paid"]));
  });

  test("a row whose lease has ended while it was held is left to the run that claims it", async () => {
    useClock();
    const quiet = quietGateway();
    const { shop, buy, later } = await shopWith(memoryStorage(), quiet.gateway);
    await buy("quiet", 16);
    later(10 * minute);
    const answerAll = async (): Promise<void> => {
      for (const { answer } of quiet.questions) answer();
      // What is written of an answer takes real turns of the event loop.
      for (let turn = 0; turn < 100; turn += 1) {
        await wait(5);
        await vi.advanceTimersByTimeAsync(10);
      }
    };

    const first = shop.storefront.runMaintenance();
    await vi.advanceTimersByTimeAsync(16_000);
    const begun = new Set(quiet.questions.map(({ id }) => id));
    const other = shop.storefront.runMaintenance();
    await vi.advanceTimersByTimeAsync(1_000);
    for (let second = 0; second < 4; second += 1) await answerAll();
    await vi.advanceTimersByTimeAsync(90_000);
    await Promise.all([first, other]);

    const held = quiet.questions.map(({ id }) => id).filter((id) => !begun.has(id));
    expect(held).toHaveLength(8);
    expect(new Set(held).size).toBe(8);
  });

  test("a gateway that answers after seven seconds goes on being asked, eight at once", async () => {
    useClock();
    const quiet = quietGateway();
    const { shop, buy, later } = await shopWith(memoryStorage(), quiet.gateway);
    await buy("quiet", 60);
    later(10 * minute);

    const run = runAll(shop);
    let answered = 0;
    const answerNext = (): void => {
      for (const { answer } of quiet.questions.slice(answered)) setTimeout(answer, 7_000);
      answered = quiet.questions.length;
      setTimeout(answerNext, 100);
    };
    answerNext();
    const report = await run;
    expect(quiet.most).toBe(8);
    expect(report.payments_settled).toBeGreaterThanOrEqual(24);
    expect(report.payments_settled).toBe(quiet.questions.length);
    expect(new Set(quiet.questions.map(({ id }) => id)).size).toBe(quiet.questions.length);
  });

  test("a host's catalog that does not answer holds up no other job, and the run ends", async () => {
    useClock();
    const catalog = silentCatalog();
    const quiet = quietGateway();
    const { shop, buy, statuses, later } = await shopWith(memoryStorage(), quiet.gateway, {
      catalog,
    });
    for (let turn = 0; turn < 2; turn += 1) await shop.buy({ items });
    const waiting = await buy("brisk", 12, { items });

    later(25 * hour);
    catalog.isSilent = true;
    const { jobs, payments_settled } = await runAll(shop);
    expect(jobs.rows).toEqual({ done: expect.any(Number), left: false });
    expect(jobs.rows.done).toBeGreaterThan(0);
    expect(payments_settled).toBe(12);
    expect(await statuses(waiting)).toEqual(new Set(["paid"]));
  });

  test("a payment whose host's catalog does not answer gives its place back, and is settled late", async () => {
    useClock();
    const catalog = silentCatalog();
    catalog.isSilent = true;
    const quiet = quietGateway();
    const { shop, where, buy, statuses, later } = await shopWith(memoryStorage(), quiet.gateway, {
      catalog,
    });
    const hanging = await buy("brisk", 24, { items });
    later(1_000);
    const behind = await buy("brisk", 6, { items });

    later(10 * minute);
    const run = shop.storefront.runMaintenance();
    await vi.advanceTimersByTimeAsync(24_000);
    expect(await statuses([...hanging, ...behind])).toEqual(new Set(["paid"]));
    const told = shop.errors.filter((error) => String(error).includes("longer than 2 s"));
    expect(told).toHaveLength(30);
    expect(await run).toMatchObject({ payments_settled: 30, stopped_by: "idle", more: false });

    for (const answer of catalog.waiting.values()) answer();
    catalog.waiting.clear();
    await vi.waitFor(async () => {
      const [order] = await Promise.all(
        behind.map((id) => shop.storage.orders.find("order", where, id)),
      );
      expect(order?.reserved).toBe(false);
    }, patience);
    later(2 * minute);
    await runAll(shop);
    expect([...catalog.waiting.keys()]).toEqual([]);
  });

  test("a run is idle beside a row without an answer, which a later run finds again", async () => {
    useClock();
    const catalog = silentCatalog();
    const quiet = quietGateway();
    const { shop, later } = await shopWith(memoryStorage(), quiet.gateway, { catalog });
    await shop.buy({ items });
    later(2 * minute);
    catalog.isSilent = true;

    const idle = { stopped_by: "idle", more: false };
    const first = shop.storefront.runMaintenance();
    await vi.advanceTimersByTimeAsync(5_000);
    const beside = await shop.storefront.runMaintenance();
    expect(beside).toMatchObject({ ...idle, jobs: { orders: { done: 0, left: false } } });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await first).toMatchObject({ ...idle, jobs: { orders: { done: 1, left: false } } });
    expect(catalog.waiting.size).toBe(1);

    later(10 * minute);
    const next = shop.storefront.runMaintenance();
    await vi.advanceTimersByTimeAsync(1_000);
    for (const answer of catalog.waiting.values()) answer();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await next).toMatchObject({ ...idle, reservations_settled: 1 });
  });

  test("a run that is held up ends a minute after it is aborted", async () => {
    useClock();
    const catalog = silentCatalog();
    const quiet = quietGateway();
    const { shop, later } = await shopWith(memoryStorage(), quiet.gateway, { catalog });
    for (let turn = 0; turn < 12; turn += 1) await shop.buy({ items });

    later(10 * minute);
    catalog.isSilent = true;
    const stop = new AbortController();
    const { signal } = stop;
    let report: object | undefined;
    const run = shop.storefront.runMaintenance({ maxDurationMs: hour, signal }).then((ended) => {
      report = ended;
    });
    await vi.advanceTimersByTimeAsync(30_000);
    stop.abort();
    await vi.advanceTimersByTimeAsync(minute + 1_000);
    expect(report).toMatchObject({ stopped_by: "aborted" });
    await run;
  });

  test("a host's onAlert that does not return holds up no job", async () => {
    useClock();
    const quiet = quietGateway();
    const told: string[] = [];
    const { shop, buy, later } = await shopWith(memoryStorage(), quiet.gateway, {
      onAlert: ({ type }) => {
        told.push(type);
        return new Promise(() => {});
      },
    });
    await shop.storage.orders.raiseOrderAlert({
      ...{ id: "alr_1", store_id: shop.a.id, livemode: false, type: "oversold" },
      ...{ subject: "ord_1", data: {}, created_at: start },
    });
    const [order = ""] = await buy("brisk");
    later(10 * minute);
    const run = shop.storefront.runMaintenance({ maxDurationMs: 1_000 });
    await vi.advanceTimersByTimeAsync(6_000);
    expect(told).toEqual(["oversold"]);
    expect(await run).toMatchObject({ payments_settled: 1, stopped_by: "idle" });
    expect(order).not.toBe("");
  });
});
