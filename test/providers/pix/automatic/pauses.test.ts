import { expect, test } from "vitest";
import { endBanksAfterEach } from "../setup.ts";
import { day, subscribed } from "./subscriber.ts";

endBanksAfterEach();

test("months after a pause are charged once each, in cycles of the bank that have no charge yet", async () => {
  const shop = await subscribed();
  const { subscriptions } = shop.storefront;
  await shop.goTo("2026-01-10T12:00:00Z", day);
  await subscriptions.pause(shop.id, shop.where);
  await shop.goTo("2026-03-30T12:00:00Z", day);
  await subscriptions.resume(shop.id, shop.where);

  // The first charge is due in April, so that of the period from 30 April cannot be.
  await shop.goTo("2026-08-02T12:00:00Z", day);
  const shown = shop
    .charges()
    .map(({ status, calendario, pix }) => [calendario.dataDeVencimento, status, pix.length]);
  expect(shown).toEqual([
    ["2026-04-01", "CONCLUIDA", 1],
    ["2026-05-01", "CONCLUIDA", 1],
    ["2026-06-01", "CONCLUIDA", 1],
    ["2026-07-01", "CONCLUIDA", 1],
    ["2026-08-01", "CONCLUIDA", 1],
  ]);
  expect(await shop.find()).toMatchObject({
    status: "active",
    current_period_start: "2026-07-30T12:00:00.000Z",
  });
  expect(await shop.events()).not.toContain("subscription.past_due");
  expect(await shop.books()).toEqual([12_000, 12_000]);
});

test("a period that was not paid before a pause is charged once, at the resumption", async () => {
  const shop = await subscribed();
  const { subscriptions } = shop.storefront;
  shop.bank.books().hasMoney = () => false;
  await shop.goTo("2026-02-03T12:00:00Z", day);
  expect(await shop.find()).toMatchObject({ status: "past_due" });
  await subscriptions.pause(shop.id, shop.where);
  await shop.goTo("2026-05-20T12:00:00Z", 10 * day);
  shop.bank.books().hasMoney = () => true;
  await subscriptions.resume(shop.id, shop.where);

  await shop.goTo("2026-07-25T12:00:00Z", day);
  const paid = shop.charges().filter(({ pix }) => pix.length > 0);
  expect(paid.map(({ calendario }) => calendario.dataDeVencimento)).toEqual([
    "2026-05-22",
    "2026-06-20",
    "2026-07-20",
  ]);
  expect(await shop.find()).toMatchObject({
    status: "active",
    current_period_start: "2026-07-20T12:00:00.000Z",
  });
  expect(await shop.books()).toEqual([8000, 8000]);
});

test.each([26, 27, 28, 29, 30, 31, 32])(
  "weeks after a pause until day %i are charged once each",
  async (resumed) => {
    const shop = await subscribed({ interval: "week" });
    const { subscriptions } = shop.storefront;
    await shop.goTo(Date.UTC(2026, 0, 9, 15), day / 2);
    await subscriptions.pause(shop.id, shop.where);
    await shop.goTo(Date.UTC(2026, 0, 1 + resumed, 15), day / 2);
    await subscriptions.resume(shop.id, shop.where);

    await shop.goTo(Date.UTC(2026, 0, 30 + resumed, 15), day / 4);
    const paid = shop.charges().filter(({ pix }) => pix.length > 0);
    expect(new Set(paid.map(({ txid }) => txid)).size).toBe(paid.length);
    expect(await shop.find()).toMatchObject({ status: "active" });
    const types = await shop.events();
    expect(types.filter((type) => type === "subscription.renewed").length).toBe(paid.length);
    expect(types).not.toContain("subscription.past_due");
  },
);

test("a week that is charged late is not taken for the week behind it", async () => {
  const shop = await subscribed({ interval: "week" });
  // Nobody looks for eleven days: the charge of the week from 8 January is due on the 16th.
  await shop.goTo("2026-01-03T12:00:00Z", day);
  const { runMaintenance } = shop.storefront;
  Object.assign(shop.storefront, { runMaintenance: async () => {} });
  await shop.goTo("2026-01-14T15:00:00Z", 12 * day);
  Object.assign(shop.storefront, { runMaintenance });

  await shop.goTo("2026-02-20T15:00:00Z", day / 2);
  const paid = shop.charges().filter(({ pix }) => pix.length > 0);
  expect(paid[0]).toMatchObject({
    calendario: { dataDeVencimento: "2026-01-16" },
    infoAdicional: "Order 2 (08/01/2026)",
  });
  expect(await shop.find()).toMatchObject({ status: "active" });
  const renewed = (await shop.events()).filter((type) => type === "subscription.renewed");
  expect(renewed.length).toBe(paid.length);
  const [atBank, ours] = await shop.books();
  expect(atBank).toBe(ours);
});
