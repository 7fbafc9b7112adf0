import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage, type Storage } from "vitrine";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const buyer = { id: "u_ana", email: "ana@example.com" };
const keyForm = /^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/;

describe.each(storages)("what was bought, on %s", (_name, open) => {
  let shop: Shop;
  let storage: Storage;
  beforeEach(async () => {
    storage = await open();
    shop = await createShop(storage, { limits: { checkout: null } });
  });
  const where = () => ({ store_id: shop.a.id, livemode: false });

  const delivering = async () => {
    const base = { price: 1000, currency: "BRL" } as const;
    const create = shop.owner.products.create;
    const license = await create(shop.a.id, {
      ...base,
      name: "Editor",
      delivery: { type: "license_key" },
    });
    const guide = await create(shop.a.id, {
      ...base,
      name: "Guide",
      delivery: { type: "text", text: "The door code is 4711." },
    });
    const course = await create(shop.a.id, {
      ...base,
      name: "Course",
      delivery: { type: "link", url: "https://course.example.com/secret" },
    });
    const items = [license, guide, course, { id: shop.product.id }].map(({ id: product_id }) => ({
      product_id,
      quantity: 1,
    }));
    return { license, items };
  };
  const token = async (customer_id: string) =>
    (await shop.storefront.customers.issueToken({ ...where(), customer_id })).token;
  const mine = async (customer_id: string) =>
    shop.get("/customers/me/orders", {
      key: shop.a.test.pub,
      headers: { "x-service-customer-token": await token(customer_id) },
    });
  const shown = async (id: string) =>
    (await shop.get(`/orders/${id}`, { key: shop.a.test.sec })).body.data.entitlements;
  const told = async () =>
    (await shop.get("/events?limit=100", { key: shop.a.test.sec })).body.data.filter(
      ({ type }: { type: string }) => type.startsWith("entitlement."),
    );

  test("the paid order shows it to its buyer and owner alone, and nothing shows it before", async () => {
    const { items } = await delivering();
    const made = await shop.session({ items });
    const secret = { key: shop.a.test.sec };
    const before = [
      made.text,
      (await shop.get("/products?limit=100", { key: shop.a.test.pub })).text,
      (await shop.get(`/checkout/sessions/${made.body.data.id}`, secret)).text,
    ].join();
    for (const hidden of ["delivery", "4711", "course.example.com", "key_hash"])
      expect(before).not.toContain(hidden);

    const { order } = await shop.storefront.checkout.submit(shop.tokenOf(made), {
      payment_method_id: shop.a.method_id,
      customer: buyer,
      input: { outcome: "succeed" },
    });
    const [license, text, link] = await shown(order.id);
    expect(license).toMatchObject({
      type: "license_key",
      item_id: order.items[0]?.id,
      license_key: expect.stringMatching(keyForm),
      revoked_at: null,
    });
    expect(license.license_key_last4).toBe(license.license_key.slice(-4));
    expect(text).toMatchObject({ type: "text", text: "The door code is 4711.", url: null });
    expect(link).toMatchObject({ type: "link", url: "https://course.example.com/secret" });

    const { body } = await mine(buyer.id);
    expect(body.data[0].entitlements).toEqual([license, text, link]);
    const owners = await shop.owner.orders.retrieve({ ...where(), order_id: order.id });
    expect(owners.entitlements).toEqual([license, text, link]);
    expect((await mine("u_bia")).body.data).toEqual([]);
    const others = await shop.get(`/orders/${order.id}`, { key: shop.b.test.sec });
    expect(others.status).toBe(404);
  });

  test("events name the entitlements with the last four characters of a key", async () => {
    const { items } = await delivering();
    const order = await shop.buy({ items }, {}, { customer: buyer });
    const [license] = await shown(order.id);

    const events = await told();
    expect(events).toHaveLength(1);
    expect(events[0].data).toMatchObject({
      entitlements: [{ id: license.id, license_key_last4: license.license_key_last4 }, {}, {}],
      customer: { id: buyer.id },
      order: { id: order.id, number: order.number, status: "paid" },
    });
    const all = (await shop.get("/events?limit=100", { key: shop.a.test.sec })).text;
    for (const hidden of [license.license_key, "4711", "course.example.com"])
      expect(all).not.toContain(hidden);
  });

  test("a refund in full takes it back, one in part does not", async () => {
    const { items } = await delivering();
    const order = await shop.buy({ items }, {}, { customer: buyer });
    const refund = (reference: string, amount?: number) =>
      shop.storefront.orders.refund(order.id, { ...where(), reference, amount });

    await refund("r1", 500);
    expect((await shown(order.id))[1].text).toBe("The door code is 4711.");
    await refund("r2");
    for (const entitlement of await shown(order.id))
      expect(entitlement).toMatchObject({
        text: null,
        url: null,
        license_key: null,
        revoked_at: expect.any(String),
      });
    expect((await told()).map(({ type }: { type: string }) => type)).toEqual([
      "entitlement.granted",
      "entitlement.revoked",
    ]);
  });

  test("a dispute takes it back, and the same key returns when it is won", async () => {
    const { items } = await delivering();
    const order = await shop.buy({ items }, {}, { customer: buyer });
    const before = await shown(order.id);

    const dispute = { ...where(), reference: "dp_1" };
    await shop.storefront.orders.openDispute(order.id, dispute);
    expect((await shown(order.id))[0].license_key).toBeNull();
    await shop.storefront.orders.closeDispute(order.id, { ...dispute, outcome: "won" });
    expect(await shown(order.id)).toEqual(before);
  });

  test("the buyer gets what the product delivered when the session was made", async () => {
    const { license, items } = await delivering();
    const made = await shop.session({ items: items.slice(0, 1) });
    await shop.owner.products.update(shop.a.id, license.id, { delivery: null });
    const pay = { payment_method_id: shop.a.method_id, input: { outcome: "succeed" } };
    const { order } = await shop.storefront.checkout.submit(shop.tokenOf(made), pay);
    expect((await shown(order.id))[0].license_key).toMatch(keyForm);

    const next = await shop.buy({ items: items.slice(0, 1) });
    expect(await shown(next.id)).toBeUndefined();
  });

  test("the later periods of a subscription grant nothing again", async () => {
    await shop.owner.paymentMethods.update(shop.a.id, shop.a.method_id, {
      supports_recurring: true,
    });
    const plan = await shop.owner.products.create(shop.a.id, {
      name: "Plan",
      price: 1000,
      currency: "BRL",
      recurring: { interval: "month", interval_count: 1 },
      delivery: { type: "license_key" },
    });
    const items = [{ product_id: plan.id, quantity: 1 }];
    const { subscription_id } = await shop.buy({ items }, {}, { customer: buyer });
    const { subscriptions, checkout } = shop.storefront;
    const { url } = await subscriptions.payLink(subscription_id ?? "", {
      ...where(),
      success_url: "https://shop.example-a.com/ok",
    });
    const second = await checkout.submit(url.split("/").at(-1) ?? "", {
      payment_method_id: shop.a.method_id,
      input: { outcome: "succeed" },
    });
    expect(second.order.status).toBe("paid");
    const { current_period_end: period_start } = await subscriptions.retrieve(
      subscription_id ?? "",
      where(),
    );
    const paid = { amount: 1000, currency: "BRL", reference: "r3", period_start };
    await subscriptions.renew(subscription_id ?? "", { ...where(), ...paid });
    expect(await told()).toHaveLength(1);
  });

  test("an erased buyer is named by no event of it, and the key is forgotten", async () => {
    const { items } = await delivering();
    const order = await shop.buy({ items }, {}, { customer: buyer });
    await shop.owner.eraseCustomer(shop.a.id, buyer.id);

    expect((await told())[0].data.customer).toMatchObject({ id: "cus_erased", email: null });
    expect((await shown(order.id))[0]).toMatchObject({ license_key: null, revoked_at: null });
    expect(JSON.stringify(await storage.orders.find("order", where(), order.id))).toContain(
      '"sealed_key":null',
    );
  });
});

test("a delivery that cannot be is refused with its field", async () => {
  const shop = await createShop(memoryStorage());
  const create = (delivery: { type: "link"; url: string }) =>
    shop.owner.products.create(shop.a.id, { name: "P", price: 1, currency: "BRL", delivery });
  await expect(create({ type: "link", url: "javascript:alert(1)" })).rejects.toMatchObject({
    code: "parameter_invalid",
    param: "delivery.url",
  });
  await expect(create({ type: "parcel" } as never)).rejects.toMatchObject({
    code: "parameter_invalid",
    param: "delivery.type",
  });
  const limits = [
    [{ type: "file" }, "delivery.file"],
    [{ type: "file", file: "a.pdf", max_downloads: 0 }, "delivery.max_downloads"],
    [{ type: "license_key", activations: 1_001 }, "delivery.activations"],
    [{ type: "license_key", source: "found" }, "delivery.source"],
  ] as const;
  for (const [delivery, param] of limits)
    await expect(create(delivery as never), param).rejects.toMatchObject({ param });
});
