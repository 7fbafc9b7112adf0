import { describe, expect, test } from "vitest";
import { createShop, faultOf } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("facets of a list, on %s", (_name, open) => {
  test("the names that were asked for are counted, and other names are refused", async () => {
    const shop = await createShop(await open());
    const key = shop.a.live.pub;
    const { id } = await shop.owner.categories.create(shop.a.id, { name: "Cups" });
    const cup = { currency: "BRL", category_ids: [id] };
    await shop.owner.products.putMany(shop.a.id, [
      { ...cup, name: "Small cup", price: 100 },
      { ...cup, name: "Large cup", price: 400, stock: 0 },
    ]);
    const facets = async (query: string) =>
      (await shop.get(`/products?${query}`, { key })).body.facets;

    expect(await facets("facets=category,price,available&search=cup&limit=1")).toEqual({
      category: [{ category_id: id, count: 2 }],
      price: { min: 100, max: 400 },
      available: { true: 1, false: 1 },
    });
    expect(await facets("facets=price&category=cups")).toEqual({ price: { min: 100, max: 400 } });
    expect(await facets("facets=price&search=zzzzz")).toEqual({ price: null });
    expect(await facets("search=cup")).toBeUndefined();

    for (const wrong of ["", "colour", "price,", "price,__proto__", "price, available"]) {
      const answer = await shop.get(`/products?facets=${encodeURIComponent(wrong)}`, { key });
      expect([wrong, ...faultOf(answer)]).toEqual([wrong, 400, "parameter_invalid", "facets"]);
    }
  });
});
