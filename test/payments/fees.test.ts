import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage, sandboxGateway } from "vitrine";
import type { PaymentGateway, PaymentResult } from "vitrine/gateway";
import { textOf } from "../support/reply-text.ts";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { open as awaited, paid, scriptedShop } from "./scripted-shop.ts";

const hourMs = 3_600_000;
const fee = { amount: 79, currency: "BRL" };

describe.each(storages)("what the provider keeps, on %s", (_name, open) => {
  let shop: Awaited<ReturnType<typeof scriptedShop>>;
  beforeEach(async () => {
    shop = await scriptedShop(await open());
  });

  const span = () => ({
    ...shop.where,
    from: new Date(shop.now() - 48 * hourMs).toISOString(),
    to: new Date(shop.now() + hourMs).toISOString(),
  });
  const stats = async (currency = "BRL") => {
    const { currencies } = await shop.owner.stats({ ...span(), interval: "hour" });
    return currencies.find((each) => each.currency === currency);
  };
  const books = async () => {
    const { body } = await shop.owner.exportBooks({ ...span(), locale: "en" });
    const [head = "", ...lines] = ((await textOf(body)) ?? "").trim().split("\r\n");
    const columns = head.split(",");
    return lines.map((line) => {
      const cells = line.split(",");
      const cell = (name: string) => cells[columns.indexOf(name)];
      return [cell("Entry"), cell("Currency"), cell("Net"), cell("Fee"), cell("After fees")];
    });
  };
  const payment = async (order_id: string) =>
    (await shop.owner.payments.list({ ...shop.where, order_id })).data[0];
  const buy = async (answer: Partial<PaymentResult>) =>
    (await shop.submit(await shop.session(), { ...paid, reference: "p_1", ...answer })).order;

  test("stands with the payment, in the timeline, the numbers and the books, and not in the API", async () => {
    const order = await buy({ fee });
    expect(await payment(order.id)).toMatchObject({ status: "succeeded", fee });
    const entries = await shop.owner.orders.timeline({ ...shop.where, order_id: order.id });
    expect(entries.find(({ type }) => type === "attempt")).toMatchObject({ attempt: { fee } });
    expect((await stats())?.totals).toMatchObject({
      amount_net: 1000,
      fees_told: 1,
      amount_fees: 79,
      amount_after_fees: 921,
    });
    expect(await books()).toEqual([["Sale", "BRL", "10.00", "0.79", "9.21"]]);
    const { body } = await shop.get(`/orders/${order.id}`, { key: shop.a.test.sec });
    expect(body.fee).toBeUndefined();
  });

  test("is not told where the gateway does not say, which is not the same as nothing", async () => {
    const order = await buy({});
    expect(await payment(order.id)).toMatchObject({ fee: null });
    expect((await stats())?.totals).toMatchObject({ fees_told: 0, amount_fees: 0 });
    expect(await books()).toEqual([["Sale", "BRL", "10.00", "", "10.00"]]);

    await shop.tell({ ...paid, reference: "p_1", fee: { amount: 0, currency: "BRL" } });
    expect((await stats())?.totals).toMatchObject({ fees_told: 1, amount_fees: 0 });
    expect(await books()).toEqual([["Sale", "BRL", "10.00", "0.00", "10.00"]]);
  });

  test("counts in the hour of the money, once, however late and often it is told", async () => {
    const order = await buy({});
    const paid_at = shop.now();
    shop.advance(30 * hourMs);
    for (let told = 0; told < 3; told += 1) await shop.tell({ ...paid, reference: "p_1", fee });
    expect(await payment(order.id)).toMatchObject({ fee });

    const { totals, series = [] } = (await stats()) ?? {};
    expect(totals).toMatchObject({ orders_paid: 1, amount_gross: 1000, amount_fees: 79 });
    const hour = new Date(Math.floor(paid_at / hourMs) * hourMs).toISOString();
    expect(series.filter(({ amount_fees }) => amount_fees !== 0)).toMatchObject([
      { start: hour, fees_told: 1, amount_fees: 79, amount_after_fees: 921 },
    ]);
  });

  test("is corrected by a later report, and a refund does not bring it back", async () => {
    const order = await buy({ fee });
    await shop.tell({ ...paid, reference: "p_1", fee: { amount: 85, currency: "BRL" } });
    await shop.storefront.orders.refund(order.id, { ...shop.where, reference: "r_1" });
    shop.advance(hourMs);
    expect((await stats())?.totals).toMatchObject({
      amount_net: 0,
      fees_told: 1,
      amount_fees: 85,
      amount_after_fees: -85,
    });
    expect(await books()).toEqual([
      ["Sale", "BRL", "10.00", "0.85", "9.15"],
      ["Refund", "BRL", "-10.00", "", "-10.00"],
    ]);
  });

  test("in another currency stands alone, so that each currency adds up", async () => {
    await buy({ fee: { amount: 17, currency: "USD" } });
    expect((await stats())?.totals).toMatchObject({ fees_told: 0, amount_fees: 0 });
    expect((await stats("USD"))?.totals).toMatchObject({
      orders_paid: 0,
      fees_told: 0,
      amount_fees: 17,
      amount_after_fees: -17,
    });
    expect(await books()).toEqual([
      ["Sale", "BRL", "10.00", "", "10.00"],
      ["Fee", "USD", "0.00", "0.17", "-0.17"],
    ]);

    await shop.tell({ ...paid, reference: "p_1", fee });
    expect((await stats())?.totals).toMatchObject({ fees_told: 1, amount_fees: 79 });
    expect((await stats("USD"))?.totals.amount_fees ?? 0).toBe(0);
  });

  test("of money that pays nothing is kept with its payment alone", async () => {
    const first = await shop.submit(await shop.session(), { ...awaited, reference: "p_1" });
    await shop.tell({ ...paid, reference: "p_1", payment_reference: "m_1", fee });
    const twice = { ...paid, reference: "p_1", payment_reference: "m_2" };
    await shop.tell({ ...twice, fee: { amount: 500, currency: "BRL" } });

    expect(await payment(first.order.id)).toMatchObject({ status: "succeeded", fee });
    expect((await stats())?.totals).toMatchObject({ fees_told: 1, amount_fees: 79 });
    const also_received = [{ payment_reference: "m_3", amount: 1000 }];
    await shop.tell({ ...paid, reference: "p_1", payment_reference: "m_1", fee, also_received });
    expect((await stats())?.totals).toMatchObject({ fees_told: 1, amount_fees: 79 });
  });

  test("of two items is divided among them", async () => {
    const cup = { name: "Cup", price: 700, currency: "BRL" };
    const { id } = await shop.owner.products.create(shop.a.id, cup);
    const items = [shop.product.id, id].map((product_id) => ({ product_id, quantity: 1 }));
    const session = await shop.session({ items });
    await shop.submit(session, { ...paid, amount: 1700, reference: "p_1", fee });
    const file = await shop.owner.exportBooks({ ...span(), lines: "items", locale: "en" });
    const [head = "", ...lines] = ((await textOf(file.body)) ?? "").trim().split("\r\n");
    const at = head.split(",").indexOf("Fee");
    const parts = lines.map((line) => Math.round(100 * Number(line.split(",")[at])));
    expect(parts).toEqual([46, 33]);
  });
});

test.each([
  [{ amount: -1, currency: "BRL" }],
  [{ amount: 1.5, currency: "BRL" }],
  [{ amount: "79", currency: "BRL" }],
  [{ amount: 79, currency: "brl" }],
  [{ amount: 79 }],
  [79],
  [null],
])("a fee that cannot be one is dropped and reported, and the payment stands: %j", async (told) => {
  const sandbox = sandboxGateway();
  const gateway: PaymentGateway = {
    ...sandbox,
    createPayment: async (request) =>
      ({ ...(await sandbox.createPayment(request)), fee: told }) as never,
  };
  const shop = await createShop(memoryStorage(), { gateways: [gateway] });
  const order = await shop.buy();
  expect(order.status).toBe("paid");
  const { data } = await shop.owner.payments.list({ store_id: shop.a.id, livemode: false });
  expect(data[0]).toMatchObject({ status: "succeeded", fee: null });
  expect(String(shop.errors[0])).toContain("fee cannot be used");
});
