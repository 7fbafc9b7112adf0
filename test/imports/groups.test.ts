import { beforeEach, describe, expect, test } from "vitest";
import { applyImport, planImport, readProducts } from "vitrine/import";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { csv } from "./read.ts";

type Rows = readonly Readonly<Record<string, string>>[];
const columnsOf = (rows: Rows) => [...new Set(rows.flatMap((row) => Object.keys(row)))];
const file = (rows: Rows): string => csv(columnsOf(rows), rows);

const shopify = file([
  {
    Handle: "shirt",
    Title: "Shirt",
    "Option1 Name": "Size",
    "Option1 Value": "S",
    "Option2 Name": "Colour",
    "Option2 Value": "Red",
    "Variant SKU": "SH-S",
    "Variant Price": "10.00",
  },
  {
    Handle: "shirt",
    "Option1 Value": "M",
    "Option2 Value": "Red",
    "Variant SKU": "SH-M",
    "Variant Price": "12.00",
  },
  { Handle: "mug", Title: "Mug", "Variant SKU": "sh-m", "Variant Price": "5.00" },
]);
const shirt = { ID: "7", Type: "variable", SKU: "SHIRT", Name: "Shirt", "Regular price": "" };
const variation = { Type: "variation", Parent: "SHIRT", "Attribute 1 name": "Size" };
const woo = (...rows: Rows): string => file([shirt, ...rows]);

describe.each(storages)("variants in a file, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open(), { productUrl: "https://shop.example.com/{slug}" });
  });
  const run = async (
    format: "shopify" | "woocommerce" | "google" | "jsonl",
    text: string,
    work = applyImport,
  ) => {
    const records = readProducts({ format, open: () => text, currency: "BRL" });
    const notes: string[] = [];
    const faults: unknown[] = [];
    const { created, updated, unchanged, refused } = await work(shop.storefront, records, {
      store_id: shop.b.id,
      onProgress: ({ outcomes }) => {
        for (const outcome of outcomes) {
          notes.push(...outcome.notes.map(({ message }) => message));
          if (outcome.message) faults.push([outcome.column, outcome.message, outcome.slug]);
        }
      },
    });
    return { counts: [created, updated, unchanged, refused], notes, faults };
  };
  const stored = async (group: string) => {
    const { data } = await shop.owner.products.list(shop.b.id, { group });
    return data
      .map(({ name, slug, sku, external_id, options = [] }) => ({
        name,
        slug,
        sku,
        external_id,
        values: options.map(({ name, value }) => `${name}: ${value}`),
      }))
      .sort((one, other) => (one.slug < other.slug ? -1 : 1));
  };

  test("are sold in the order of the file", async () => {
    const sizes = ["P", "M", "G", "GG", "XG", "36", "34", "38"];
    const rows = sizes.map((size, index) => ({
      Handle: "calca",
      ...(index === 0 && { Title: "Calça", "Option1 Name": "Tamanho" }),
      "Option1 Value": size,
      "Variant SKU": `CA-${size}`,
      "Variant Price": "10.00",
    }));
    const records = readProducts({ format: "shopify", open: () => file(rows), currency: "BRL" });
    await applyImport(shop.storefront, records, { store_id: shop.b.id });
    const key = shop.b.live.pub;
    const { body } = await shop.get("/products?search=calca&group=first", { key });
    const { data } = (await shop.get(`/products/${body.data[0].id}`, { key })).body;
    expect(data.group.options).toEqual([{ name: "Tamanho", values: sizes }]);
  });

  test("the variants of Shopify become a group, and a second run changes nothing", async () => {
    const note = "The SKU sh-m is left out: another product has it.";
    expect(await run("shopify", shopify, planImport)).toEqual({
      counts: [3, 0, 0, 0],
      notes: [note],
      faults: [],
    });
    expect((await run("shopify", shopify)).counts).toEqual([3, 0, 0, 0]);
    expect(await stored("shirt")).toEqual([
      { name: "Shirt", slug: "shirt-m-red", sku: "SH-M", values: ["Size: M", "Colour: Red"] },
      { name: "Shirt", slug: "shirt-s-red", sku: "SH-S", values: ["Size: S", "Colour: Red"] },
    ]);
    expect((await run("shopify", shopify)).counts).toEqual([0, 0, 3, 0]);
  });

  test("an SKU that a product of the store has is left out, and told", async () => {
    const own = { name: "Own", price: 1, currency: "BRL", sku: "SH-S" };
    await shop.owner.products.create(shop.b.id, own);
    const { counts, notes } = await run("shopify", shopify);
    expect(counts).toEqual([3, 0, 0, 0]);
    expect(notes).toContain("The SKU SH-S is left out: another product has it.");
    expect((await stored("shirt")).map(({ sku }) => sku)).toEqual(["SH-M", undefined]);
  });

  test("a product of WooCommerce is known by its id, whatever its SKU is by now", async () => {
    const small = { ...variation, ID: "8", "Attribute 1 value(s)": "S", "Regular price": "10.00" };
    const large = { ...variation, ID: "9", "Attribute 1 value(s)": "L", "Regular price": "11.00" };
    expect((await run("woocommerce", woo(small, large))).counts).toEqual([2, 0, 0, 0]);
    const before = await stored("shirt");
    expect(before).toEqual([
      { name: "Shirt", slug: "shirt-l", external_id: "9", values: ["Size: L"] },
      { name: "Shirt", slug: "shirt-s", external_id: "8", values: ["Size: S"] },
    ]);
    const named = woo({ ...small, SKU: "NEW" }, large);
    expect((await run("woocommerce", named, planImport)).counts).toEqual([0, 1, 1, 0]);
    expect((await run("woocommerce", named)).counts).toEqual([0, 1, 1, 0]);
    expect(await stored("shirt")).toEqual([before[0], { ...before[1], sku: "NEW" }]);
    expect((await run("woocommerce", named)).counts).toEqual([0, 0, 2, 0]);
  });

  test("a product that has another external_id is not taken over by its slug", async () => {
    const small = { ...variation, ID: "8", "Attribute 1 value(s)": "S", "Regular price": "10.00" };
    const large = { ...variation, ID: "9", "Attribute 1 value(s)": "L", "Regular price": "11.00" };
    await run("woocommerce", woo(small, large));
    const before = await stored("shirt");

    // An article of another id comes under the address that the small shirt has.
    const other = woo({ ...small, ID: "10" }, large);
    const message = "The slug shirt-s is that of the product whose external_id is 8, and not 10.";
    for (const work of [planImport, applyImport]) {
      const { counts, faults } = await run("woocommerce", other, work);
      expect(counts).toEqual([0, 0, 1, 1]);
      expect(faults).toEqual([["slug", message, "shirt-s"]]);
    }
    expect(await stored("shirt")).toEqual(before);

    // The two that the store knows by their ids may exchange what their addresses are made of.
    const swapped = woo(
      { ...small, "Attribute 1 value(s)": "L" },
      { ...large, "Attribute 1 value(s)": "S" },
    );
    for (const work of [planImport, applyImport])
      expect((await run("woocommerce", swapped, work)).counts).toEqual([0, 2, 0, 0]);
    expect((await stored("shirt")).map(({ slug, external_id }) => [slug, external_id])).toEqual([
      ["shirt-l", "9"],
      ["shirt-s", "8"],
    ]);

    // An article of another id is refused also where the product's own row stands before it.
    const chain = woo({ ...small, "Attribute 1 value(s)": "M" }, { ...small, ID: "10" });
    for (const work of [planImport, applyImport])
      expect((await run("woocommerce", chain, work)).faults).toEqual([
        ["slug", message, "shirt-s"],
      ]);
  });

  test("a product without an external_id is taken over by its slug", async () => {
    const own = { name: "Own", slug: "shirt-s", price: 1, currency: "BRL" };
    const { id } = await shop.owner.products.create(shop.b.id, own);
    const small = { ...variation, ID: "8", "Attribute 1 value(s)": "S", "Regular price": "10.00" };
    for (const work of [planImport, applyImport])
      expect((await run("woocommerce", woo(small), work)).counts).toEqual([0, 1, 0, 0]);
    const product = await shop.owner.products.retrieve(shop.b.id, id);
    expect(product).toMatchObject({ slug: "shirt-s", external_id: "8" });
  });

  test("an external_id that comes a second time is refused, whatever the store has", async () => {
    const small = { ...variation, ID: "8", "Attribute 1 value(s)": "S", "Regular price": "10.00" };
    const twice = woo(small, { ...small, "Attribute 1 value(s)": "L" });
    const message = "The external_id 8 is given a second time.";
    for (const [work, count] of [
      [planImport, "created"],
      [applyImport, "created"],
      [applyImport, "unchanged"],
    ] as const) {
      const { counts, faults } = await run("woocommerce", twice, work);
      expect(counts).toEqual(count === "created" ? [1, 0, 0, 1] : [0, 0, 1, 1]);
      expect(faults).toEqual([["external_id", message, "shirt-l"]]);
    }
  });

  test("variations that make no group are products of their own, as they were", async () => {
    const any = { ...variation, ID: "8", "Attribute 1 value(s)": "", "Regular price": "1" };
    const large = { ...any, ID: "9", "Attribute 1 value(s)": "L" };
    expect((await run("woocommerce", woo(any, large))).counts).toEqual([2, 0, 0, 0]);
    expect(await stored("shirt")).toEqual([]);
  });

  test("an export and both feeds are read again without a change", async () => {
    await run("shopify", shopify);
    const { products } = shop.owner;
    await products.update(shop.b.id, (await products.list(shop.b.id)).data[0]?.id ?? "", {
      external_id: "X-1",
    });
    const where = { store_id: shop.b.id, format: "csv" } as const;
    const out = await shop.storefront.owner.export("products", { ...where, livemode: true });
    let text = "";
    const decoder = new TextDecoder();
    for await (const part of out.body)
      text += typeof part === "string" ? part : decoder.decode(part, { stream: true });
    expect(text).toContain("shirt");
    expect(await products.import({ ...where, body: text })).toMatchObject({
      updated: 0,
      created: 0,
      faults: [],
    });

    for (const name of ["google.xml", "products.jsonl"] as const) {
      const feed = await shop.storefront.handler(
        new Request(`https://api.example.com/v1/feeds/${name}`, {
          headers: { authorization: `Bearer ${shop.b.live.pub}` },
        }),
      );
      const feedText = await feed.text();
      const format = name === "google.xml" ? "google" : "jsonl";
      const records = readProducts({ format, open: () => feedText, currency: "BRL" });
      const groups: unknown[] = [];
      for await (const read of records)
        if ("product" in read && read.product.group)
          groups.push([read.product.group, read.product.options]);
      expect(groups).toHaveLength(2);
      expect(groups).toContainEqual([
        "shirt",
        [
          { name: "Size", value: "S" },
          { name: "Colour", value: "Red" },
        ],
      ]);
      if (format === "google") {
        expect(feedText).toContain("<g:item_group_id>shirt</g:item_group_id>");
        expect(feedText).toContain("<g:size>M</g:size>");
      }
    }
  });
});
