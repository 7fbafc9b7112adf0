import { beforeEach, describe, expect, test } from "vitest";
import { codeOf, createShop, faultOf, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const options = (size: string, colour = "Red") => [
  { name: "Size", value: size },
  { name: "Colour", value: colour },
];

describe.each(storages)("variants of a product, on %s", (_name, open) => {
  let shop: Shop;
  let key: string;
  beforeEach(async () => {
    shop = await createShop(await open());
    key = shop.a.live.pub;
    const shirt = { currency: "BRL", name: "Shirt", group: "shirt" };
    await shop.owner.products.putMany(shop.a.id, [
      { ...shirt, id: "prod_s", slug: "shirt-s", price: 200, options: options("S"), position: 2 },
      { ...shirt, id: "prod_m", slug: "shirt-m", price: 300, options: options("M"), stock: 0 },
      { ...shirt, id: "prod_l", slug: "shirt-l", price: 100, options: options("L"), active: false },
    ]);
  });
  const ids = (answer: { body: { data: { id: string }[] } }) =>
    answer.body.data.map(({ id }) => id);
  const refusal = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => null,
      (thrown: unknown) => thrown as { code: string; param: string; message: string },
    );
    return error && [error.code, error.param, error.message];
  };

  test("a product of a group has all of it, and one without a group has no such field", async () => {
    const { data: body } = (await shop.get("/products/shirt-s", { key })).body;
    expect(body.options).toEqual(options("S"));
    expect(body.group).toEqual({
      id: "shirt",
      price_from: 200,
      price_to: 300,
      available: true,
      options: [
        { name: "Size", values: ["M", "S"] },
        { name: "Colour", values: ["Red"] },
      ],
      variants: [
        { id: "prod_m", slug: "shirt-m", options: options("M"), price: 300, available: false },
        { id: "prod_s", slug: "shirt-s", options: options("S"), price: 200, available: true },
      ],
    });
    const { data: alone } = (await shop.get("/products/product-a", { key })).body;
    expect(Object.keys(alone)).not.toContain("group");
    expect(Object.keys(alone)).not.toContain("options");
  });

  test("a list has all products, and with group=first one of each group, whose cursor is its own", async () => {
    const all = await shop.get("/products?search=shirt&sort=position", { key });
    expect(ids(all)).toEqual(["prod_m", "prod_s"]);
    expect(all.body.data[0].group).toEqual({ id: "shirt" });
    const same = await shop.get("/products?search=shirt&sort=position&group=all", { key });
    expect(same.body.data).toEqual(all.body.data);

    const cards = await shop.get("/products?group=first", { key });
    expect(ids(cards)).toEqual([shop.product.id, "prod_s"]);
    expect(cards.body.data[1].group).toEqual({
      id: "shirt",
      price_from: 200,
      price_to: 300,
      available: true,
    });
    const first = await shop.get("/products?group=first&limit=1", { key });
    const cursor = first.body.next_cursor;
    const next = await shop.get(`/products?group=first&starting_after=${cursor}`, { key });
    expect(ids(next)).toEqual(["prod_s"]);
    const other = await shop.get(`/products?starting_after=${cursor}`, { key });
    expect(codeOf(other)).toEqual([400, "invalid_cursor"]);
    expect(faultOf(await shop.get("/products?group=last", { key }))).toEqual([
      400,
      "parameter_invalid",
      "group",
    ]);
  });

  test("the lines of a session and of its order have the options of the product", async () => {
    const made = await shop.post("/checkout/sessions", {
      key: shop.a.live.sec,
      body: {
        items: [
          { product_id: "prod_s", quantity: 1 },
          { product_id: shop.product.id, quantity: 1 },
        ],
        success_url: "https://shop.example-a.com/ok",
        cancel_url: "https://shop.example-a.com/ok",
      },
      headers: { "idempotency-key": "variants-1" },
    });
    expect(made.status).toBe(201);
    expect(
      made.body.data.line_items.map((line: object) => "options" in line && line.options),
    ).toEqual([options("S"), false]);
    const read = await shop.get(`/checkout/sessions/${made.body.data.id}`, { key });
    expect(read.body.data.line_items[0].options).toEqual(options("S"));
  });

  test("what an owner writes wrong is refused by its parameter, and nothing is stored", async () => {
    const { products } = shop.owner;
    const put = (input: object) =>
      refusal(
        products.create(shop.a.id, {
          name: "X",
          price: 1,
          currency: "BRL",
          group: "shirt",
          ...input,
        }),
      );
    expect(await put({})).toEqual([
      "parameter_invalid",
      "options",
      "options must name what tells the product from others of its group.",
    ]);
    expect(await put({ options: [{ name: "Size", value: "XL" }] })).toEqual([
      "parameter_invalid",
      "options",
      "options must have the names of the group, in their order: Size, Colour.",
    ]);
    expect(await put({ options: options("L") })).toEqual([
      "parameter_invalid",
      "options",
      "options are those of prod_l, which is in the group too.",
    ]);
    expect(await refusal(products.update(shop.a.id, "prod_s", { options: options("M") }))).toEqual([
      "parameter_invalid",
      "options",
      "options are those of prod_m, which is in the group too.",
    ]);
    const [code, param] =
      (await put({
        options: [
          { name: "Size", value: "a" },
          { name: "Size", value: "b" },
        ],
      })) ?? [];
    expect([code, param]).toEqual(["parameter_invalid", "options"]);

    await products.update(shop.a.id, "prod_s", { sku: "SH-S", external_id: "77" });
    const taken = { options: options("XL"), sku: "sh-s" };
    expect(await put(taken)).toEqual([
      "parameter_invalid",
      "sku",
      "sku is taken by another product.",
    ]);
    expect((await put({ options: options("XL"), external_id: "77" }))?.[1]).toBe("external_id");
    const many = await refusal(
      products.putMany(shop.a.id, [
        { name: "One", price: 1, currency: "BRL" },
        { name: "Two", price: 1, currency: "BRL", sku: "SH-S" },
      ]),
    );
    expect(many?.[1]).toBe("products[1].sku");
    expect((await products.list(shop.a.id, { search: "one" })).data).toEqual([]);
  });

  test("an owner finds a product by its codes, and takes them and the group away again", async () => {
    const { products } = shop.owner;
    await products.update(shop.a.id, "prod_s", { sku: "SH-S", external_id: "Ext-77" });
    const found = async (search: string) =>
      (await products.list(shop.a.id, { search })).data.map(({ id }) => id);
    expect(await found("sh-")).toEqual(["prod_s"]);
    expect(await found("Ext-77")).toEqual(["prod_s"]);
    expect(await found("Ext-7")).toEqual([]);
    const group = await products.list(shop.a.id, { group: "shirt" });
    expect(group.data.map(({ id }) => id)).toEqual(["prod_l", "prod_m", "prod_s"]);
    expect(await products.retrieve(shop.a.id, "prod_s")).toMatchObject({
      sku: "SH-S",
      external_id: "Ext-77",
      group: "shirt",
      options: options("S"),
    });

    const none = { sku: null, external_id: null, group: null, options: [] };
    const freed = await products.update(shop.a.id, "prod_s", none);
    expect(Object.keys(freed)).not.toEqual(expect.arrayContaining(["sku"]));
    expect(await found("sh-")).toEqual([]);
    expect(ids(await shop.get("/products?group=first", { key }))).toEqual([
      shop.product.id,
      "prod_m",
      "prod_s",
    ]);
    const { data: body } = (await shop.get("/products/shirt-s", { key })).body;
    expect(Object.keys(body)).not.toContain("group");
  });
});
