import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Order } from "vitrine";
import { archiveFolder } from "vitrine/archive";
import type { ArchivedOrder, ArchiveFiles, MoveResult } from "vitrine/owner";
import { textOf } from "../support/reply-text.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const day = 86_400_000;
/** The tests sell in the month of `start`. */
const month = "2026-01";

test("a folder without a path is refused at once", () => {
  for (const folder of [undefined, ""])
    expect(() => archiveFolder(folder as never)).toThrow("takes the path of a folder");
});

describe.each(storages)("the archive on %s", (_name, open) => {
  let shop: Shop;
  let folder: string;
  let files: ArchiveFiles;
  let where: { store_id: string; livemode: boolean };
  beforeEach(async () => {
    shop = await createShop(await open());
    folder = mkdtempSync(join(tmpdir(), "vitrine-archive-"));
    files = archiveFolder(folder);
    where = { store_id: shop.a.id, livemode: false };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const archive = () => shop.owner.archive;
  const move = (): Promise<MoveResult> => archive().move({ ...where, month }, files);
  const customer = { name: "Ana Souza", email: "ana@example.com" };
  const sell = (body: Record<string, unknown> = {}): Promise<Order> =>
    shop.buy(body, {}, { customer });
  const pastIt = (): void => shop.advance(580 * day);

  async function settle(): Promise<void> {
    await shop.storefront.drainWebhooks();
    while ((await shop.storefront.runMaintenance()).more);
  }

  const listed = async (): Promise<readonly string[]> =>
    (await shop.owner.orders.list(where)).data.map(({ id }) => id);

  test("a month that is over goes into a file, and is read from there by id, number and month", async () => {
    const plain = await sell();
    const refunded = await sell({ coupon_code: "SAVE10" });
    await shop.storefront.orders.refund(refunded.id, { ...where, reference: "r_1", amount: 100 });
    const disputed = await sell();
    await shop.storefront.orders.openDispute(disputed.id, { ...where, reference: "d_1" });
    await shop.storefront.orders.closeDispute(disputed.id, {
      ...where,
      reference: "d_1",
      outcome: "won",
    });
    await shop.owner.orders.addNote({ ...where, order_id: plain.id, text: "Called the buyer." });
    const before = await shop.owner.orders.retrieve({ ...where, order_id: refunded.id });
    pastIt();
    await settle();
    const stays = await sell();

    const result = await move();
    expect(result).toMatchObject({ month, complete: true, moved: 3, stayed: {} });
    expect(result.written).toMatchObject([
      { orders: 3, first_number: plain.number, last_number: disputed.number },
    ]);
    expect(await listed()).toEqual([stays.id]);
    expect(await archive().months(shop.a.id)).toEqual({ live: [], test: [month] });

    const byId = await archive().find({ ...where, order_id: refunded.id }, files);
    expect(byId).toMatchObject({ ...before, updated_at: expect.any(String) });
    expect(byId?.refunds).toMatchObject([{ reference: "r_1", amount: 100, status: "succeeded" }]);
    expect(byId?.payments).toMatchObject([{ status: "succeeded", money: [{ status: "booked" }] }]);
    const byNumber = await archive().find({ ...where, number: plain.number }, files);
    expect(byNumber?.notes).toMatchObject([{ text: "Called the buyer." }]);
    expect(byNumber?.session?.id).toBe(plain.checkout_session_id);

    const read: ArchivedOrder[] = [];
    for await (const order of await archive().read({ ...where, month }, files)) read.push(order);
    expect(read.map(({ number }) => number)).toEqual([
      plain.number,
      refunded.number,
      disputed.number,
    ]);
    expect(read[2]?.disputes).toMatchObject([{ reference: "d_1", status: "won" }]);
    expect(await archive().find({ ...where, order_id: stays.id }, files)).toBeNull();
    expect(await move()).toMatchObject({ moved: 0, written: [] });
  });

  test("numbers, uses of coupons, totals and order numbers stay as they were", async () => {
    const first = await sell({ coupon_code: "SAVE10" });
    const order = await shop.buy(
      { coupon_code: "SAVE10" },
      {},
      { customer: { ...customer, id: "c_1" } },
    );
    const span = { from: shop.now() - day, to: shop.now() + day, interval: "day" } as const;
    const numbers = () => shop.owner.stats({ ...where, ...span });
    pastIt();
    await settle();

    const customers = async () =>
      (await shop.owner.customers.list(where)).data.map(({ id, totals }) => ({ id, totals }));
    const coupons = async () => (await shop.owner.coupons.list(shop.a.id)).data;
    const known = [await numbers(), await customers(), await coupons()];
    expect(await move()).toMatchObject({ moved: 2 });

    expect([await numbers(), await customers(), await coupons()]).toEqual(known);
    const paged = await shop.owner.customers.retrieve({ ...where, customer_id: "c_1" });
    expect(paged.orders).toEqual([]);
    expect((await sell()).number).toBe(order.number + 1);
    expect(first.number).toBe(order.number - 1);
  });

  test("an order stays until its sale is counted, so that no sale is lost", async () => {
    const span = { from: shop.now() - day, to: shop.now() + day };
    await sell();
    await shop.buy({}, {}, { customer: { ...customer, email: "rui@example.com" } });
    const sales = () => shop.owner.sales({ ...where, ...span });
    await shop.storefront.drainWebhooks();
    pastIt();
    const before = await sales();
    expect(before.currencies).toMatchObject([{ products_by_pieces: [{ orders: 2 }] }]);

    const first = await move();
    const { not_counted = 0 } = first.stayed;
    expect(first.moved + not_counted).toBe(2);
    expect(await sales()).toEqual(before);

    await settle();
    expect(await move()).toMatchObject({ moved: not_counted, stayed: {} });
    expect(await listed()).toEqual([]);
    expect(await sales()).toEqual(before);
  });

  test("an order that is not over stays, and the result says why", async () => {
    const open = await sell();
    await shop.storefront.orders.openDispute(open.id, { ...where, reference: "d_1" });
    const gives = await shop.owner.products.update(shop.a.id, shop.product.id, {
      delivery: { type: "text", text: "Thank you." },
    });
    const entitled = await sell();
    await shop.owner.products.update(shop.a.id, gives.id, { delivery: null });
    const late = await sell();
    pastIt();
    await settle();
    await shop.owner.orders.addNote({ ...where, order_id: late.id, text: "Asked again." });

    expect(await move()).toMatchObject({
      moved: 0,
      stayed: { changed: 1, dispute_open: 1, entitled: 1 },
    });
    expect(await listed()).toEqual([late.id, entitled.id, open.id]);
    expect(readdirSync(folder)).toEqual([]);
    expect(await archive().months(shop.a.id)).toEqual({ live: [], test: [] });

    await shop.storefront.orders.closeDispute(open.id, {
      ...where,
      reference: "d_1",
      outcome: "won",
    });
    shop.advance(200 * day);
    await settle();
    expect(await move()).toMatchObject({ moved: 2, stayed: { entitled: 1 } });
    expect(await listed()).toEqual([entitled.id]);
  });

  test("books of a month that was moved still add up: its money is a correction of each hour", async () => {
    const refunded = await shop.buy({}, {}, { customer, input: { fee: 79 } });
    await shop.storefront.orders.refund(refunded.id, { ...where, reference: "r_1", amount: 100 });
    const span = { ...where, from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
    const totals = async () =>
      (await shop.owner.stats({ ...span, interval: "month" })).currencies[0]?.totals;
    pastIt();
    await settle();
    const before = await totals();
    expect(await move()).toMatchObject({ moved: 1 });

    expect(await totals()).toEqual(before);
    const file = await textOf((await shop.owner.exportBooks({ ...span, locale: "en" })).body);
    expect(file?.trim().split("\r\n").slice(1)).toEqual([
      expect.stringMatching(
        /^2026-01-15,12:00:00,Correction,,,,BRL,,,10.00,1.00,0.00,9.00,0.79,8.21,/,
      ),
    ]);
  });

  test("an order that was moved is named as archived, by calls about it alone", async () => {
    const order = await sell();
    pastIt();
    await settle();
    await move();

    const reference = { ...where, order_id: order.id };
    const archived = {
      code: "resource_not_found",
      param: "order_id",
      message: "The order is not here: those of 2026-01 are in the archive.",
      details: { archived_in: month },
    };
    expect(await thrownBy(shop.owner.orders.retrieve(reference))).toMatchObject(archived);
    expect(await thrownBy(shop.owner.orders.timeline(reference))).toMatchObject(archived);
    const other = await thrownBy(shop.owner.orders.retrieve({ ...where, order_id: "ord_other" }));
    expect(other).toMatchObject({ code: "resource_not_found", details: { param: "order_id" } });
    expect(String(other)).not.toContain("archive");
  });

  test("wrong months, young months and unknown stores are refused by name", async () => {
    const cases: readonly [wrong: { month?: string; store_id?: string }, param: string][] = [
      [{ month: "2026-13" }, "month"],
      [{ month: "2026-1" }, "month"],
      [{ month: "2026-02" }, "month"],
      [{ store_id: "str_none" }, "store_id"],
    ];
    for (const [wrong, param] of cases) {
      const asked = { ...where, month, ...wrong };
      expect(await thrownBy(archive().move(asked, files)), JSON.stringify(wrong)).toMatchObject({
        param,
      });
    }
    const both = { ...where, order_id: "ord_1", number: 1 };
    expect(await thrownBy(archive().find(both, files))).toMatchObject({ param: "number" });
    expect(await thrownBy(archive().find(where, files))).toMatchObject({ param: "order_id" });
  });

  test("nothing is removed when the files do not give back what was written", async () => {
    const order = await sell();
    pastIt();
    await settle();

    const lost: ArchiveFiles = { ...files, write: async () => {} };
    expect(String(await thrownBy(archive().move({ ...where, month }, lost)))).toContain("lacks");
    const half: ArchiveFiles = {
      ...files,
      write: (name, bytes) => files.write(name, bytes.subarray(0, bytes.length / 2)),
    };
    expect(String(await thrownBy(archive().move({ ...where, month }, half)))).toContain(
      "other bytes",
    );
    expect(await listed()).toEqual([order.id]);
    expect(await move()).toMatchObject({ moved: 1 });
  });

  test("a file whose write was killed is written again before its orders are removed", async () => {
    const order = await sell();
    pastIt();
    await settle();
    // A power cut takes what no write has ended with.
    const safe = new Map<string, Uint8Array>();
    let isKilled = true;
    const cached: ArchiveFiles = {
      ...files,
      async write(name, bytes) {
        await files.write(name, bytes);
        if (isKilled && name.endsWith(".json")) throw new Error("killed");
        safe.set(name, bytes);
      },
    };
    expect(String(await thrownBy(archive().move({ ...where, month }, cached)))).toContain("killed");
    isKilled = false;
    shop.advance(61_000);

    const result = await archive().move({ ...where, month }, cached);
    expect(result).toMatchObject({ moved: 1, written: [] });
    rmSync(folder, { recursive: true });
    for (const [name, bytes] of safe) await files.write(name, bytes);
    const found = await archive().find({ ...where, order_id: order.id }, files);
    expect(found).toMatchObject({ id: order.id });
  });

  test("a file that was changed later is not read", async () => {
    await sell();
    pastIt();
    await settle();
    const { written } = await move();
    const place = join(folder, written[0]?.file ?? "");
    writeFileSync(place, readFileSync(place, "utf8").replace("1000", "1001"));

    const asked = archive().find({ ...where, number: written[0]?.first_number ?? 0 }, files);
    expect(String(await thrownBy(asked))).toContain("other bytes");
  });

  test.each(["list", "read", "write", "remove"])(
    "files without %s are refused by name",
    async (part) => {
      const lacking = { ...files, [part]: "x" } as never;
      const asked = { ...where, month };
      const order = { ...where, number: 1 };
      const customer = { store_id: shop.a.id, customer_id: "u_1" };
      for (const call of [
        archive().move(asked, lacking),
        archive().find(order, lacking),
        archive().read(asked, lacking),
        archive().eraseCustomer(customer, lacking),
      ])
        expect(await thrownBy(call)).toMatchObject({ code: "invalid_option", param: "files" });
    },
  );

  test("while one call works on a store's archive, another is refused", async () => {
    await sell();
    pastIt();
    await settle();
    let other: unknown = null;
    const slow: ArchiveFiles = {
      ...files,
      async write(name, bytes) {
        other ??= await thrownBy(move());
        return files.write(name, bytes);
      },
    };
    expect(await archive().move({ ...where, month }, slow)).toMatchObject({ moved: 1 });
    expect(other).toMatchObject({ code: "invalid_transition", param: "store_id" });
  });

  test("an erasure reaches the files, and names the months that had the customer", async () => {
    const buyer = { ...customer, id: "c_1" };
    const theirs = await shop.buy({ coupon_code: "SAVE10" }, {}, { customer: buyer });
    const others = await sell();
    await shop.owner.orders.addNote({ ...where, order_id: theirs.id, text: "Ana called." });
    pastIt();
    await settle();
    await move();

    const named = { store_id: shop.a.id, customer_id: "c_1" };
    expect(await archive().eraseCustomer(named, files)).toEqual({
      erased: expect.anything(),
      months: [{ livemode: false, month, orders: 1 }],
    });
    const found = await archive().find({ ...where, order_id: theirs.id }, files);
    expect(found).toMatchObject({
      number: theirs.number,
      amount_total: theirs.amount_total,
      customer: { id: "cus_erased", email: null, name: null },
      notes: [],
      coupon_key: "erased",
    });
    const kept = await archive().find({ ...where, order_id: others.id }, files);
    expect(kept?.customer.email).toBe(customer.email);
    expect((await shop.owner.customers.list(where)).data.map(({ id }) => id)).not.toContain("c_1");
    expect(await archive().eraseCustomer(named, files)).toMatchObject({ months: [] });
  });

  test("two calls that both have a month remove each order once", async () => {
    const orders = await Promise.all([sell(), sell(), sell()]);
    pastIt();
    await settle();
    // The lease of a process that stood still is over: both work.
    let waits: Promise<unknown> = Promise.resolve();
    const slow: ArchiveFiles = {
      ...files,
      async write(name, bytes) {
        await files.write(name, bytes);
        if (!name.endsWith(".json")) return;
        shop.advance(61_000);
        waits = move();
        await waits;
      },
    };
    const first = archive().move({ ...where, month }, slow);
    const ended = await Promise.allSettled([first]);
    expect(await waits).toMatchObject({ moved: 3 });
    expect(ended[0]?.status).toBe("fulfilled");
    expect(await listed()).toEqual([]);
    for (const { id } of orders)
      expect(await archive().find({ ...where, order_id: id }, files)).toMatchObject({ id });
  });
});
