import { beforeEach, describe, expect, test } from "vitest";
import { type CatalogSource, sandboxGateway } from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";
import { hostCatalog, type Moment, type StockBook } from "../support/host-stock.ts";
import { type Answer, createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const halfHour = 30 * 60_000;

describe.each(storages)("pieces that the host's catalog has reserved, on %s", (_name, open) => {
  let shop: Shop;
  let book: StockBook;
  let told: Moment[];
  let at: (moment: Moment) => void | Promise<void>;
  let refuses: boolean;
  /** The end of each reservation that was asked for. */
  let until: string[];
  /** The gateway lets the buyer pay until then, in epoch milliseconds. */
  let slow: number | null;
  beforeEach(async () => {
    [book, told, at, refuses] = [{ free: 5, kept: {}, sold: {} }, [], () => {}, false];
    [until, slow] = [[], null];
    const own = hostCatalog({
      read: () => book,
      write: (next) => {
        book = next;
      },
      at: (moment) => {
        told.push(moment);
        return at(moment);
      },
    });
    const reserve: CatalogSource["reserve"] = async (asked) => {
      until.push(asked.expires_at);
      return !refuses && ((await own.reserve?.(asked)) ?? true);
    };
    const sandbox = sandboxGateway();
    const gateway: PaymentGateway = {
      ...sandbox,
      async createPayment(request) {
        const result = await sandbox.createPayment(request);
        return slow === null ? result : { ...result, expires_at: slow };
      },
    };
    const catalog = { ...own, reserve };
    shop = await createShop(await open(), {
      limits: { checkout: null },
      gateways: [gateway],
      catalog,
    });
  });

  const openSession = (body: object = {}): Promise<Answer> =>
    shop.session({ items: [{ product_id: "42", quantity: 2 }], ...body });
  const submit = async (made: Answer, more: object = {}, outcome = "succeed") =>
    shop.storefront.checkout.submit(shop.tokenOf(made), {
      payment_method_id: shop.a.method_id,
      input: { outcome },
      ...more,
    });
  const where = () => ({ store_id: shop.a.id, livemode: false });
  const inMinutes = (minutes: number): string =>
    new Date(shop.now() + minutes * 60_000).toISOString();
  const ledger = () => ({
    free: book.free,
    kept: Object.values(book.kept),
    sold: Object.values(book.sold),
  });
  const untouched = { free: 5, kept: [], sold: [] };
  const sweep = async (): Promise<number> =>
    (await shop.storefront.runMaintenance()).holds_released;
  /** A coupon that a submission without an e-mail cannot use, although its session could. */
  const couponPerCustomer = () =>
    shop.owner.coupons.create(shop.a.id, {
      code: "ONCE",
      discount_type: "percentage",
      discount_amount: 10,
      max_uses_per_customer: 1,
    });
  const failOnce = (moment: Moment) => {
    let isOver = false;
    at = (now) => {
      if (isOver || now !== moment) return;
      isOver = true;
      throw new Error("The connection to the host's database was lost.");
    };
  };

  test.each<Moment>(["before reserve", "after reserve"])(
    "of a process that died %s are given back after the session's end",
    async (moment) => {
      const made = await openSession();
      at = (now) => (now === moment ? new Promise<void>(() => {}) : undefined);
      void submit(made);
      await expect.poll(() => told).toContain(moment);

      at = () => {};
      shop.advance(halfHour - 1);
      expect(await sweep()).toBe(0);
      shop.advance(1);
      expect(await sweep()).toBe(1);
      expect(ledger()).toEqual(untouched);
    },
  );

  test("are given back at once when the answer of `reserve` is lost, and the buyer can pay then", async () => {
    const made = await openSession();
    failOnce("after reserve");
    expect(await thrownBy(submit(made))).toMatchObject({ code: "service_unavailable" });
    expect(ledger()).toEqual(untouched);
    expect(await submit(made)).toMatchObject({ status: "paid" });
    expect(ledger()).toEqual({ free: 3, kept: [], sold: [2] });
  });

  test.each<Moment>(["before release", "after release"])(
    "by a submission that is refused, whose release fails %s, are given back by maintenance",
    async (moment) => {
      await couponPerCustomer();
      const made = await openSession({ coupon_code: "ONCE" });
      failOnce(moment);
      expect(await thrownBy(submit(made))).toMatchObject({ code: "coupon_invalid" });
      expect(told.filter((now) => now === "after reserve")).toHaveLength(1);

      shop.advance(halfHour);
      expect(await sweep()).toBe(1);
      expect(ledger()).toEqual(untouched);
      shop.advance(86_400_000);
      expect(await sweep()).toBe(0);
    },
  );

  test("are sold to the buyer who pays while a failed release waits to be repeated", async () => {
    await couponPerCustomer();
    const made = await openSession({ coupon_code: "ONCE" });
    failOnce("before release");
    await thrownBy(submit(made));

    const customer = { email: "ana@example.com" };
    // For a moment nobody knows whether the release is still on its way.
    expect(await thrownBy(submit(made, { customer }))).toMatchObject({
      code: "service_unavailable",
    });
    shop.advance(30_000);
    expect(await submit(made, { customer })).toMatchObject({ status: "paid" });
    shop.advance(86_400_000);
    expect(await sweep()).toBe(0);
    expect(ledger()).toEqual({ free: 3, kept: [], sold: [2] });
  });

  test("are not kept by a repeat of a submission that was declined", async () => {
    const made = await openSession();
    const key = { idempotency_key: "k" };
    expect(await submit(made, key, "decline")).toMatchObject({ status: "failed" });
    expect(await submit(made, key, "decline")).toMatchObject({ status: "failed" });
    expect(ledger()).toEqual(untouched);
  });

  test("are reserved again for a submission that another one of the session overtakes", async () => {
    const made = await openSession();
    let overtakes = true;
    at = async (moment) => {
      if (moment !== "after reserve" || !overtakes) return;
      overtakes = false;
      expect(await submit(made, {}, "decline")).toMatchObject({ status: "failed" });
      expect(ledger()).toEqual(untouched);
    };
    expect(await submit(made, {}, "pending_then_succeed")).toMatchObject({ status: "pending" });
    expect(ledger()).toEqual({ free: 3, kept: [2], sold: [] });
    expect(await sweep()).toBe(0);
  });

  test("by a submission that the session's end overtakes are given back", async () => {
    const made = await openSession();
    at = async (moment) => {
      if (moment !== "before reserve") return;
      await shop.storefront.checkout.expire(made.body.data.id, where());
    };
    expect(await thrownBy(submit(made))).toMatchObject({ code: "session_expired" });
    expect(ledger()).toEqual(untouched);
  });

  test("are those of the order when other submissions of the session are refused", async () => {
    await couponPerCustomer();
    const made = await openSession({ coupon_code: "ONCE" });
    const customer = { email: "ana@example.com" };
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        submit(made, index % 3 === 0 ? { customer } : {}, "pending_then_succeed"),
      ),
    );
    const paid = results.filter(({ status }) => status === "fulfilled");
    const held = paid.length > 0 ? { free: 3, kept: [2], sold: [] } : untouched;
    expect(ledger()).toEqual(held);

    shop.advance(30_000);
    await submit(made, { customer }, "pending_then_succeed");
    await shop.storefront.checkout.resume(shop.tokenOf(made));
    expect(ledger()).toEqual({ free: 3, kept: [], sold: [2] });
    expect((await shop.owner.alerts.list(shop.a.id)).data).toEqual([]);
  });

  test.each<Moment>(["before reserve", "after reserve"])(
    "for a hold stay held until its old time when it cannot be extended: an error %s",
    async (moment) => {
      const { checkout } = shop.storefront;
      const { id } = (await openSession()).body.data;
      await checkout.hold(id, { ...where(), until: inMinutes(10) });
      failOnce(moment);
      expect(await thrownBy(checkout.hold(id, { ...where(), until: inMinutes(20) }))).toMatchObject(
        { code: "service_unavailable" },
      );
      expect(ledger()).toEqual({ free: 3, kept: [2], sold: [] });

      shop.advance(10 * 60_000 - 1);
      expect(await sweep()).toBe(0);
      shop.advance(1);
      expect(await sweep()).toBe(1);
      expect(ledger()).toEqual(untouched);
    },
  );

  test("for a hold stay held when the catalog refuses to extend it, and the order takes them", async () => {
    const { checkout } = shop.storefront;
    const made = await openSession();
    const { id } = made.body.data;
    await checkout.hold(id, { ...where(), until: inMinutes(10) });
    refuses = true;
    expect(await thrownBy(checkout.hold(id, { ...where(), until: inMinutes(20) }))).toMatchObject({
      code: "insufficient_stock",
    });
    refuses = false;
    expect(ledger()).toEqual({ free: 3, kept: [2], sold: [] });
    expect(await submit(made)).toMatchObject({ status: "paid" });
    expect(ledger()).toEqual({ free: 3, kept: [], sold: [2] });
  });

  test("are asked for beyond the time of their payment, and longer where the gateway says so", async () => {
    const session = await openSession();
    await submit(session, {}, "pending_then_succeed");
    const hour = 3_600_000;
    expect(until.map((time) => Date.parse(time) - shop.now())).toEqual([2 * hour]);

    slow = shop.now() + 7 * 24 * hour;
    await submit(await openSession(), {}, "pending_then_succeed");
    expect(until.slice(1).map((time) => Date.parse(time) - shop.now())).toEqual([
      2 * hour,
      (7 * 24 + 1) * hour,
    ]);
    expect(ledger()).toEqual({ free: 1, kept: [2, 2], sold: [] });
  });

  test("for a hold that twenty calls extend at once are kept once, until the last of their times", async () => {
    const { checkout } = shop.storefront;
    const { id } = (await openSession()).body.data;
    await checkout.hold(id, { ...where(), until: inMinutes(5) });
    const minutes = Array.from({ length: 20 }, (_, index) => 6 + index);
    const moved = await Promise.allSettled(
      minutes.map((minute) => checkout.hold(id, { ...where(), until: inMinutes(minute) })),
    );
    expect(moved.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(ledger()).toEqual({ free: 3, kept: [2], sold: [] });
    shop.advance(halfHour);
    expect(await sweep()).toBe(1);
    expect(ledger()).toEqual(untouched);
  });
});
