import { beforeAll, describe, expect, test } from "vitest";
import {
  createDashboardShop,
  filledIn,
  formOf,
  type PageReply,
} from "../support/dashboard-shop.ts";

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

describe("in a store of thousands of products", () => {
  const many = Array.from({ length: 3_000 }, (_, index) => ({
    id: `prod_many${index}`,
    name: `Poster ${String(index).padStart(4, "0")}`,
    price: 1_000,
    currency: "BRL",
  }));
  const boxesOf = ({ body }: PageReply): readonly (readonly [string, boolean])[] =>
    [...(body ?? "").matchAll(/name="product_ids"\s+value="([^"]+)"([^>]*)>/g)].map(
      ([, id = "", rest = ""]) => [id, rest.includes("checked")] as const,
    );

  beforeAll(async () => {
    for (let at = 0; at < many.length; at += 500)
      await owner.products.putMany(a.id, many.slice(at, at + 500));
  }, 60_000);

  test("a new coupon shows no product until one is searched; a search keeps all that was typed", async () => {
    const visitor = shop.visitor();
    const page = await visitor.send(addressOf("coupons/new"));
    expect(boxesOf(page)).toEqual([]);
    const words = { ...typed, code: "POSTERS", discount_amount: "", product_search: "poster 1234" };
    const sent = filledIn(formOf(page, "save"), { ...words, product_find: "first" });
    const found = await visitor.send(addressOf("coupons/new"), { form: sent });

    // Nothing is saved, and no empty field is a fault yet.
    expect([found.status, boxesOf(found)]).toEqual([200, [["prod_many1234", false]]]);
    expect(found.body).toContain("Poster 1234");
    expect(found.body).not.toContain("Fill this in.");
    await expect(couponOf("POSTERS")).rejects.toThrow("There is no coupon");
    expect(formOf(found, "save").get("code")).toBe("POSTERS");

    // Ticked products stay ticked over a second search, and are saved by their names.
    const again = filledIn(formOf(found, "save"), {
      product_ids: "prod_many1234",
      product_search: "MUG",
      product_find: "first",
    });
    const second = await visitor.send(addressOf("coupons/new"), { form: again });
    expect(boxesOf(second)).toEqual([
      ["prod_many1234", true],
      [mug.id, false],
    ]);
    const saved = filledIn(formOf(second, "save"), {
      discount_amount: "10",
      product_ids: ["prod_many1234", mug.id],
    });
    expect((await visitor.send(addressOf("coupons/new"), { form: saved })).status).toBe(303);
    const { id, product_ids } = await couponOf("POSTERS");
    expect(product_ids?.toSorted()).toEqual([mug.id, "prod_many1234"].sort());
    const shown = await visitor.send(addressOf(`coupons/${id}`));
    expect(shown.body).toContain("<span>Poster 1234</span>");
  });

  test("Enter searches where a new text was typed for it, and saves elsewhere; Save always saves", async () => {
    const visitor = shop.visitor();
    const at = addressOf("coupons/new");
    const form = formOf(await visitor.send(at), "save");
    const words = { ...typed, code: "ENTER" };
    const enter = { by_enter: "yes" };
    const searched = await visitor.send(at, {
      form: filledIn(form, { ...words, ...enter, product_search: "poster 0007" }),
    });
    expect([searched.status, boxesOf(searched)]).toEqual([200, [["prod_many7", false]]]);
    expect(
      (await visitor.send(at, { form: filledIn(formOf(searched, "save"), enter) })).status,
    ).toBe(303);
    expect((await couponOf("ENTER")).product_ids).toBeNull();

    const left = { ...words, code: "LEFT", product_search: "poster" };
    expect((await visitor.submit(at, "save", left)).status).toBe(303);
  });

  test("results have pages, and a search without a result says so", async () => {
    const visitor = shop.visitor();
    const at = addressOf("coupons/new");
    const look = async (fields: Readonly<Record<string, string>>) => {
      const form = formOf(await visitor.send(at), "save");
      return visitor.send(at, { form: filledIn(form, { product_find: "first", ...fields }) });
    };
    const first = await look({ product_search: "poster" });
    expect(boxesOf(first)).toHaveLength(20);
    const [, cursor = ""] =
      /name="product_find" value="(?!first)([^"]+)"/.exec(first.body ?? "") ?? [];
    const second = await look({ product_search: "poster", product_find: cursor });
    expect(boxesOf(second)).toHaveLength(20);
    const seen = new Set([...boxesOf(first), ...boxesOf(second)].map(([id]) => id));
    expect(seen.size).toBe(40);

    const none = await look({ product_search: "no such thing <b>" });
    expect([boxesOf(none), none.body]).toEqual([
      [],
      expect.stringContaining("No other product fits."),
    ]);
    expect(none.body).not.toContain("<b>");
  });

  test("ids can be typed, and more products than have a box are kept", async () => {
    const visitor = shop.visitor();
    const ids = many.slice(0, 120).map(({ id }) => id);
    const fields = { ...typed, code: "MANY", product_ids_typed: ids.join("\n") };
    expect((await visitor.submit(addressOf("coupons/new"), "save", fields)).status).toBe(303);
    const { id, product_ids } = await couponOf("MANY");
    expect(product_ids).toHaveLength(120);
    const page = await visitor.send(addressOf(`coupons/${id}`));
    expect(boxesOf(page)).toHaveLength(50);
    await visitor.submit(addressOf(`coupons/${id}`), "save", {});
    expect((await owner.coupons.retrieve(a.id, id)).product_ids?.toSorted()).toEqual(
      product_ids?.toSorted(),
    );
  });

  test("a search writes nothing: no entry of the audit log", async () => {
    const visitor = shop.visitor();
    const newest = async () => (await owner.audit.list({ store_id: a.id })).data[0]?.id;
    const before = await newest();
    expect(before).toBeDefined();
    const fields = { ...typed, product_search: "poster", product_find: "first" };
    expect((await visitor.submit(addressOf("coupons/new"), "save", fields)).status).toBe(200);
    expect(await newest()).toBe(before);
  });
});
