import { expect, test } from "vitest";
import { sandboxGateway } from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";
import { periodsOf } from "../../src/dashboard/lists/periods.ts";
import { roundUp } from "../../src/dashboard/style/charts.ts";
import { createDashboardShop } from "../support/dashboard-shop.ts";
import { storages } from "../support/storages.ts";

const dayMs = 86_400_000;

test("the overview compares a period with the one before it, in figures, charts and a table", async () => {
  const shop = await createDashboardShop();
  const address = `/dashboard/${shop.a.id}/test`;
  const visitor = shop.visitor();
  expect((await visitor.send(address)).body).toContain("Nothing was sold in the last 30 days");

  for (let count = 0; count < 10; count += 1) await shop.buy();
  shop.advance(35 * dayMs);
  await shop.buy();
  const refunded = await shop.buy({}, {}, { input: { outcome: "succeed" } });
  await shop.buy();
  const declined = await shop.session();
  await shop.storefront.checkout.submit(shop.tokenOf(declined), {
    payment_method_id: shop.a.method_id,
    input: { outcome: "decline" },
  });
  await shop.storefront.orders.refund(refunded.id, {
    store_id: shop.a.id,
    livemode: false,
    reference: "refund-1",
    amount: 400,
  });

  const { body } = await visitor.send(address);
  expect(body).toMatch(/Gross sales<\/h3>\s*<strong>R\$30\.00<\/strong>.*-70%/);
  expect(body).toMatch(/Net sales<\/h3>\s*<strong>R\$26\.00<\/strong>/);
  expect(body).toMatch(/Average order<\/h3>\s*<strong>R\$10\.00<\/strong>.*>0%/);
  expect(body).toMatch(/Paid orders<\/h3>\s*<strong>3<\/strong>/);
  expect(body).toMatch(/Conversion<\/h3>\s*<strong>75%<\/strong>.*-25 points/);
  expect(body).toMatch(/Refunds<\/h3>\s*<strong>R\$4\.00<\/strong>/);
  expect(body).toMatch(/Failed payments<\/h3>\s*<strong>1<\/strong>/);
  expect(body).toContain(
    "R$30.00 in the last 30 days, most on Feb 19: R$30.00. In the 30 days before: R$100.00.",
  );
  expect(body?.match(/<time datetime="2026-\d\d-\d\d"/g)).toHaveLength(30);
  expect(body).toMatch(/payments\?status=failed&amp;from=2026-02-19&amp;to=2026-02-19">1</);

  const week = await visitor.send(`${address}?days=7`);
  expect(week.body).toMatch(/Gross sales<\/h3>\s*<strong>R\$30\.00<\/strong>\s*<span/);
  expect(week.body?.match(/<time datetime="2026-\d\d-\d\d"/g)).toHaveLength(7);
  for (const query of ["days=31", "days=%3Cb%3E&currency=XXX"])
    expect((await visitor.send(`${address}?${query}`)).body).toContain("R$30.00 in the last 30");
});

test("fees stand beside the net, with the orders whose fee is known, and else as not told", async () => {
  const shop = await createDashboardShop();
  const address = `/dashboard/${shop.a.id}/test`;
  await shop.buy();
  const none = await shop.visitor().send(address);
  expect(none.body).toMatch(/Fees<\/h3>\s*<strong>not told<\/strong>/);
  expect(none.body).not.toContain("After fees");

  for (const fee of [79, 50]) await shop.buy({}, {}, { input: { fee } });
  const { body } = await shop.visitor().send(address);
  expect(body).toMatch(/Fees<\/h3>\s*<strong>R\$1\.29<\/strong>.*told for 2 of 3 orders/s);
  expect(body).toMatch(/After fees<\/h3>\s*<strong>R\$28\.71<\/strong>/);
  const books = await shop.visitor().send(`${address}/books`);
  expect(books.body).toMatch(/R\$30\.00.*R\$1\.29.*R\$28\.71/s);
});

test("a fee in another currency is shown in that one, and is no fee of 0 in the order's", async () => {
  const sandbox = sandboxGateway();
  const gateway: PaymentGateway = {
    ...sandbox,
    createPayment: async (request) => ({
      ...(await sandbox.createPayment(request)),
      fee: { amount: 17, currency: "USD" },
    }),
  };
  const shop = await createDashboardShop({ storefront: { gateways: [gateway] } });
  await shop.buy();
  const address = `/dashboard/${shop.a.id}/test`;
  const { body } = await shop.visitor().send(address);
  expect(body).toMatch(/Fees<\/h3>\s*<strong>not told<\/strong>/);
  const dollars = await shop.visitor().send(`${address}?currency=USD`);
  expect(dollars.body).toMatch(/Fees<\/h3>\s*<strong>\$0\.17<\/strong>/);
  const books = await shop.visitor().send(`${address}/books`);
  expect(books.body).toMatch(/BRL.*R\$10\.00.*not told.*—.*USD.*\$0\.17/s);
});

test("an average is of paid orders in one currency, and a tiny base shows no change", async () => {
  const shop = await createDashboardShop();
  const { a, owner } = shop;
  const address = `/dashboard/${a.id}/test`;
  for (let count = 0; count < 9; count += 1) await shop.buy();
  shop.advance(35 * dayMs);
  expect((await shop.visitor().send(address)).body).toMatch(
    /Average order<\/h3>\s*<strong>—<\/strong>/,
  );

  await shop.buy();
  await shop.buy({ items: [{ product_id: shop.product.id, quantity: 2 }] });
  await shop.buy({ items: [{ product_id: shop.product.id, quantity: 2 }] });
  const cup = await owner.products.create(a.id, { name: "Cup", price: 700, currency: "USD" });
  const method = await owner.paymentMethods.create(a.id, {
    type: "card",
    name: "Dollars",
    currencies: ["USD"],
    gateway: "sandbox",
  });
  const line = { product_id: cup.id, quantity: 1 };
  await shop.buy({ items: [line] }, {}, { payment_method_id: method.id });

  const { body } = await shop.visitor().send(address);
  expect(body).toMatch(/Average order<\/h3>\s*<strong>R\$16\.67<\/strong>\s*<span class="soft">/);
  expect(body).toMatch(/Gross sales<\/h3>\s*<strong>R\$50\.00<\/strong>\s*<span class="soft">/);
  const usd = await shop.visitor().send(`${address}?currency=USD`);
  expect(usd.body).toMatch(/Average order<\/h3>\s*<strong>\$7\.00<\/strong>/);
});

test.each(storages)(
  "the overview and the numbers tell what each payment method brought, on %s",
  async (_name, open) => {
    const shop = await createDashboardShop({ storage: await open() });
    const { a, owner } = shop;
    const card = await owner.paymentMethods.create(a.id, {
      type: "card",
      name: "Card",
      currencies: ["BRL"],
      gateway: "sandbox",
    });
    const from = new Date(shop.now()).toISOString();
    await shop.buy();
    shop.advance(35 * dayMs);
    await shop.buy();
    await shop.buy();
    await shop.buy({}, {}, { payment_method_id: card.id });
    const declined = await shop.session();
    await shop.storefront.checkout.submit(shop.tokenOf(declined), {
      payment_method_id: card.id,
      input: { outcome: "decline" },
    });

    const to = new Date(shop.now() + dayMs).toISOString();
    const where = { store_id: a.id, livemode: false };
    const { currencies } = await owner.stats({ ...where, from, to, interval: "month" });
    const [brl] = currencies;
    expect(brl?.totals.by_method).toEqual([
      { type: "pix", orders_paid: 3, amount_gross: 3_000 },
      { type: "card", orders_paid: 1, amount_gross: 1_000 },
    ]);
    expect(brl?.series.map(({ by_method }) => by_method.map(({ type }) => type))).toEqual([
      ["pix"],
      ["pix", "card"],
    ]);

    const { body = "" } = await shop.visitor().send(`/dashboard/${a.id}/test`);
    const [, table = ""] = /By payment method(.*?)<\/table>/s.exec(body ?? "") ?? [];
    const cells = [...table.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) =>
      cell.replaceAll(/<[^>]+>/g, "").trim(),
    );
    expect(cells).toEqual([
      ...["Pix", "2", "R$20.00", "66.7%", "R$10.00"],
      ...["Card", "1", "R$10.00", "33.3%", "R$0.00"],
    ]);
  },
);

test("the way to the first sale ticks its steps, and ends for good when all are done", async () => {
  const shop = await createDashboardShop();
  const { owner } = shop;
  const store = await owner.stores.create({ name: "New shop", currency: "BRL" });
  const visitor = shop.visitor();
  const done = async (): Promise<string | undefined> => {
    const { body } = await visitor.send(`/dashboard/${store.id}/test`);
    return /id="steps-done">(\d of \d)/.exec(body ?? "")?.[1];
  };
  expect(await done()).toBe("0 of 6");

  const product = { name: "Cup", price: 1_000, currency: "BRL" };
  const { id } = await owner.products.create(store.id, product);
  await owner.paymentMethods.create(store.id, { type: "pix", name: "Pix", currencies: ["BRL"] });
  await owner.returnUrls.add(store.id, "https://shop.example.com/thanks");
  const partition = { store_id: store.id, livemode: false };
  await owner.keys.create({ ...partition, kind: "secret" });
  await owner.endpoints.create({ ...partition, url: "https://hooks.example.com" });
  expect(await done()).toBe("5 of 6");

  await owner.stores.update(store.id, { headless_enabled: true });
  expect(await done()).toBeUndefined();
  await owner.products.delete(store.id, id);
  expect(await done()).toBeUndefined();
});

test("what needs the owner leads to where it is mended", async () => {
  const shop = await createDashboardShop();
  const { a, owner, storefront } = shop;
  const address = `/dashboard/${a.id}/test`;
  const visitor = shop.visitor();
  expect((await visitor.send(address)).body).toContain("Nothing needs you now.");

  await owner.endpoints.create({
    store_id: a.id,
    livemode: false,
    url: "https://hooks.example.com",
  });
  shop.receiver.answer = () => ({ ok: false, status: 500, error: "http_status" });
  await shop.buy();
  const timeout = { payment_method_id: a.method_id, input: { outcome: "timeout" } };
  await storefront.checkout.submit(shop.tokenOf(await shop.session()), timeout);
  await storefront.drainWebhooks();
  shop.advance(dayMs / 24);
  const { body } = await visitor.send(address);
  expect(body).toMatch(
    /href="[^"]*\/deliveries\?state=pending">\d+ deliver(y is|ies are) waiting</,
  );

  for (let day = 0; day < 4; day += 1) {
    shop.advance(dayMs);
    await storefront.drainWebhooks();
  }
  const later = (await visitor.send(address)).body;
  expect(later).toMatch(/Failing<\/span>\s*<a href="[^"]*\/webhooks\/we_\w+">/);
  expect(later).toMatch(/\/alerts">A webhook endpoint (has taken nothing|was disabled)[^<]*<\/a>/);
});

test("an open dispute says by when it must be answered, until it is closed", async () => {
  const shop = await createDashboardShop();
  const address = `/dashboard/${shop.a.id}/test`;
  const visitor = shop.visitor();
  const order = await shop.buy();
  const dispute = { store_id: shop.a.id, livemode: false, reference: "dp_1" };
  const due_by = "2026-11-30T12:00:00.000Z";
  await shop.storefront.orders.openDispute(order.id, { ...dispute, due_by });

  const overview = (await visitor.send(address)).body;
  expect(overview).toContain(`/orders/${order.id}">R$10.00 of order #${order.number} are disputed`);
  const page = await visitor.send(`${address}/orders/${order.id}`);
  for (const body of [overview, page.body]) expect(body).toContain(`datetime="${due_by}"`);
  expect(page.body).toContain("a dispute without an answer is lost");

  await shop.storefront.orders.closeDispute(order.id, { ...dispute, outcome: "won" });
  expect((await visitor.send(address)).body).toContain("Nothing needs you now.");
  const closed = await visitor.send(`${address}/orders/${order.id}`);
  expect(closed.body).not.toContain("a dispute without an answer is lost");
});

test("any days are compared with as many before them, and a wrong choice of days is none", async () => {
  const shop = await createDashboardShop();
  const visitor = shop.visitor();
  const address = `/dashboard/${shop.a.id}/test`;
  const dayOf = () => new Date(shop.now()).toISOString().slice(0, 10);
  const first = dayOf();
  await shop.buy();
  shop.advance(3 * dayMs);
  const second = dayOf();
  await shop.buy();
  await shop.buy();
  shop.advance(40 * dayMs);
  const sums = async (query: string) => {
    const { body } = await visitor.send(`${address}?${query}`);
    const [, now, before] =
      /Gross sales<\/h3>\s*<strong>(.*?)<\/strong>.*?>(\S+) before/s.exec(body ?? "") ?? [];
    return [now, before];
  };
  expect(await sums(`from=${second}&to=${second}`)).toEqual(["R$20.00", "R$0.00"]);
  const after = new Date(Date.parse(second) + 2 * dayMs).toISOString().slice(0, 10);
  expect(await sums(`from=${second}&to=${after}`)).toEqual(["R$20.00", "R$10.00"]);
  expect(await sums(`from=${first}&to=9999-01-01`)).toEqual(["R$30.00", "R$0.00"]);
  for (const wrong of ["from=x&to=y", `from=${second}&to=${first}`, `from=2020-01-01&to=${first}`])
    expect((await visitor.send(`${address}?${wrong}`)).body).toMatch(/aria-current="true">30 days/);

  // What was typed stays, with the reason why other days are shown.
  const refused = (await visitor.send(`${address}?from=${second}&to=${first}`)).body;
  expect(refused).toContain("These days cannot be shown.");
  expect(refused).toMatch(new RegExp(`name="from"[^>]+value="${second}"`));
  expect(refused).toMatch(new RegExp(`name="to"[^>]+value="${first}"`));
  const taken = (await visitor.send(`${address}?from=${second}&to=${second}`)).body;
  expect(taken).not.toContain("These days cannot be shown.");
});

test("a whole month is compared with the month before, which has more or fewer days", async () => {
  const march = { end: "2026-03-31", before: 28 };
  const now = Date.parse("2026-04-20T12:00:00Z");
  const { days, before, from, middle, to } = periodsOf(now, "America/Sao_Paulo", 31, march);
  expect([before[0], before.at(-1), days[0], days.at(-1)]).toEqual([
    ...["2026-02-01", "2026-02-28"],
    ...["2026-03-01", "2026-03-31"],
  ]);
  expect([from, middle, to]).toEqual([
    "2026-02-01T03:00:00.000Z",
    "2026-03-01T03:00:00.000Z",
    "2026-04-01T03:00:00.000Z",
  ]);

  // The first hours of a month in UTC belong to the month before in this store.
  const shop = await createDashboardShop();
  await shop.owner.stores.update(shop.a.id, { timezone: "America/Sao_Paulo" });
  const at = (time: string) => shop.advance(Date.parse(time) - shop.now());
  at("2026-03-01T02:59:00Z");
  await shop.buy();
  at("2026-03-01T03:01:00Z");
  await shop.buy();
  await shop.buy();
  at("2026-04-01T02:59:00Z");
  await shop.buy();
  at("2026-04-01T03:01:00Z");
  await shop.buy();

  const address = `/dashboard/${shop.a.id}/test`;
  const visitor = shop.visitor();
  const overview = (await visitor.send(address)).body ?? "";
  const [, link = ""] = /<a href="([^"]+)"\s*>March 2026</.exec(overview) ?? [];
  expect(overview).toMatch(/<a href="[^"]+from=2026-04-01&amp;to=2026-04-30"\s*>April 2026</);
  const { body } = await visitor.send(link.replaceAll("&amp;", "&"));
  expect(body).toMatch(/Gross sales<\/h3>\s*<strong>R\$30\.00<\/strong>/);
  expect(body).toMatch(/aria-current="true">March 2026/);
  expect(body).toContain("R$10.00 before");
  expect(body).toContain("The 28 days before");
  expect(body).toContain("Mar 29: R$0.00; 28 days before: —");
});

test("the days of a period are the store's, also where the clocks change", () => {
  const now = Date.parse("2026-03-10T03:30:00Z");
  const { days, before, from, to } = periodsOf(now, "America/New_York", 7);
  expect([days[0], days.at(-1), before[0]]).toEqual(["2026-03-03", "2026-03-09", "2026-02-24"]);
  expect([from, to]).toEqual(["2026-02-24T05:00:00.000Z", "2026-03-10T04:00:00.000Z"]);
  const { days: next } = periodsOf(now + 3_600_000, "America/New_York", 7);
  expect(next.at(-1)).toBe("2026-03-10");

  // In Chile, 6 September 2026 has no midnight: the day begins at one o'clock.
  const spring = periodsOf(Date.parse("2026-09-19T12:00:00Z"), "America/Santiago", 7);
  expect([spring.before[0], spring.from]).toEqual(["2026-09-06", "2026-09-06T04:00:00.000Z"]);
});

test.each([
  [0, 2],
  [2, 2],
  [3, 3],
  [5, 5],
  [101, 150],
  [999, 1000],
])("the scale for %d reaches to %d", (value, top) => {
  expect(roundUp(value)).toBe(top);
});

test("the overview tells best sellers, customers and channels, and no change of a tiny base", async () => {
  const shop = await createDashboardShop({
    storefront: { limits: { checkout: null, sessions: null, coupons: null, orders: null } },
  });
  const { a, owner } = shop;
  const address = `/dashboard/${a.id}/test`;
  const cup = await owner.products.create(a.id, { name: "Cup <b>", price: 700, currency: "BRL" });
  const buy = (product_id: string, email: string) =>
    shop.buy({ items: [{ product_id, quantity: 1 }], customer: { email } });
  for (let count = 0; count < 10; count += 1) await buy(shop.product.id, `${count}@example.com`);
  await buy(cup.id, "cup@example.com");
  shop.advance(35 * dayMs);
  for (let count = 0; count < 5; count += 1) await buy(shop.product.id, "0@example.com");
  await buy(cup.id, "new@example.com");

  const { body } = await shop.visitor().send(address);
  const cardOf = (title: string): string =>
    String(body).split(`<h2>${title}</h2>`)[1]?.split("</section>")[0] ?? "";
  const pieces = cardOf("Best sellers by pieces");
  expect(pieces).toContain(`href="${address}/products/${cup.id}">Cup &lt;b&gt;</a>`);
  // Ten orders before are a base, one is not.
  expect(pieces.match(/−50%|-50%/g)).toHaveLength(1);
  expect(pieces.match(/%/g)).toHaveLength(1);
  expect(cardOf("Best sellers by money")).toMatch(/R\$50\.00.*R\$7\.00/s);
  const customers = cardOf("New and returning customers");
  expect(customers).toMatch(/New.*R\$7\.00.*Returning.*R\$50\.00/s);
  expect(body).not.toContain("By channel");

  await owner.products.delete(a.id, cup.id);
  expect((await shop.visitor().send(address)).body).toMatch(/Cup &lt;b&gt;.{0,80}deleted/s);
  const days = await shop.visitor().send(`${address}?from=2026-01-15&to=2026-01-15`);
  expect(days.body).toMatch(/Best sellers by pieces/);
});

test("the share of a channel is of all sales, those of channels that are not listed too", async () => {
  const shop = await createDashboardShop({ storefront: { limits: { checkout: null } } });
  for (let count = 0; count < 8; count += 1)
    await shop.buy({}, count === 0 ? {} : { channel: `ucp:agent-${count}.example` });
  const { body } = await shop.visitor().send(`/dashboard/${shop.a.id}/test`);
  const [, card = ""] = /By channel(.*?)<\/table>/s.exec(body ?? "") ?? [];
  expect(card.match(/R\$10\.00/g)).toHaveLength(5);
  expect([...card.matchAll(/>([\d.]+%)</g)].map(([, share]) => share)).toEqual(
    Array.from({ length: 5 }, () => "12.5%"),
  );
});
