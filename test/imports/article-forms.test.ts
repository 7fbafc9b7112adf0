import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { applyImport, type ImportOptions, planImport, readProducts } from "vitrine/import";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { csv } from "./read.ts";

type Rows = readonly Readonly<Record<string, string>>[];
const file = (rows: Rows): string =>
  csv([...new Set(rows.flatMap((row) => Object.keys(row)))], rows);

const status = { "Option1 Name": "", "Option1 Value": "", Status: "active" };
const mug = { Handle: "mug", Title: "Mug", "Variant SKU": "MUG", "Variant Price": "5.00" };
const shopify = {
  single: file([
    { ...mug, ...status, Handle: "shirt", Title: "Shirt", "Variant SKU": "SH" },
    { ...mug, ...status },
  ]),
  variants: (count: number): string =>
    file([
      ...Array.from({ length: count }, (_, index) => ({
        Handle: "shirt",
        ...(index === 0 && { Title: "Shirt", "Option1 Name": "Size", Status: "active" }),
        "Option1 Value": `${index + 1}`,
        "Variant SKU": index === 0 ? "sh" : `SH-${index + 1}`,
        "Variant Price": "12.00",
      })),
      { ...mug, ...status },
    ]),
};

const wooShirt = { ID: "7", SKU: "SHIRT", Name: "Shirt", Published: "1", Parent: "" };
const size = { Type: "variation", Parent: "SHIRT", Published: "1", "Attribute 1 name": "Size" };
const woocommerce = {
  single: file([{ ...wooShirt, Type: "simple", "Regular price": "10.00" }]),
  variants: file([
    { ...wooShirt, Type: "variable", "Regular price": "" },
    { ...size, ID: "8", "Attribute 1 value(s)": "S", "Regular price": "10.00" },
    { ...size, ID: "9", "Attribute 1 value(s)": "L", "Regular price": "11.00" },
  ]),
};

describe.each(storages)("an article that a file sells in another form, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open());
  });

  type Options = Partial<ImportOptions>;
  type Format = "shopify" | "woocommerce";
  /** Plans, stores, and stores again, which changes nothing. */
  async function run(format: Format, text: string, options: Options = {}) {
    const records = () => readProducts({ format, open: () => text, currency: "BRL" });
    const into = { store_id: shop.b.id, ...options };
    const plan = await planImport(shop.storefront, records(), into);
    const done = await applyImport(shop.storefront, records(), into);
    expect(done).toEqual(plan);
    const again = await applyImport(shop.storefront, records(), into);
    expect([again.created, again.updated, again.deactivated]).toEqual([0, 0, 0]);
    return [done.created, done.updated, done.unchanged, done.refused, done.deactivated];
  }
  const onSale = async () => {
    const { data } = await shop.owner.products.list(shop.b.id, { active: true });
    return data.flatMap(({ slug }) => (slug === "product-b" ? [] : slug)).sort();
  };
  const bySlug = async (slug: string) => {
    const { data } = await shop.owner.products.list(shop.b.id);
    return data.find((each) => each.slug === slug);
  };

  test("a product of Shopify that gains variants leaves the list with its SKU, and back", async () => {
    expect(await run("shopify", shopify.single)).toEqual([2, 0, 0, 0, 0]);
    const old = await bySlug("shirt");

    expect(await run("shopify", shopify.variants(2))).toEqual([2, 0, 1, 0, 1]);
    expect(await onSale()).toEqual(["mug", "shirt-1", "shirt-2"]);
    expect(await bySlug("shirt")).toMatchObject({ id: old?.id, active: false });
    expect((await bySlug("shirt"))?.sku).toBeUndefined();
    expect(await bySlug("shirt-1")).toMatchObject({ sku: "sh" });

    expect(await run("shopify", shopify.single)).toEqual([0, 1, 1, 0, 2]);
    expect(await onSale()).toEqual(["mug", "shirt"]);
    expect(await bySlug("shirt")).toMatchObject({ id: old?.id, sku: "SH" });
    expect(await bySlug("shirt-2")).toMatchObject({ group: "shirt", active: false, sku: "SH-2" });

    expect(await run("shopify", shopify.variants(2))).toEqual([0, 2, 1, 0, 1]);
    expect(await onSale()).toEqual(["mug", "shirt-1", "shirt-2"]);
  });

  test("a product of WooCommerce keeps its id there in both forms", async () => {
    expect(await run("woocommerce", woocommerce.single)).toEqual([1, 0, 0, 0, 0]);
    const old = await bySlug("shirt");
    // The owner's own address does not hide it.
    await shop.owner.products.update(shop.b.id, old?.id ?? "", { slug: "camisa" });

    expect(await run("woocommerce", woocommerce.variants)).toEqual([2, 0, 0, 0, 1]);
    expect(await onSale()).toEqual(["shirt-l", "shirt-s"]);
    expect(await bySlug("camisa")).toMatchObject({ id: old?.id, external_id: "7" });

    expect(await run("woocommerce", woocommerce.single)).toEqual([0, 1, 0, 0, 2]);
    expect(await onSale()).toEqual(["camisa"]);
    expect(await bySlug("shirt-s")).toMatchObject({ external_id: "8", active: false });
  });

  test("is counted once, over chunks and beside `missing`", async () => {
    await run("shopify", shopify.single);
    const [head = "", ...rows] = shopify.variants(100).split("\n");
    const line = (handle: string) =>
      head
        .split(",")
        .map((name) => ({ Handle: handle, Title: "Cup", "Variant Price": "1" })[name] ?? "");
    const cups = Array.from({ length: 150 }, (_, index) => line(`cup-${index}`).join(","));
    const many = [head, ...cups, ...rows].join("\n");
    // Beside the shirt, the store's own product is not in the file.
    expect(await run("shopify", many, { missing: "deactivate" })).toEqual([250, 0, 1, 0, 2]);
    const all = { missing: "deactivate" } as const;
    expect(await run("shopify", shopify.single, all)).toEqual([0, 1, 1, 0, 250]);
  });

  test("stays where no row of the new form can be stored", async () => {
    await run("shopify", shopify.single);
    const dear = shopify.variants(2).replaceAll("12.00", "twelve");
    expect(await run("shopify", dear)).toEqual([0, 0, 1, 2, 0]);
    expect(await onSale()).toEqual(["mug", "shirt"]);
  });

  test("stays where the owner has made a group of the single product by hand", async () => {
    await run("shopify", shopify.single);
    const old = await bySlug("shirt");
    const group = (value: string) => ({ group: "shirt", options: [{ name: "Size", value }] });
    await shop.owner.products.update(shop.b.id, old?.id ?? "", { ...group("S"), active: false });
    const large = { name: "Shirt", slug: "large", price: 1, currency: "BRL", ...group("L") };
    await shop.owner.products.create(shop.b.id, large);
    expect(await run("shopify", shopify.single)).toEqual([0, 1, 1, 0, 0]);
    expect(await onSale()).toEqual(["large", "mug", "shirt"]);
  });
});

test("the variants of an article are found in a store of more than 10,000 products too", async () => {
  const shop = await createShop(memoryStorage());
  for (let thousand = 0; thousand < 10; thousand += 1)
    await shop.owner.products.putMany(
      shop.b.id,
      Array.from({ length: 1_000 }, (_, index) => {
        const name = `p-${thousand}-${index}`;
        return { name, slug: name, price: 1, currency: "BRL" };
      }),
    );
  const apply = (text: string) =>
    applyImport(
      shop.storefront,
      readProducts({ format: "shopify", open: () => text, currency: "BRL" }),
      { store_id: shop.b.id },
    );

  await apply(shopify.variants(2));
  expect(await apply(shopify.single)).toMatchObject({ created: 1, unchanged: 1, deactivated: 2 });
});
