import { expect, test } from "vitest";
import { type CatalogSource, memoryStorage } from "vitrine";
import { ownArticle } from "../support/own-article.ts";
import { codeOf, createShop } from "../support/shop.ts";

const catalog: CatalogSource = {
  list: async () => ({ products: [ownArticle("a")], next: null }),
  find: async () => ownArticle("a"),
  categories: async () => [],
  cart: async () => [{ product: ownArticle("a"), on_hand: null }],
};
const shopWith = (hooks: object) =>
  createShop(memoryStorage(), { catalog: { ...catalog, ...hooks } });

const products = [ownArticle("a")];
const wrong: readonly [hook: "list" | "categories" | "cart", answer: unknown, told: string][] = [
  ["list", undefined, "list gave no list of products"],
  ["list", [], "list gave no list of products"],
  ["list", { data: products, next: null }, "list gave no list of products"],
  ["list", { products: "all", next: null }, "list gave no list of products"],
  ["list", { products: { length: 1 }, next: null }, "list gave no list of products"],
  ["list", { products: [null], next: null }, "gave a record"],
  ["list", { products: [5], next: null }, "gave a record"],
  ["list", { products }, "list gave a next that is neither a text nor null"],
  ["list", { products, next: 5 }, "list gave a next that is neither a text nor null"],
  ["list", { products, next: {} }, "list gave a next that is neither a text nor null"],
  ["categories", undefined, "categories gave no list"],
  ["categories", { data: [] }, "categories gave no list"],
  ["categories", "all", "categories gave no list"],
  ["categories", [null], "gave a record"],
  ["cart", null, "cart gave no list"],
  ["cart", { data: [] }, "cart gave no list"],
  ["cart", [null], "gave a record"],
  ["cart", [{ on_hand: null }], "gave a record"],
];

test.each(wrong)("a wrong answer of %s is a 500 that names it (%#)", async (hook, answer, told) => {
  const shop = await shopWith({ [hook]: async () => answer });
  const key = shop.a.test.pub;
  const ask = {
    list: () => shop.get("/products", { key }),
    categories: () => shop.get("/categories", { key }),
    cart: () => shop.session({ items: [{ product_id: "a", quantity: 1 }] }),
  };
  expect(codeOf(await ask[hook]())).toEqual([500, "internal_error"]);
  expect(shop.errors).toHaveLength(1);
  const [error] = shop.errors;
  expect([String(error), String((error as Error).cause)].join()).toContain(
    `The catalog option${told.startsWith("gave") ? "" : "'s"} ${told}`,
  );
  expect(String(error)).not.toContain("TypeError");
});

const down = new Error("The shop's database is down.");
const failing = [
  () => Promise.reject(down),
  () => {
    throw down;
  },
];
test.each(failing)("a hook that fails is 503, whether it throws or rejects (%#)", async (fails) => {
  const shop = await shopWith({ list: fails, find: fails, categories: fails, cart: fails });
  const { pub: key, sec } = shop.a.test;
  const items = [{ product_id: "a", quantity: 1 }];
  const answers = [
    await shop.get("/products", { key }),
    await shop.get("/products/a", { key }),
    await shop.get("/categories", { key }),
    await shop.get("/suggestions?q=a", { key }),
    await shop.get("/feeds/products.jsonl", { key: sec }),
    await shop.session({ items }),
  ];
  for (const answer of answers) expect(codeOf(answer)).toEqual([503, "service_unavailable"]);
});

test("a find that gives nothing has no such product", async () => {
  const shop = await shopWith({ find: async () => undefined });
  const answer = await shop.get("/products/a", { key: shop.a.test.pub });
  expect(codeOf(answer)).toEqual([404, "resource_not_found"]);
});
