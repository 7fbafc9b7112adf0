import { describe, expect, test } from "vitest";
import type { Storage } from "vitrine";
import { createShopperMcp } from "vitrine/mcp";
import { returnUrl, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { endpointUrl as acpUrl, judge as judgeAcp } from "./acp-client.ts";
import { openAcpShop } from "./acp-shop.ts";
import { listen, mcpClient } from "./mcp-client.ts";
import { ucpClient, ucpEndpoint } from "./ucp-client.ts";

/** A shirt of four variants, of which one is sold out and none is blue and L. */
const shirt = [
  { color: "Red", size: "S", price: 3_000, stock: null },
  { color: "Red", size: "L", price: 3_500, stock: 0 },
  { color: "Blue", size: "S", price: 2_500, stock: 4 },
  { color: "Green", size: "L", price: 4_000, stock: null },
] as const;

async function openWithShirt(storage: Storage) {
  const opened = await openAcpShop(storage);
  const { owner, a } = opened.shop;
  const ids: Record<string, string> = {};
  for (const [position, { color, size, price, stock }] of shirt.entries()) {
    const options = [
      { name: "Color", value: color },
      { name: "Size", value: size },
    ];
    const facts = { name: "Shirt", currency: "BRL", group: "shirt", position };
    const made = await owner.products.create(a.id, { ...facts, options, price, stock });
    ids[`${color} ${size}`] = made.id;
  }
  return { ...opened, idOf: (name: string) => ids[name] ?? "" };
}

const ucpOf = (shop: Shop) => ucpClient(ucpEndpoint(shop));
const labels = ({ options }: { options: { label: string }[] }) =>
  options.map(({ label }) => label).join(" ");
const red = { name: "Color", label: "Red" };
const large = { name: "Size", label: "L" };

describe.each(storages)("a product of several variants, on %s", (_name, open) => {
  test("UCP: is found once, with its options and every variant, each of which can be bought", async () => {
    const { shop, idOf } = await openWithShirt(await open());
    const send = ucpOf(shop);
    const { products } = (await send("POST", "/catalog/search", { query: "shirt" })).body;
    expect(products).toMatchObject([
      {
        title: "Shirt",
        price_range: { min: { amount: 2_500 }, max: { amount: 4_000 } },
        options: [
          { name: "Color", values: [{ label: "Red" }, { label: "Blue" }, { label: "Green" }] },
          { name: "Size", values: [{ label: "S" }, { label: "L" }] },
        ],
      },
    ]);
    const [{ variants }] = products;
    expect(variants.map(labels)).toEqual(["Blue S", "Red S", "Red L", "Green L"]);
    expect(variants.map(({ id }: { id: string }) => id)).not.toContain(products[0].id);
    expect(variants[2]).toMatchObject({
      id: idOf("Red L"),
      title: "Red / L",
      price: { amount: 3_500, currency: "BRL" },
      availability: { available: false, status: "out_of_stock" },
    });

    const line_items = [{ item: { id: idOf("Green L") }, quantity: 1 }];
    const bought = await send("POST", "/checkout-sessions", { line_items });
    expect(bought.body.line_items[0].item.price).toBe(4_000);
    const cheap = { query: "shirt", filters: { price: { min: 3_000, max: 3_600 } } };
    const [some] = (await send("POST", "/catalog/search", cheap)).body.products;
    expect(some.variants.map(labels)).toEqual(["Red S", "Red L"]);
    const dear = { query: "shirt", filters: { price: { min: 9_000 } } };
    expect((await send("POST", "/catalog/search", dear)).body.products).toEqual([]);
  });

  test("UCP: is looked up once, with the variants that were asked for", async () => {
    const { shop, idOf } = await openWithShirt(await open());
    const send = ucpOf(shop);
    const [whole] = (await send("POST", "/catalog/search", { query: "shirt" })).body.products;
    const ids = [
      idOf("Red L"),
      idOf("Green L"),
      whole.id,
      "group_none",
      `group_${shop.product.id}`,
    ];
    const { body } = await send("POST", "/catalog/lookup", { ids });
    expect(body.products).toHaveLength(1);
    expect(body.products[0].id).toBe(whole.id);
    expect(body.products[0].variants).toMatchObject([
      { id: idOf("Red S"), inputs: [{ id: whole.id, match: "featured" }] },
      { id: idOf("Red L"), inputs: [{ id: idOf("Red L"), match: "exact" }] },
      { id: idOf("Green L"), inputs: [{ id: idOf("Green L"), match: "exact" }] },
    ]);
    expect(body.messages.map(({ content }: { content: string }) => content)).toEqual(ids.slice(3));
  });

  test("UCP: is narrowed by what is selected, which gives way where no variant has it", async () => {
    const { shop, idOf } = await openWithShirt(await open());
    const send = ucpOf(shop);
    const [{ id }] = (await send("POST", "/catalog/search", { query: "shirt" })).body.products;
    const get = async (more: object) =>
      (await send("POST", "/catalog/product", { id, ...more })).body.product;

    const begun = await get({});
    expect([begun.selected, begun.variants.map(labels)]).toEqual([
      [red, { name: "Size", label: "S" }],
      ["Red S"],
    ]);
    const narrowed = await get({ selected: [red] });
    expect([narrowed.selected, narrowed.variants.map(labels)]).toEqual([[red], ["Red S", "Red L"]]);
    const [colors, sizes] = narrowed.options;
    const can = (label: string, available: boolean, exists = true) => ({
      label,
      available,
      exists,
    });
    expect(colors.values).toEqual([can("Red", true), can("Blue", true), can("Green", true)]);
    expect(sizes.values).toEqual([can("S", true), can("L", false)]);

    const blueL = [{ name: "Color", label: "Blue" }, large];
    const inOrder = async (...preferences: string[]) =>
      (await get({ selected: blueL, preferences })).selected;
    expect(await inOrder("Color", "Size")).toEqual([blueL[0]]);
    expect(await inOrder("Size", "Color")).toEqual([large]);
    expect(await inOrder("Size")).toEqual([large]);
    expect((await get({ selected: blueL })).options[1].values).toEqual([
      can("S", true),
      can("L", false, false),
    ]);
    const odd = [{ name: "Smell", label: "Rose" }];
    expect(labels((await get({ selected: odd })).variants[0])).toBe("Red S");

    const own = await get({ id: idOf("Red L"), selected: [{ name: "Size", label: "S" }] });
    expect([own.id, own.selected, own.variants.map(labels)]).toEqual([id, [red, large], ["Red L"]]);
    const twice = { id, selected: [red, { name: "Color", label: "Blue" }] };
    const refused = await send("POST", "/catalog/product", twice);
    expect([refused.status, refused.body.content]).toEqual([
      400,
      expect.stringContaining("selected must name each option once"),
    ]);
  });

  test("ACP: is one line of the feed, whose variants can be bought by their ids", async () => {
    const { shop, endpoint, agents, idOf, create, wanted } = await openWithShirt(await open());
    const headers = { authorization: `Bearer ${agents.assistant}`, "api-version": "2026-04-17" };
    const feed = await endpoint.handler(new Request(`${acpUrl}/products.jsonl`, { headers }));
    const products = (await feed.text()).trim().split("\n");
    const shown = products.map((line) => JSON.parse(line));
    for (const product of shown) judgeAcp("2026-04-17", "feed#/$defs/Product", product);
    expect(shown).toHaveLength(2);

    const { variants } = shown.find(({ title }) => title === "Shirt");
    expect(variants.map(({ title }: { title: string }) => title)).toEqual([
      "Shirt - Red / S",
      "Shirt - Red / L",
      "Shirt - Blue / S",
      "Shirt - Green / L",
    ]);
    expect(variants[1]).toMatchObject({
      id: idOf("Red L"),
      price: { amount: 3_500, currency: "BRL" },
      availability: { available: false },
      variant_options: [
        { name: "Color", value: "Red" },
        { name: "Size", value: "L" },
      ],
    });
    const made = await create(wanted({}, idOf("Blue S")));
    expect(made.line_items[0].unit_amount).toBe(2_500);
    expect(shown.find(({ id }) => id === shop.product.id).variants).toHaveLength(1);
  });

  test("MCP: is found once, with its options and every variant's id, price and availability", async () => {
    const { shop, idOf } = await openWithShirt(await open());
    const addresses = { success_url: returnUrl, cancel_url: returnUrl };
    const options = { path: "/mcp", key: shop.a.test.pub, ...addresses };
    const { call } = mcpClient(await listen(createShopperMcp(shop.storefront, options)));

    const { products } = await call("search_products", { query: "shirt" });
    expect(products).toHaveLength(1);
    const { group } = products[0];
    expect(group).toMatchObject({
      price_from: 2_500,
      price_to: 4_000,
      options: [
        { name: "Color", values: ["Red", "Blue", "Green"] },
        { name: "Size", values: ["S", "L"] },
      ],
    });
    expect(group.variants[1]).toMatchObject({ id: idOf("Red L"), price: 3_500, available: false });
    const one = await call("get_product", { id_or_slug: idOf("Green L") });
    expect(one.product.group).toEqual(group);

    const items = [{ product_id: idOf("Green L"), quantity: 1 }];
    const { checkout } = await call("create_checkout", { items });
    expect(checkout).toMatchObject({ amount_total: 4_000, line_items: [{ options: [{}, {}] }] });
  });
});
