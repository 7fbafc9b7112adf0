import { expect, test } from "vitest";
import { roundUp } from "../../src/dashboard/charts.ts";
import { periodsOf } from "../../src/dashboard/periods.ts";
import { createDashboardShop } from "../support/dashboard-shop.ts";

const dayMs = 86_400_000;

test("the overview compares a period with the one before it, in figures, charts and a table", async () => {
  const shop = await createDashboardShop();
  const address = `/dashboard/${shop.a.id}/test`;
  const visitor = shop.visitor();
  expect((await visitor.send(address)).body).toContain("Nothing was sold in the last 30 days");

  await shop.buy();
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
  expect(body).toMatch(/Gross sales<\/h3>\s*<strong>R\$30\.00<\/strong>.*\+200%/);
  expect(body).toMatch(/Paid orders<\/h3>\s*<strong>3<\/strong>/);
  expect(body).toMatch(/Conversion<\/h3>\s*<strong>75%<\/strong>/);
  expect(body).toMatch(/Refunds<\/h3>\s*<strong>R\$4\.00<\/strong>/);
  expect(body).toMatch(/Failed payments<\/h3>\s*<strong>1<\/strong>/);
  expect(body).toContain(
    "R$30.00 in the last 30 days, most on Feb 19: R$30.00. In the 30 days before: R$10.00.",
  );
  expect(body?.match(/<time datetime="2026-\d\d-\d\d"/g)).toHaveLength(30);

  const week = await visitor.send(`${address}?days=7`);
  expect(week.body).toMatch(/Gross sales<\/h3>\s*<strong>R\$30\.00<\/strong>\s*<span/);
  expect(week.body?.match(/<time datetime="2026-\d\d-\d\d"/g)).toHaveLength(7);
  for (const query of ["days=31", "days=%3Cb%3E&currency=XXX"])
    expect((await visitor.send(`${address}?${query}`)).body).toContain("R$30.00 in the last 30");
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
  expect(body).toMatch(/href="[^"]*\/deliveries\?state=pending">Deliveries that wait: \d+</);

  for (let day = 0; day < 4; day += 1) {
    shop.advance(dayMs);
    await storefront.drainWebhooks();
  }
  const later = (await visitor.send(address)).body;
  expect(later).toMatch(/Failing<\/span>\s*<a href="[^"]*\/webhooks\/we_\w+">/);
  expect(later).toMatch(/<a href="[^"]*\/alerts">\w+<\/a>/);
});

test("the days of a period are the store's, also where the clocks change", () => {
  const now = Date.parse("2026-03-10T03:30:00Z");
  const { days, before, from, to } = periodsOf(now, "America/New_York", 7);
  expect([days[0], days.at(-1), before[0]]).toEqual(["2026-03-03", "2026-03-09", "2026-02-24"]);
  expect([from, to]).toEqual(["2026-02-24T05:00:00.000Z", "2026-03-10T04:00:00.000Z"]);
  const { days: next } = periodsOf(now + 3_600_000, "America/New_York", 7);
  expect(next.at(-1)).toBe("2026-03-10");
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
