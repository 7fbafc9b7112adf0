import { expect, test } from "vitest";
import { memoryStorage, type SourceProduct } from "vitrine";
import { ownArticle } from "../support/own-article.ts";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

test("a host's own ids of 255 letters of any alphabet are listed and sold", async () => {
  const ids = Array.from({ length: 5 }, (_, index) => "品".repeat(254) + index);
  const shop = await createShop(memoryStorage(), {
    catalog: {
      async list({ after, limit }) {
        const from = after === undefined ? 0 : ids.indexOf(after) + 1;
        const products = ids.slice(from, from + limit).map(ownArticle);
        return { products, next: from + limit < ids.length ? (products.at(-1)?.id ?? null) : null };
      },
      find: async ({ id_or_slug }) => (ids.includes(id_or_slug) ? ownArticle(id_or_slug) : null),
      categories: async () => [],
      cart: async ({ product_ids }) =>
        product_ids.map((id) => ({ product: ownArticle(id), on_hand: null })),
    },
  });
  const listed: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { status, body } = await shop.get(
      `/products?limit=2${cursor && `&starting_after=${cursor}`}`,
      { key: shop.a.test.pub },
    );
    expect(status).toBe(200);
    listed.push(...body.data.map(({ id }: SourceProduct) => id));
    cursor = body.next_cursor;
  }
  expect(listed).toEqual(ids);
  expect(
    (await shop.get(`/products/${encodeURIComponent(ids[3] ?? "")}`, { key: shop.a.test.pub }))
      .status,
  ).toBe(200);
  expect((await shop.session({ items: [{ product_id: ids[4], quantity: 1 }] })).status).toBe(201);
});

test("a host's own catalog is searched for suggestions, and asked for nothing else", async () => {
  const names = ["Coffee", "Decoffee", "Dark coffee"];
  const asked: unknown[] = [];
  const shop = await createShop(memoryStorage(), {
    catalog: {
      async list({ search, limit }) {
        asked.push({ search, limit });
        return { products: names.map((name) => ({ ...ownArticle(name), name })), next: null };
      },
      find: async () => null,
      categories: async () => [],
      cart: async () => [],
    },
  });

  const { body } = await shop.get("/suggestions?q=Cof", { key: shop.a.test.pub });
  expect(body.data.map(({ id }: SourceProduct) => id)).toEqual(["Coffee", "Dark coffee"]);
  expect(asked).toEqual([{ search: "Cof", limit: 24 }]);
});

test("a host's page with fewer products than were asked for is shown once, and goes on", async () => {
  const shop = await createShop(memoryStorage(), {
    catalog: {
      list: async ({ after }) =>
        after === undefined
          ? { products: [ownArticle("a")], next: "more" }
          : {
              products: after === "more" ? [] : [ownArticle("b")],
              next: after === "more" ? "z" : null,
            },
      find: async () => null,
      categories: async () => [],
      cart: async () => [],
    },
  });
  const key = shop.a.test.pub;
  const listed: unknown[] = [];
  let cursor = "";
  for (let page = 0; page < 3; page += 1) {
    const { body } = await shop.get(`/products?limit=5${cursor}`, { key });
    listed.push(body.data.map(({ id }: SourceProduct) => id));
    cursor = `&starting_after=${body.next_cursor}`;
  }
  expect(listed).toEqual([["a"], [], ["b"]]);

  const feed = await shop.storefront.handler(
    new Request("https://a.example.com/v1/feeds/products.jsonl", {
      headers: { authorization: `Bearer ${key}` },
    }),
  );
  const lines = (await feed.text()).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(["a", "b"]);
});

test.each(storages)("half of an emoji and NUL are sold as U+FFFD, on %s", async (_name, open) => {
  const product: SourceProduct = {
    ...ownArticle("mug"),
    name: "Mug 😀😀".slice(0, -1),
    description: "a\0b",
    options: [{ name: "Size", value: "\ude00M" }],
  };
  const shop = await createShop(await open(), {
    catalog: {
      list: async () => ({ products: [product], next: null }),
      find: async () => product,
      categories: async () => [],
      cart: async () => [{ product, on_hand: null }],
    },
  });

  const shown = { name: "Mug 😀\ufffd", description: "a\ufffdb" };
  const { body } = await shop.get("/products", { key: shop.a.test.pub });
  expect(body.data).toMatchObject([shown]);
  const order = await shop.buy({ items: [{ product_id: "mug", quantity: 1 }] });
  expect(order.status).toBe("paid");
  expect(order.items).toMatchObject([
    { name: shown.name, options: [{ name: "Size", value: "\ufffdM" }] },
  ]);
});
