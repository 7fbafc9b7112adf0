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
    ["2026-04-02", "CONCLUIDA", 1],
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
