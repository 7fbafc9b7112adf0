import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage, type Storage } from "vitrine";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const buyer = { id: "u_ana", email: "ana@example.com" };
const delivery = { type: "license_key", source: "uploaded" } as const;
const game = { name: "Game", price: 1000, currency: "BRL", delivery } as const;

describe.each(storages)("uploaded license keys, on %s", (_name, open) => {
  let shop: Shop;
  let storage: Storage;
  let product_id: string;
  beforeEach(async () => {
    storage = await open();
    shop = await createShop(storage, { limits: { checkout: null } });
    product_id = (await shop.owner.products.create(shop.a.id, game)).id;
  });
  const where = () => ({ store_id: shop.a.id, livemode: false });
  const upload = (...keys: readonly string[]) =>
    shop.owner.products.uploadKeys({ ...where(), product_id, keys });
  const left = async () => (await shop.owner.products.countKeys({ ...where(), product_id })).left;
  const buy = (quantity = 1) =>
    shop.buy({ items: [{ product_id, quantity }] }, {}, { customer: buyer });
  const shown = async (order_id: string) =>
    (await shop.owner.orders.retrieve({ ...where(), order_id })).entitlements ?? [];
  const told = async () =>
    (await shop.get("/events?limit=100", { key: shop.a.test.sec })).body.data.filter(
      ({ type }: { type: string }) => type === "entitlement.granted",
    );

  test("each piece that is bought gets a key of its own, which nobody else gets", async () => {
    expect(await upload("GAME-0001", "GAME-0002", "GAME-0003", " GAME-0003 ")).toEqual({
      added: 3,
      filled: 0,
      left: 3,
    });
    const order = await buy(2);
    const first = await shown(order.id);
    expect(first.map(({ quantity, status }) => [quantity, status])).toEqual([
      [1, "granted"],
      [1, "granted"],
    ]);
    const [last] = await shown((await buy()).id);
    const keys = [...first, last].map((each) => each?.license_key);
    expect(keys.toSorted()).toEqual(["GAME-0001", "GAME-0002", "GAME-0003"]);
    expect(await left()).toBe(0);
    expect(await upload("GAME-0001")).toEqual({ added: 0, filled: 0, left: 0 });

    const asked = await shop.post("/licenses/validate", {
      key: shop.a.test.pub,
      body: { license_key: last?.license_key },
    });
    expect(asked.body.data).toMatchObject({ valid: true, product_id });
    const texts = [JSON.stringify(await told()), shop.log.join()].join();
    expect(texts).not.toContain("GAME-000");
  });

  test("an order that finds none is paid and waits, and the next upload fills the oldest", async () => {
    const [one, two] = [await buy(), await buy(2)];
    expect(one.status).toBe("paid");
    expect(await shown(one.id)).toMatchObject([{ status: "pending", license_key: null }]);
    expect(await told()).toEqual([]);
    const alerts = async () =>
      (await shop.owner.alerts.list(shop.a.id)).data.map(({ type, data }) => [type, data]);
    expect(await alerts()).toHaveLength(2);
    expect(await alerts()).toContainEqual([
      "key_pool_empty",
      { order_id: one.id, product_ids: [product_id] },
    ]);

    expect(await upload("GAME-0001", "GAME-0002")).toEqual({ added: 2, filled: 2, left: 0 });
    expect(await shown(one.id)).toMatchObject([{ status: "granted" }]);
    expect((await shown(two.id)).map(({ status }) => status)).toEqual(["granted", "pending"]);
    expect(await alerts()).toHaveLength(1);
    const events = await told();
    expect(events.map(({ data }: { data: { order: object } }) => data.order)).toMatchObject([
      { id: one.id },
      { id: two.id },
    ]);
    expect(events[1].data.entitlements).toMatchObject([{ status: "granted" }]);

    expect(await upload("GAME-0003", "GAME-0004")).toEqual({ added: 2, filled: 1, left: 1 });
    expect((await shown(two.id)).every(({ license_key }) => license_key !== null)).toBe(true);
    expect(await alerts()).toEqual([]);
  });

  test("an order that is refunded while the keys are given stops none of the others", async () => {
    const [one, two] = [await buy(), await buy()];
    const { backOffice } = storage;
    const { searchOrders } = backOffice;
    backOffice.searchOrders = async (query) => {
      const found = await searchOrders.call(backOffice, query);
      backOffice.searchOrders = searchOrders;
      await shop.storefront.orders.refund(one.id, { ...where(), reference: "r1" });
      return found;
    };

    expect(await upload("GAME-0001", "GAME-0002")).toEqual({ added: 2, filled: 1, left: 1 });
    expect(await shown(two.id)).toMatchObject([{ status: "granted" }]);
  });

  test("a refund keeps the key from everyone, and the owner can give it again", async () => {
    await upload("GAME-0001", "GAME-0002");
    const order = await buy();
    const [before] = await shown(order.id);
    await shop.storefront.orders.refund(order.id, { ...where(), reference: "r1" });
    expect(await shown(order.id)).toMatchObject([{ status: "revoked", license_key: null }]);
    expect(await left()).toBe(1);

    const entitlement = { ...where(), order_id: order.id, entitlement_id: before?.id ?? "" };
    const again = await shop.owner.orders.regrant(entitlement);
    expect(again).toMatchObject({ status: "refunded", entitlements: [{ status: "granted" }] });
    expect((await shown(order.id))[0]?.license_key).toBe(before?.license_key);
    await expect(shop.owner.orders.regrant(entitlement)).rejects.toMatchObject({
      code: "invalid_transition",
    });
    const unknown = { ...entitlement, entitlement_id: "ent_none" };
    await expect(shop.owner.orders.regrant(unknown)).rejects.toMatchObject({
      code: "resource_not_found",
      param: "entitlement_id",
    });
    expect(await told()).toHaveLength(2);
  });

  const alerted = async () => (await shop.owner.alerts.list(shop.a.id)).data.length;
  /** Sells an order that is refunded before its key comes. */
  const refundedEarly = async () => {
    const order = await buy();
    await shop.storefront.orders.refund(order.id, { ...where(), reference: "r" });
    const [entitlement] = await shown(order.id);
    expect(entitlement).toMatchObject({ status: "revoked", license_key: null });
    const named = { ...where(), order_id: order.id, entitlement_id: entitlement?.id ?? "" };
    return { order, named };
  };

  test("what waited and was taken back gets a key when it is given again, if there is one", async () => {
    const [one, two] = [await refundedEarly(), await refundedEarly()];
    expect(await upload("GAME-0001")).toEqual({ added: 1, filled: 0, left: 1 });
    expect(await alerted()).toBe(2);

    const given = await shop.owner.orders.regrant(one.named);
    expect(given.entitlements).toMatchObject([{ status: "granted", license_key: "GAME-0001" }]);
    expect(await left()).toBe(0);
    expect(await alerted()).toBe(1);
    expect(await told()).toMatchObject([{ data: { order: { id: one.order.id } } }]);

    const waits = await shop.owner.orders.regrant(two.named);
    expect(waits.entitlements).toMatchObject([{ status: "pending", license_key: null }]);
    expect(await upload("GAME-0002")).toEqual({ added: 1, filled: 1, left: 0 });
    expect(await shown(two.order.id)).toMatchObject([{ license_key: "GAME-0002" }]);
    expect(await alerted()).toBe(0);
  });

  test("a dispute that is won gives a key to what waited for one", async () => {
    const order = await buy();
    await shop.storefront.orders.openDispute(order.id, { ...where(), reference: "d1" });
    expect(await upload("GAME-0001")).toEqual({ added: 1, filled: 0, left: 1 });

    const won = { ...where(), reference: "d1", outcome: "won" } as const;
    await shop.storefront.orders.closeDispute(order.id, won);
    expect(await shown(order.id)).toMatchObject([{ status: "granted", license_key: "GAME-0001" }]);
    expect(await told()).toHaveLength(1);
    expect([await left(), await alerted()]).toEqual([0, 0]);
  });

  test("beside an upload each order that is given again gets one key, and none two", async () => {
    const orders = [await refundedEarly(), await refundedEarly(), await refundedEarly()];
    const waiting = [await buy(), await buy()];
    await Promise.all([
      upload("GAME-0001", "GAME-0002"),
      ...orders.map(({ named }) => shop.owner.orders.regrant(named)),
      upload("GAME-0003", "GAME-0004", "GAME-0005", "GAME-0006"),
    ]);

    const all = [...orders.map(({ order }) => order), ...waiting];
    const keys = (await Promise.all(all.map(({ id }) => shown(id)))).flatMap((of) =>
      of.map(({ license_key }) => license_key),
    );
    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(5);
    expect(keys).not.toContain(null);
    expect(await left()).toBe(1);
    expect(await alerted()).toBe(0);
  });

  test("each mode and store has keys of its own, and a wipe of test data takes the test mode's", async () => {
    await upload("GAME-0001");
    const live = { store_id: shop.a.id, livemode: true, product_id };
    expect(await shop.owner.products.uploadKeys({ ...live, keys: ["GAME-0001"] })).toMatchObject({
      added: 1,
    });
    await shop.owner.wipeTestData(shop.a.id);
    expect(await left()).toBe(0);
    expect(await shop.owner.products.countKeys(live)).toEqual({ left: 1 });
    const others = { store_id: shop.b.id, livemode: false, product_id };
    await expect(shop.owner.products.countKeys(others)).rejects.toMatchObject({
      code: "resource_not_found",
      param: "product_id",
    });
  });
});

test("an upload that cannot be is refused with its field, and nothing is stored", async () => {
  const shop = await createShop(memoryStorage());
  const { id: product_id } = await shop.owner.products.create(shop.a.id, game);
  const upload = (input: object) =>
    shop.owner.products.uploadKeys({
      store_id: shop.a.id,
      livemode: false,
      product_id,
      keys: ["K"],
      ...input,
    });
  await expect(upload({ keys: ["K", ""] })).rejects.toMatchObject({ param: "keys[1]" });
  await expect(upload({ keys: Array(5_001).fill("K") })).rejects.toMatchObject({ param: "keys" });
  await expect(upload({ product_id: shop.product.id })).rejects.toMatchObject({
    code: "parameter_invalid",
    param: "product_id",
  });
  await expect(upload({ product_id: "prod_none" })).rejects.toMatchObject({
    code: "resource_not_found",
  });
  expect(
    (await shop.owner.products.countKeys({ store_id: shop.a.id, livemode: false, product_id }))
      .left,
  ).toBe(0);
});
