import { expect, test } from "vitest";
import { createDashboardShop } from "../support/dashboard-shop.ts";

const day = 86_400_000;
const textOf = (html: string | null): string =>
  (html ?? "").replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

test("the test mode's clock is moved by a span or to a moment, and every page says its time", async () => {
  const shop = await createDashboardShop();
  const visitor = shop.visitor();
  const page = `/dashboard/${shop.a.id}/test/test-clock`;
  const clock = () => shop.owner.testClock.retrieve(shop.a.id);
  expect(textOf((await visitor.send(page)).body)).toContain("Time in the test mode");

  expect((await visitor.submit(page, "turn", { span: "week" })).status).toBe(303);
  expect(await clock()).toMatchObject({ status: "ready", offset_ms: 7 * day });
  const orders = (await visitor.send(`/dashboard/${shop.a.id}/test/orders`)).body ?? "";
  const { now } = await clock();
  expect(/<aside class="mode-bar".*?<\/aside>/s.exec(orders)?.[0]).toContain(now.slice(0, 13));

  const until = new Date(Date.parse(now) + 3 * day).toISOString().slice(0, 16);
  await shop.owner.stores.update(shop.a.id, { timezone: "UTC" });
  expect((await visitor.submit(page, "turn", { span: "hour", until })).status).toBe(303);
  expect(Math.abs((await clock()).offset_ms - 10 * day)).toBeLessThan(60_000);
});

test("a moment behind the clock, or too far ahead, is refused beside its field", async () => {
  const shop = await createDashboardShop();
  const visitor = shop.visitor();
  const page = `/dashboard/${shop.a.id}/test/test-clock`;
  const past = await visitor.submit(page, "turn", { span: "day", until: "2020-01-01T00:00" });
  expect([past.status, textOf(past.body)]).toEqual([
    422,
    expect.stringContaining("It must be later than the time of the test mode."),
  ]);
  expect((await visitor.submit(page, "turn", { span: "year" })).status).toBe(303);
  const far = await visitor.submit(page, "turn", { span: "year" });
  expect([far.status, textOf(far.body)]).toEqual([
    422,
    expect.stringContaining("The clock can be at most 400 days ahead of today."),
  ]);
});

test("live mode has no clock to move, and the page leads to the test mode", async () => {
  const shop = await createDashboardShop();
  const page = `/dashboard/${shop.a.id}/live/test-clock`;
  const live = (await shop.visitor().send(page)).body ?? "";
  expect(textOf(live)).toContain("Only the test mode has a clock that can be moved.");
  expect(live).toContain(`/dashboard/${shop.a.id}/test/test-clock`);
  expect(live).not.toContain('value="turn"');
});

test("what was bought after the clock was moved stands in the overview and the books of today", async () => {
  const shop = await createDashboardShop();
  const visitor = shop.visitor();
  const at = `/dashboard/${shop.a.id}/test`;
  const page = async (path: string) => textOf((await visitor.send(`${at}${path}`)).body);
  await shop.owner.testClock.advance({ store_id: shop.a.id, ms: 40 * day });
  const { paid_at } = await shop.buy();
  expect(paid_at).toContain("2026-02-24");

  for (const query of ["", "?days=7", "?from=2026-02-01&to=2026-02-28"])
    expect(await page(query)).toContain("Gross sales R$10.00");
  expect(await page("")).toContain("February 2026");
  expect(await page("/books")).toMatch(/February 2026.*BRL R\$10\.00/);
  expect((await visitor.send(`${at}/books/export.csv`)).body).toContain("2026-02-24");
  expect(textOf((await visitor.send(`/dashboard/${shop.a.id}/live`)).body)).toContain(
    "Nothing was sold in the last 30 days",
  );
});

test("a coupon that has ended by the moved clock is shown as expired in the test mode alone", async () => {
  const shop = await createDashboardShop();
  const ends_at = new Date(shop.now() + 10 * day).toISOString();
  const terms = { discount_type: "percentage", discount_amount: 10, ends_at } as const;
  await shop.owner.coupons.create(shop.a.id, { code: "TEN", ...terms });
  await shop.owner.testClock.advance({ store_id: shop.a.id, ms: 40 * day });

  const stateIn = async (mode: string) => {
    const { body } = await shop.visitor().send(`/dashboard/${shop.a.id}/${mode}/coupons`);
    return textOf(body).includes("Expired");
  };
  expect([await stateIn("test"), await stateIn("live")]).toEqual([true, false]);
});

test("deliveries live in the real time: one of a moved clock is late, and is found, by that", async () => {
  const shop = await createDashboardShop();
  const { owner, a } = shop;
  const where = { store_id: a.id, livemode: false };
  const { id } = await owner.endpoints.create({ ...where, url: "https://hooks.example.com" });
  await owner.testClock.advance({ store_id: a.id, ms: 40 * day });
  await shop.buy();
  const page = async (path: string) =>
    textOf((await shop.visitor().send(`/dashboard/${a.id}/test${path}`)).body);
  expect(await page("")).not.toContain("Late");
  shop.advance(6 * 60_000);
  expect(await page("")).toMatch(/Late \d deliveries are waiting/);

  await owner.endpoints.disable(where, id);
  await owner.endpoints.enable(where, id);
  expect(await page(`/webhooks/${id}/resend?from=2026-01-15`)).toMatch(/Send \d deliveries again/);
});
