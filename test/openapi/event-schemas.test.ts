import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { expect, test } from "vitest";
import { eventTypes } from "vitrine";
import { createTestShop, type TestShop } from "vitrine/testing";

const dayMs = 86_400_000;
const monthly = { recurring: { interval: "month", interval_count: 1 } } as const;

/** Plays what makes each type of event happen once or more. */
async function playAll(shop: TestShop): Promise<void> {
  const { storefront, where } = shop;
  const open = async (input?: Parameters<TestShop["product"]>[0]) =>
    shop.checkout([{ product_id: (await shop.product(input)).id, quantity: 1 }]);

  await shop.fail(await open());
  await shop.refund(await shop.pay(await open()), { amount: 100, reason: "requested_by_customer" });
  await shop.refund(await shop.pay(await open(), { outcome: "refund_fails_later" }));
  await shop.advanceClock(2 * 60_000);
  await shop.dispute(await shop.pay(await open()));
  const guide = { delivery: { type: "link", url: "https://shop.example.com/guide" } } as const;
  await shop.refund(await shop.pay(await open(guide)));

  const { subscriptions, checkout, owner } = storefront;
  const { subscription_id } = await shop.pay(await open(monthly));
  const id = subscription_id ?? "";
  await shop.renew({ id });
  await shop.renew({ id }, { failed: true });
  await shop.renew({ id });
  await subscriptions.changePrice(id, { ...where, unit_amount: 777 });
  const { current_period_end: period_start } = await subscriptions.retrieve(id, where);
  const failed = { ...where, period_start, reference: "failed", needs_buyer: true };
  await subscriptions.fail(id, failed);
  await shop.cancel({ id }, { at_period_end: false });

  const [method] = await owner.paymentMethods.list(where.store_id);
  const { checkout_url } = await open(monthly);
  await checkout.submit(checkout_url.split("/").at(-1) ?? "", {
    payment_method_id: method?.id ?? "",
    customer: { id: "ana" },
    consent: "Charge me every month.",
  });
  for (let days = 0; days < 30; days += 1) await shop.advanceClock(dayMs);
}

test("real events of every type are valid by the schema that the API serves for their type", async () => {
  const shop = await createTestShop();
  await playAll(shop);
  expect(new Set(shop.webhooks.map(({ type }) => type))).toEqual(new Set(eventTypes));

  for (const type of eventTypes) {
    const url = `https://api.example.com/v1/schemas/events/${type}.json`;
    const schema = await (await shop.storefront.handler(new Request(url))).json();
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: fullFormats });
    expect([type, ajv.validateSchema(schema), ajv.errors]).toEqual([type, true, null]);
    const fits = ajv.compile(schema);
    for (const event of shop.webhooks.filter((each) => each.type === type)) {
      expect([type, fits(event), fits.errors]).toEqual([type, true, null]);
      // The schema looks into the event: a field that every event has cannot be missing.
      expect(fits({ ...event, store_id: undefined })).toBe(false);
      expect(fits({ ...event, created_at: "yesterday" })).toBe(false);
    }
  }
});
