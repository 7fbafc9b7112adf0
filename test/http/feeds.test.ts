import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { applyImport, readProducts } from "vitrine/import";
import { ownArticle } from "../support/own-article.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const productUrl = "https://shop.example.com/products/{slug}";
const feeds = { google: "/feeds/google.xml", jsonl: "/feeds/products.jsonl" } as const;

const read = (shop: Shop, path: string, headers: Record<string, string> = {}, method = "GET") =>
  shop.storefront.handler(
    new Request(`https://api.example.com/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${shop.a.live.pub}`, ...headers },
    }),
  );
const textOf = async (shop: Shop, path: string): Promise<string> => {
  const answer = await read(shop, path);
  expect(answer.status).toBe(200);
  return answer.text();
};

/** Products whose texts, prices and pictures a careless feed would break. */
async function addHardProducts(shop: Shop): Promise<void> {
  const { owner } = shop;
  const tea = await owner.categories.create(shop.a.id, { name: "Chá & Mate", slug: "cha-mate" });
  const facts = { currency: "BRL", price: 123_450 } as const;
  await owner.products.create(shop.a.id, {
    ...facts,
    name: 'Cup <b>"A"</b> & ]]> \u0007 saucer',
    slug: "cup",
    description: "1 < 2 & &amp; <i>raw</i>\nSecond line",
    compare_at_price: 200_000,
    images: ["https://cdn.example.com/a.png?x=1&y=2", "https://cdn.example.com/b,c.png"],
    category_ids: [tea.id],
  });
  await owner.products.create(shop.a.id, { ...facts, name: "Gone", slug: "gone", stock: 0 });
  await owner.products.create(shop.a.id, { ...facts, name: "Draft", slug: "draft", active: false });
  await owner.products.create(shop.a.id, { ...facts, name: "Long", slug: "l".repeat(60) });
}

describe.each(storages)("feeds, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open(), { productUrl });
    await addHardProducts(shop);
  });

  test("give Google what the store publishes: address, price, sale, picture, availability", async () => {
    const xml = await textOf(shop, feeds.google);
    const [, ...items] = xml.split("<item>");
    expect(items).toHaveLength(4);
    const cup = items.find((item) => item.includes("<g:id>cup</g:id>")) ?? "";
    for (const part of [
      "<g:link>https://shop.example.com/products/cup</g:link>",
      "<g:price>2000.00 BRL</g:price>",
      "<g:sale_price>1234.50 BRL</g:sale_price>",
      "<g:image_link>https://cdn.example.com/a.png?x=1&amp;y=2</g:image_link>",
      "<g:availability>in_stock</g:availability>",
      "<g:product_type>Chá &amp; Mate</g:product_type>",
    ])
      expect(cup).toContain(part);
    expect(items.find((item) => item.includes("<g:id>gone</g:id>"))).toContain(">out_of_stock<");
    // Google takes no id of more than 50 characters.
    expect(xml).toMatch(/<g:id>prod_\w{26}<\/g:id>\n<v:slug>l{60}<\/v:slug>\n<g:title>Long</);
    expect(xml).not.toContain("\u0007");
    expect(xml).not.toContain("Draft");
  });

  test("give a line for each product, with the address of its page and no count of stock", async () => {
    const lines = (await textOf(shop, feeds.jsonl)).trimEnd().split("\n");
    const rows = lines.map((line) => JSON.parse(line));
    expect(rows.map(({ slug }) => slug)).toContain("product-a");
    expect(rows.find(({ slug }) => slug === "cup")).toMatchObject({
      price: 123_450,
      compare_at_price: 200_000,
      categories: [{ slug: "cha-mate", name: "Chá & Mate" }],
      available: true,
      stock: null,
      url: "https://shop.example.com/products/cup",
    });
    expect(rows.find(({ slug }) => slug === "gone")).toMatchObject({ available: false, stock: 0 });
  });

  test("are imported again without a change, and into an empty store once", async () => {
    for (const format of ["google", "jsonl"] as const) {
      const text = await textOf(shop, feeds[format]);
      const into = async (store_id: string) => {
        const records = await readProducts({ format, open: () => text, currency: "BRL" });
        return applyImport(shop.storefront, records, { store_id });
      };
      const slugs = text.match(/"slug":"cup"|<g:id>cup</g) ?? [];
      expect(slugs.length).toBe(1);

      const { id } = await shop.owner.stores.create({
        name: format,
        slug: format,
        currency: "BRL",
      });
      expect(await into(id)).toMatchObject({ created: 4, refused: 0 });
      expect(await into(id)).toMatchObject({ created: 0, updated: 0, unchanged: 4, refused: 0 });

      const again = await into(shop.a.id);
      expect(again).toMatchObject({ refused: 0 });
      const cup = (await shop.owner.products.list(shop.a.id, { search: "cup" })).data[0];
      expect(cup).toMatchObject({ price: 123_450, compare_at_price: 200_000 });
      expect(cup?.description).toBe("1 < 2 & &amp; <i>raw</i>\nSecond line");
    }
  });

  test("tell in their lines how often a product is paid, and are imported with it", async () => {
    const recurring = { interval: "month", interval_count: 3, trial_days: 7 } as const;
    const club = { name: "Club", slug: "club", price: 4_900, currency: "BRL", recurring };
    await shop.owner.products.create(shop.a.id, club);
    const text = await textOf(shop, feeds.jsonl);
    const rows = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.find(({ slug }) => slug === "club").recurring).toEqual(recurring);
    expect(rows.find(({ slug }) => slug === "cup")).not.toHaveProperty("recurring");

    const { id: store_id } = await shop.owner.stores.create({
      name: "Another",
      slug: "another",
      currency: "BRL",
    });
    const into = (lines: string) => {
      const records = readProducts({ format: "jsonl", open: () => lines, currency: "BRL" });
      return applyImport(shop.storefront, records, { store_id });
    };
    expect(await into(text)).toMatchObject({ refused: 0 });
    expect(await into(text)).toMatchObject({ created: 0, updated: 0, refused: 0 });
    const { data } = await shop.owner.products.list(store_id, { search: "club" });
    expect(data).toEqual([expect.objectContaining({ recurring })]);
    const wrong = text.replace('"interval_count":3', '"interval_count":0');
    expect(await into(wrong)).toMatchObject({ updated: 0, refused: 1 });
  });

  test("are 304 while the catalog is as it was, and new after a change", async () => {
    for (const path of Object.values(feeds)) {
      const first = await read(shop, path);
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^W\/"/);
      expect((await read(shop, path, { "if-none-match": etag })).status).toBe(304);
      const head = await read(shop, path, {}, "HEAD");
      expect([head.status, await head.text()]).toEqual([200, ""]);

      await shop.owner.products.create(shop.a.id, {
        name: `New ${path}`,
        price: 1,
        currency: "BRL",
      });
      const changed = await read(shop, path, { "if-none-match": etag });
      expect(changed.status).toBe(200);
      expect(await changed.text()).toContain("New ");
    }
  });

  test("hold every product once, over many pages, and stream what is long", async () => {
    const description = "x".repeat(5_000);
    await shop.owner.products.putMany(
      shop.a.id,
      Array.from({ length: 450 }, (_, index) => ({
        name: `Product ${index}`,
        slug: `p-${index}`,
        price: 100,
        currency: "BRL",
        description,
      })),
    );
    const answer = await read(shop, feeds.jsonl);
    expect(answer.headers.get("etag")).toMatch(/^W\/"/);
    const lines = (await answer.text()).trimEnd().split("\n");
    expect(new Set(lines.map((line) => JSON.parse(line).slug)).size).toBe(454);
    expect(lines).toHaveLength(454);
    const etag = answer.headers.get("etag") ?? "";
    expect((await read(shop, feeds.jsonl, { "if-none-match": etag })).status).toBe(304);
    expect((await textOf(shop, feeds.google)).split("<item>")).toHaveLength(455);
  });
});

test("a feed needs a key with catalog:read, and takes no parameter", async () => {
  const shop = await createShop(memoryStorage(), { productUrl });
  const { handler } = shop.storefront;
  const url = "https://api.example.com/v1/feeds/products.jsonl";
  expect((await handler(new Request(url))).status).toBe(401);
  const answer = await read(shop, "/feeds/google.xml?limit=5");
  expect([answer.status, (await answer.json()).error.code]).toEqual([400, "parameter_unknown"]);
});

test("without the address of the products' pages Google's feed says what is missing", async () => {
  const bare = await createShop(memoryStorage());
  const answer = await read(bare, feeds.google);
  const { error } = await answer.json();
  expect([answer.status, error.code]).toEqual([404, "resource_not_found"]);
  expect(error.message).toContain("productUrl");
  const lines = (await textOf(bare, feeds.jsonl)).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).url)).toEqual([null]);

  const shop = await createShop(memoryStorage(), { productUrl: "{website_url}/p/{id}" });
  expect((await read(shop, feeds.google)).status).toBe(404);
  await shop.owner.stores.update(shop.a.id, { website_url: "https://tea.example.com/" });
  expect(await textOf(shop, feeds.google)).toContain(
    `https://tea.example.com/p/${shop.product.id}<`,
  );

  const wrong = createShop(memoryStorage(), { productUrl: "https://shop.example.com" });
  expect(await thrownBy(wrong)).toMatchObject({ message: expect.stringContaining("productUrl") });
});

test("a host's own catalog is fed too, tagged by what it holds", async () => {
  const ids = Array.from({ length: 230 }, (_, index) => `own-${index}`);
  let count = ids.length;
  const shop = await createShop(memoryStorage(), {
    productUrl,
    catalog: {
      async list({ after, limit }) {
        const from = after === undefined ? 0 : ids.indexOf(after) + 1;
        const products = ids
          .slice(0, count)
          .slice(from, from + limit)
          .map(ownArticle);
        return { products, next: from + limit < count ? (products.at(-1)?.id ?? null) : null };
      },
      find: async () => null,
      categories: async () => [],
      cart: async () => [],
    },
  });
  for (const path of Object.values(feeds)) {
    count = 230;
    const first = await read(shop, path);
    expect((await first.text()).match(/<item>|"slug"/g)).toHaveLength(230);
    const etag = first.headers.get("etag") ?? "";
    expect((await read(shop, path, { "if-none-match": etag })).status).toBe(304);
    count = 120;
    expect((await read(shop, path, { "if-none-match": etag })).status).toBe(200);
  }
});

test("a feed that fails in the middle is broken off, and told", async () => {
  const article = (id: string) => ({ ...ownArticle(id), description: "x".repeat(20_000) });
  let page = 0;
  const shop = await createShop(memoryStorage(), {
    productUrl,
    catalog: {
      async list({ limit }) {
        page += 1;
        if (page === 3) throw new Error("The host's tables are gone.");
        const products = Array.from({ length: limit }, (_, at) => article(`${page}-${at}`));
        return { products, next: String(page) };
      },
      find: async () => null,
      categories: async () => [],
      cart: async () => [],
    },
  });
  const answer = await read(shop, feeds.jsonl);
  expect([answer.status, answer.headers.get("etag")]).toEqual([200, null]);
  await expect(answer.text()).rejects.toThrow();
  expect(shop.errors).toHaveLength(1);
});

test("options whose names have colons come back as they were, from both feeds", async () => {
  const names = ["Size: EU", "Cut:", "a::b: c"];
  const sizes = ["S", "M: tall"].map((size) => names.map((name) => ({ name, value: size })));
  const shop = await createShop(memoryStorage(), { productUrl });
  const { owner, storefront } = shop;
  const shirt = { name: "Shirt", group: "shirt", price: 100, currency: "BRL" } as const;
  await owner.products.putMany(
    shop.a.id,
    sizes.map((options, index) => ({ ...shirt, id: `prod_${index}`, slug: `s-${index}`, options })),
  );
  for (const format of ["google", "jsonl"] as const) {
    const text = await textOf(shop, feeds[format]);
    const { id } = await owner.stores.create({ name: format, slug: format, currency: "BRL" });
    const records = await readProducts({ format, open: () => text, currency: "BRL" });
    expect(await applyImport(storefront, records, { store_id: id })).toMatchObject({ refused: 0 });
    const { data } = await owner.products.list(id, { search: "shirt" });
    expect(data.map(({ options }) => options)).toEqual(expect.arrayContaining(sizes));
  }
});

test("a group's id is as long as Google takes, and comes back whole", async () => {
  const shop = await createShop(memoryStorage(), { productUrl });
  const groups = ["a", "b"].map((end) => `${"very-long-handle-".repeat(5)}${end}`);
  const facts = { name: "Shirt", price: 100, currency: "BRL" };
  for (const [at, group] of groups.entries())
    for (const value of ["S", "M"]) {
      const options = [{ name: "Size", value }];
      const slug = `shirt-${at}-${value.toLowerCase()}`;
      await shop.owner.products.create(shop.a.id, { ...facts, slug, group, options });
    }

  const text = await textOf(shop, feeds.google);
  const ids = [...text.matchAll(/<g:item_group_id>(.*)<\/g:item_group_id>/g)].map(([, id]) => id);
  expect(ids).toHaveLength(4);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id?.length).toBeLessThanOrEqual(50);
  const records = readProducts({ format: "google", open: () => text, currency: "BRL" });
  const read = new Set<unknown>();
  for await (const each of records) if ("product" in each) read.add(each.product.group);
  expect(read).toEqual(new Set([undefined, ...groups]));
});
