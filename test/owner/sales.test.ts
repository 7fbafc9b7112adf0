import { describe, expect, test } from "vitest";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const hour = 3_600_000;
const day = 24 * hour;

describe.each(storages)("the sales of a store, on %s", (_name, open) => {
  test("tell best sellers and customers, compared with the time before, after maintenance too", async () => {
    const shop = await createShop(await open());
    const { a, owner, product } = shop;
    const cup = await owner.products.create(a.id, { name: "Cup", price: 300, currency: "BRL" });
    const buy = (product_id: string, quantity: number, email: string) =>
      shop.buy({ items: [{ product_id, quantity }], customer: { email } });
    const start = shop.now();
    await buy(product.id, 1, "ana@example.com");
    shop.advance(day);
    await buy(product.id, 1, "ana@example.com");
    await buy(product.id, 1, "rui@example.com");
    await buy(cup.id, 4, "eva@example.com");
    shop.advance(2 * hour);

    const query = { store_id: a.id, livemode: false, from: start + day, to: start + 2 * day };
    const read = () => owner.sales({ ...query, compare_from: start });
    const none = { orders: 0, pieces: 0, amount: 0 };
    const expected = {
      from: new Date(start + day).toISOString(),
      to: new Date(start + 2 * day).toISOString(),
      compare_from: new Date(start).toISOString(),
      complete_from: null,
    };
    const one = { orders: 1, pieces: 1, amount: 1_000 };
    const twice = {
      ...{ product_id: product.id, name: product.name, deleted: false },
      ...{ orders: 2, pieces: 2, amount: 2_000, before: one },
    };
    const cups = {
      ...{ product_id: cup.id, name: "Cup", deleted: false },
      ...{ orders: 1, pieces: 4, amount: 1_200, before: none },
    };
    const brl = {
      currency: "BRL",
      products_by_pieces: [cups, twice],
      products_by_amount: [twice, cups],
      channels: [{ channel: null, orders: 3, pieces: 6, amount: 3_200, before: one }],
      customers: {
        new: { orders: 2, pieces: 5, amount: 2_200, before: one },
        returning: { ...one, before: none },
      },
    };
    expect(await read()).toEqual({ ...expected, currencies: [brl] });
    await shop.storefront.runMaintenance();
    expect(await read()).toEqual({ ...expected, currencies: [brl] });

    await owner.products.update(a.id, product.id, { name: "Mug of today" });
    await owner.products.delete(a.id, cup.id);
    const [named] = (await owner.sales({ ...query, limit: 1 })).currencies;
    expect([named?.customers.new.orders, named?.customers.returning.orders]).toEqual([2, 1]);
    expect(named?.products_by_pieces).toEqual([{ ...cups, deleted: true, before: null }]);
    expect(named?.products_by_amount).toEqual([{ ...twice, name: "Mug of today", before: null }]);
    expect((await owner.sales({ ...query, livemode: true })).currencies).toEqual([]);

    await owner.wipeTestData(a.id);
    expect((await read()).currencies).toEqual([]);
  });

  test("refuse a range that is wrong by the name of its field", async () => {
    const { owner, a, now } = await createShop(await open());
    const query = { store_id: a.id, livemode: false, from: now(), to: now() + hour };
    for (const [param, wrong] of [
      ["from", { from: "yesterday" }],
      ["to", { to: now() - hour }],
      ["to", { to: now() + 401 * day }],
      ["compare_from", { compare_from: now() + hour }],
      ["compare_from", { compare_from: now() - 401 * day }],
      ["limit", { limit: 101 }],
      ["livemode", { livemode: 1 as never }],
    ] as const)
      await expect(owner.sales({ ...query, ...wrong })).rejects.toMatchObject({
        code: "parameter_invalid",
        param,
      });
    await expect(owner.sales({ ...query, store_id: "str_none" })).rejects.toMatchObject({
      code: "resource_not_found",
    });
  });
});
