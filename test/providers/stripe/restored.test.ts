import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createStorefront } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { freshFolder } from "../../support/demo.ts";
import { openSqlite } from "../../support/open-sqlite.ts";
import { heldOf } from "./books.ts";
import { payOnPage } from "./buyer.ts";
import { keptCards } from "./methods.ts";
import { endFakesAfterEach } from "./setup.ts";
import { stripeShop } from "./shop.ts";

endFakesAfterEach();

const sealKey = new Uint8Array(32).fill(3);

test("a period that was charged after the backup is not charged again by the restored shop", async () => {
  const file = join(freshFolder(), "shop.sqlite");
  const storage = sqliteStorage(file);
  await storage.migrate();
  const shop = await stripeShop({ monthly: true, kept: { storage, sealKey } });
  onTestFinished(() => shop.storefront.close());
  await shop.advanceClock(43_200_000);
  const { order } = await shop.submit({
    customer: { id: "u_1", email: "ana@example.com", name: "Ana" },
    consent: "Charge me every month.",
  });
  payOnPage(shop.books(), shop.session(), keptCards.succeeds);
  await shop.fake.outbox.deliver();
  const id = (await shop.order(order)).subscription_id ?? "";

  const beside = openSqlite(file);
  beside.exec(`vacuum into '${file}.backup'`);
  beside.close();
  const taken = () =>
    [...shop.books().intents.values()].map((intent) => heldOf(shop.books(), intent));
  // Other buyers come in between, so that the order of the period gets another number later.
  await shop.submit();
  const { next_charge_at } = await shop.storefront.subscriptions.retrieve(id, shop.where);
  await shop.advanceClock(Date.parse(next_charge_at ?? "") - shop.now());
  await shop.fake.outbox.deliver();
  expect(taken()).toEqual([2_000, 2_000]);

  // Two days later Stripe has forgotten the idempotency keys.
  let now = shop.now() + 2 * 86_400_000;
  const restored = createStorefront({
    storage: sqliteStorage(`${file}.backup`),
    publicUrl: "https://api.example.com",
    checkout: { baseUrl: "https://pay.example.com/c" },
    gateways: [shop.gateway],
    sealKey,
    now: () => now,
  });
  onTestFinished(() => restored.close());
  await restored.migrate();
  await restored.runMaintenance();
  const renewed = await restored.subscriptions.retrieve(id, shop.where);
  expect(renewed).toMatchObject({ status: "active", current_period_start: next_charge_at });
  const { data } = await restored.owner.orders.list(shop.where);
  expect(data.map(({ status }) => status)).toEqual(["paid", "paid"]);
  expect(taken()).toEqual([2_000, 2_000]);

  // The period behind it is a new one.
  now = Date.parse(renewed.next_charge_at ?? "");
  await restored.runMaintenance();
  expect(taken()).toEqual([2_000, 2_000, 2_000]);
  expect([shop.errors, shop.fake.complaints]).toEqual([[], []]);
});
