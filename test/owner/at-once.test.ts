import { describe, expect, test } from "vitest";
import { createShop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("owner's updates at the same time, on %s", (_name, open) => {
  test("an update keeps the fields that it does not name, even while others change them", async () => {
    const shop = await createShop(await open());
    const { products, coupons, categories, paymentMethods } = shop.owner;
    const store = shop.a.id;
    const { id } = shop.product;
    const changes = [
      { price: 5 },
      { blocked: true },
      { name: "New" },
      { position: 3 },
      { max_quantity: 2 },
      { description: "Words" },
    ];
    await Promise.all(changes.map((change) => products.update(store, id, change)));
    expect(await products.retrieve(store, id)).toMatchObject(Object.assign({}, ...changes));

    const [coupon] = (await coupons.list(store)).data;
    const limits = [
      { enabled: false },
      { max_uses: 5 },
      { max_uses_per_customer: 1 },
      { discount_amount: 20 },
    ];
    await Promise.all(limits.map((change) => coupons.update(store, coupon?.id ?? "", change)));
    expect(await coupons.retrieve(store, coupon?.id ?? "")).toMatchObject(
      Object.assign({}, ...limits),
    );

    const category = await categories.create(store, { name: "Cups" });
    const words = [{ name: "Mugs" }, { enabled: false }, { position: 4 }];
    await Promise.all(words.map((change) => categories.update(store, category.id, change)));
    expect(await categories.retrieve(store, category.id)).toMatchObject(
      Object.assign({}, ...words),
    );

    const terms = [{ name: "Pix now" }, { enabled: false }, { min_amount: 100 }];
    await Promise.all(
      terms.map((change) => paymentMethods.update(store, shop.a.method_id, change)),
    );
    expect(await paymentMethods.retrieve(store, shop.a.method_id)).toMatchObject(
      Object.assign({}, ...terms),
    );
  });

  test("twenty products with one name get twenty slugs", async () => {
    const shop = await createShop(await open());
    const { products, categories, stores } = shop.owner;
    const creations: readonly (() => Promise<{ readonly slug: string }>)[] = [
      () => categories.create(shop.a.id, { name: "Cups" }),
      () => products.create(shop.a.id, { name: "Cup", price: 1, currency: "BRL" }),
      () => stores.create({ name: "Cups", currency: "BRL" }),
    ];
    for (const create of creations) {
      const made = await Promise.all(Array.from({ length: 20 }, create));
      expect(new Set(made.map(({ slug }) => slug)).size).toBe(20);
    }
  });

  test("an update does not bring back what was deleted meanwhile", async () => {
    const shop = await createShop(await open());
    const { products } = shop.owner;
    for (let round = 0; round < 10; round++) {
      const { id } = await products.create(shop.a.id, {
        name: `Round ${round}`,
        price: 1,
        currency: "BRL",
        stock: 1,
      });
      await Promise.allSettled([
        products.update(shop.a.id, id, { price: 2 }),
        products.delete(shop.a.id, id),
      ]);
      expect(await thrownBy(products.retrieve(shop.a.id, id))).toMatchObject({
        code: "resource_not_found",
      });
    }
  });
});
