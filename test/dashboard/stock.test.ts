import { expect, test } from "vitest";
import { createDashboardShop, filledIn, formOf } from "../support/dashboard-shop.ts";

const textOf = (html: string | null): string => (html ?? "").replace(/<[^>]*>/g, "");

async function setUp() {
  const shop = await createDashboardShop();
  const { owner, a, product } = shop;
  await owner.products.update(a.id, product.id, { stock: 20 });
  const visitor = shop.visitor();
  const list = `/dashboard/${a.id}/test/products`;
  const page = `${list}/${product.id}`;
  const left = async () => {
    const asked = { store_id: a.id, livemode: false, product_ids: [product.id] };
    return (await owner.products.countStock(asked))[0];
  };
  return { shop, visitor, list, page, left };
}

test("a product's form and the list say what is left, what was set and what is held", async () => {
  const { shop, visitor, list, page, left } = await setUp();
  const { owner, a, product } = shop;
  const fresh = (await visitor.send(page)).body;
  expect(textOf(fresh)).toContain("20 are left of the 20 that were set.");
  expect(fresh).not.toContain("stock_again");

  await shop.buy({ items: [{ product_id: product.id, quantity: 3 }] });
  const timeout = { input: { outcome: "timeout" } };
  await shop.buy({ items: [{ product_id: product.id, quantity: 5 }] }, {}, timeout);
  expect(await left()).toEqual({ product_id: product.id, on_hand: 12, held: 5 });
  const shown = textOf((await visitor.send(page)).body);
  expect(shown).toContain(
    "12 are left of the 20 that were set. Open checkouts and orders hold 5 more pieces.",
  );
  expect(textOf((await visitor.send(list)).body)).toMatch(/12\s+of 20/);
  const live = (await visitor.send(page.replace("/test/", "/live/"))).body;
  expect(textOf(live)).toContain("20 are left of the 20 that were set.");

  // The owner may set less than is held.
  await owner.products.update(a.id, product.id, { stock: 2 });
  expect(await left()).toMatchObject({ on_hand: -3 });
  expect(textOf((await visitor.send(page)).body)).toContain("0 are left of the 2 that were set.");
  await owner.products.update(a.id, product.id, { stock: null });
  expect((await visitor.send(page)).body).not.toContain("Left now");
  expect(textOf((await visitor.send(list)).body)).toContain("Not counted");
});

test("a stock is set to the same number again only when its box is ticked", async () => {
  const { shop, visitor, page, left } = await setUp();
  await shop.buy({ items: [{ product_id: shop.product.id, quantity: 3 }] });
  const opened = formOf(await visitor.send(page), "save");
  await shop.buy({ items: [{ product_id: shop.product.id, quantity: 3 }] });

  const renamed = filledIn(opened, { name: "New name" });
  expect((await visitor.send(page, { form: renamed })).status).toBe(303);
  expect(await left()).toMatchObject({ on_hand: 14 });

  await visitor.submit(page, "save", { stock_again: "yes" });
  expect(await left()).toMatchObject({ on_hand: 20 });
});

test("what is left is told for counted products in the order that they are asked in", async () => {
  const { shop } = await setUp();
  const { owner, a, product } = shop;
  const other = await owner.products.create(a.id, {
    name: "Pie",
    price: 1_000,
    currency: "BRL",
    stock: 4,
  });
  const free = await owner.products.create(a.id, { name: "Song", price: 100, currency: "BRL" });
  const query = { store_id: a.id, livemode: true };
  const product_ids = [other.id, free.id, "prod_none", product.id];
  expect(await owner.products.countStock({ ...query, product_ids })).toEqual([
    { product_id: other.id, on_hand: 4, held: 0 },
    { product_id: product.id, on_hand: 20, held: 0 },
  ]);
  const unknown = { ...query, store_id: "str_none", product_ids };
  await expect(owner.products.countStock(unknown)).rejects.toMatchObject({
    code: "resource_not_found",
    param: "store_id",
  });
});
