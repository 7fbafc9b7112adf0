import { describe, expect, test } from "vitest";
import { thrownBy } from "../../../support/shop.ts";
import { storages } from "../../../support/storages.ts";
import { endBanksAfterEach } from "../setup.ts";
import { answerRequest } from "./books.ts";
import { hosted } from "./hosted.ts";
import { buyer, day } from "./subscriber.ts";

endBanksAfterEach();

/** A subscription whose price changes from R$ 20.00 to R$ 30.00 while its payer is asked. */
async function repriced(options: Parameters<typeof hosted>[0] = {}) {
  const shop = await hosted(options);
  const { reference } = await shop.request();
  const price = { ...shop.where, unit_amount: 1500 };
  await shop.storefront.subscriptions.changePrice(shop.id, price);
  return { ...shop, reference };
}

describe.each(storages)("on %s", { timeout: 120_000 }, (_name, open) => {
  test("a yes to an old price charges nothing, and is taken back", async () => {
    const shop = await repriced({ storage: await open() });
    await shop.answer(shop.reference, "ACEITA");
    expect(await shop.find()).toMatchObject({ collection_method: "host", saved_method: null });
    await shop.storefront.runMaintenance();
    expect(shop.alerts).toEqual(["agreement_mismatch"]);
    expect(shop.recurrenceOf(shop.reference).status).toBe("CANCELADA");

    await shop.goTo("2026-02-02T12:00:00Z", day);
    expect(shop.charges()).toEqual([]);
    expect(await shop.events()).not.toContain("subscription.payment_action_required");
    expect(shop.alerts).toEqual(["agreement_mismatch"]);
    expect(shop.errors).toEqual([]);
  });
});

test("a message of it that is repeated tells the owner once, and asking says why", async () => {
  const shop = await repriced();
  answerRequest(shop.bank.books(), shop.recurrenceOf(shop.reference), "ACEITA");
  for (const _ of [1, 2])
    expect(await thrownBy(shop.follow(shop.reference))).toMatchObject({
      code: "invalid_transition",
      message: expect.stringContaining("another amount"),
    });
  await shop.bank.outbox.deliver();
  const { data } = await shop.storefront.owner.alerts.list(shop.where.store_id);
  expect(data).toMatchObject([
    {
      type: "agreement_mismatch",
      subject: shop.id,
      data: { gateway: "pix", amount: 2000, expected: 3000, currency: "BRL" },
    },
  ]);
  await shop.storefront.runMaintenance();
  expect(await shop.follow(shop.reference)).toMatchObject({ status: "over" });
});

test("a yes to an old price leaves the method that pays in its place", async () => {
  const shop = await repriced({ buyer, automatic: { amounts: "variable" } });
  expect(shop.first).toMatchObject({ collection_method: "charge_automatically" });
  // The bank shows it as a fixed one, as the gateway asked before the option was changed.
  Object.assign(shop.recurrenceOf(shop.reference), { valor: { valorRec: "20.00" } });
  await shop.answer(shop.reference, "ACEITA");
  await shop.goTo("2026-02-01T15:00:00Z", day / 4);
  expect(shop.charges().map(({ idRec, valor }) => [idRec === shop.reference, valor])).toEqual([
    [false, { original: "30.00" }],
  ]);
  expect(await shop.books()).toEqual([5000, 5000]);
});

test("a price that is back when the payer says yes is charged", async () => {
  const shop = await repriced();
  const price = { ...shop.where, unit_amount: 1000 };
  await shop.storefront.subscriptions.changePrice(shop.id, price);
  await shop.answer(shop.reference, "ACEITA");
  await shop.goTo("2026-02-01T15:00:00Z", day / 4);
  expect(await shop.books()).toEqual([4000, 4000]);
  expect(shop.alerts).toEqual([]);
});

test("with variable amounts a yes counts for the price of the day", async () => {
  const shop = await repriced({ automatic: { amounts: "variable" } });
  await shop.answer(shop.reference, "ACEITA");
  await shop.goTo("2026-02-01T15:00:00Z", day / 4);
  expect(await shop.books()).toEqual([5000, 5000]);
  expect(shop.alerts).toEqual([]);
});

test("a price that changes behind the yes is asked for by a link", async () => {
  const shop = await hosted();
  const { reference } = await shop.request();
  await shop.answer(reference, "ACEITA");
  const price = { ...shop.where, unit_amount: 1500 };
  await shop.storefront.subscriptions.changePrice(shop.id, price);
  await shop.goTo("2026-01-29T12:00:00Z", day / 4);
  expect(shop.charges()).toEqual([]);
  expect((await shop.events()).at(-1)).toBe("subscription.payment_action_required");
});
