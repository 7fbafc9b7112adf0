import { describe, expect, test } from "vitest";
import { isApiError } from "vitrine";
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

  test("of ten updates that expect what was read one writes, and no later one does", async () => {
    const shop = await createShop(await open());
    const { owner, a } = shop;
    const partition = { store_id: a.id, livemode: false };
    const url = "https://hooks.example.com";
    const endpoint = await owner.endpoints.create({ ...partition, url });
    const category = await owner.categories.create(a.id, { name: "Cups" });
    const [coupon] = (await owner.coupons.list(a.id)).data;
    const [product, code, method] = [shop.product.id, coupon?.id ?? "", a.method_id];

    // Each makes updates over what it has read.
    const readers: Readonly<Record<string, () => Promise<(text: string) => Promise<unknown>>>> = {
      async product() {
        const expected = await owner.products.retrieve(a.id, product);
        return (name) => owner.products.update(a.id, product, { name }, { expected });
      },
      async category() {
        const expected = await owner.categories.retrieve(a.id, category.id);
        return (name) => owner.categories.update(a.id, category.id, { name }, { expected });
      },
      async coupon() {
        const read = await owner.coupons.retrieve(a.id, code);
        // Uses are no part of the record that an owner writes.
        const expected = { ...read, used: { live: 0, test: 99 } };
        return (text) => owner.coupons.update(a.id, code, { code: text }, { expected });
      },
      async method() {
        const expected = await owner.paymentMethods.retrieve(a.id, method);
        return (name) => owner.paymentMethods.update(a.id, method, { name }, { expected });
      },
      async endpoint() {
        const expected = await owner.endpoints.retrieve(partition, endpoint.id);
        const change = (description: string) =>
          owner.endpoints.update(partition, endpoint.id, { description }, { expected });
        return change;
      },
      async store() {
        const expected = await owner.stores.retrieve(a.id);
        return (name) => owner.stores.update(a.id, { name }, { expected });
      },
    };
    for (const [name, read] of Object.entries(readers)) {
      const update = await read();
      const outcomeOf = (text: string): Promise<string> =>
        update(text).then(
          () => "written",
          (error: unknown) => (isApiError(error) ? error.code : String(error)),
        );
      const raced = await Promise.all(Array.from({ length: 10 }, (_, at) => outcomeOf(`T${at}`)));
      const refused = Array.from({ length: 9 }, () => "precondition_failed");
      expect([name, ...raced.sort()]).toEqual([name, ...refused, "written"]);
      expect([name, await outcomeOf("Late")]).toEqual([name, "precondition_failed"]);
      await (await read())("New");
    }
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
