import { expect, test } from "vitest";
import { createDashboardShop, filledIn, formOf } from "../support/dashboard-shop.ts";

const shop = await createDashboardShop();
const { owner, a } = shop;
const addressOf = (path: string): string => `/dashboard/${a.id}/test/${path}`;
const product = (name: string, category_ids: readonly string[] = []) =>
  owner.products.create(a.id, { name, price: 1_000, currency: "BRL", category_ids });

const coffee = await owner.categories.create(a.id, { name: "Coffee" });
const empty = await owner.categories.create(a.id, { name: "Empty" });
const beans = await product("Beans", [coffee.id]);
const filters = await product("Filters", [coffee.id]);
const mug = await product("Mug");

const typed = { code: "COFFEE10", discount_amount: "10" };
const couponOf = async (code: string) => {
  const { data } = await owner.coupons.list(a.id);
  const found = data.find((coupon) => coupon.code === code);
  if (!found) throw new Error(`There is no coupon ${code}.`);
  return found;
};

test("a coupon is for the products of a category, and for those that are ticked", async () => {
  const visitor = shop.visitor();
  const fields = { ...typed, product_ids: [mug.id], product_category: coffee.id };
  expect((await visitor.submit(addressOf("coupons/new"), "save", fields)).status).toBe(303);
  const { id, product_ids } = await couponOf("COFFEE10");
  expect(product_ids?.toSorted()).toEqual([beans.id, filters.id, mug.id].sort());

  // The page names them, and a box that is unticked takes its product away.
  const page = await visitor.send(addressOf(`coupons/${id}`));
  expect(formOf(page, "save").getAll("product_ids").sort()).toEqual(product_ids?.toSorted());
  await visitor.submit(addressOf(`coupons/${id}`), "save", { product_ids: [beans.id] });
  expect((await owner.coupons.retrieve(a.id, id)).product_ids).toEqual([beans.id]);
});

test("a category without a product is refused: the coupon would be for all products", async () => {
  const visitor = shop.visitor();
  const fields = { ...typed, code: "EMPTY", product_category: empty.id };
  const sent = await visitor.submit(addressOf("coupons/new"), "save", fields);
  expect(sent.status).toBe(422);
  expect(sent.body).toContain("This category has no product yet.");
  await expect(couponOf("EMPTY")).rejects.toThrow("There is no coupon");
});

test("a fault of another field keeps the products that the category has added", async () => {
  const visitor = shop.visitor();
  const fields = { ...typed, code: "", product_category: coffee.id };
  const sent = await visitor.submit(addressOf("coupons/new"), "save", fields);
  expect(sent.status).toBe(422);
  const shown = formOf(sent, "save");
  expect(shown.getAll("product_ids").sort()).toEqual([beans.id, filters.id].sort());

  const mended = filledIn(shown, { code: "LATER" });
  expect((await visitor.send(addressOf("coupons/new"), { form: mended })).status).toBe(303);
  expect((await couponOf("LATER")).product_ids).toHaveLength(2);
});

test("in a store with more products than boxes, the ids of the others are typed", async () => {
  const visitor = shop.visitor();
  const many = Array.from({ length: 100 }, (_, index) => ({
    id: `prod_many${index}`,
    name: `Many ${index}`,
    price: 1_000,
    currency: "BRL",
  }));
  await owner.products.putMany(a.id, many);
  const form = formOf(await visitor.send(addressOf("coupons/new")), "save");
  const others = [mug.id, beans.id, "prod_many0"].join("\n");
  const sent = filledIn(form, { ...typed, code: "OTHERS", product_ids: others });
  expect((await visitor.send(addressOf("coupons/new"), { form: sent })).status).toBe(303);

  const { id, product_ids } = await couponOf("OTHERS");
  expect(product_ids).toHaveLength(3);
  await visitor.submit(addressOf(`coupons/${id}`), "save", {});
  expect((await owner.coupons.retrieve(a.id, id)).product_ids?.toSorted()).toEqual(
    product_ids?.toSorted(),
  );
});
