import { expect, test } from "vitest";
import { createDashboardShop, type DashboardShop } from "../support/dashboard-shop.ts";
import { ownArticle } from "../support/own-article.ts";

const addressOf = ({ a }: DashboardShop, list: string): string => `/dashboard/${a.id}/test/${list}`;

const article = ownArticle("42");
const catalog = {
  list: async () => ({ products: [article], next: null }),
  find: async () => article,
  categories: async () => [],
  cart: async () => [article],
};

test("with a catalog of the host, the lists of products and categories say where products are", async () => {
  const shop = await createDashboardShop({ storefront: { catalog: catalog as never } });
  const visitor = shop.visitor();
  for (const list of ["products", "categories"]) {
    const body = (await visitor.send(addressOf(shop, list))).body ?? "";
    expect(body).toContain("Your products come from your own system");
    expect(body).not.toMatch(/products\/new|categories\/new|products\/import/);
  }
  const portuguese = await visitor.send(addressOf(shop, "products"), {
    headers: { "accept-language": "pt-BR" },
  });
  expect(portuguese.body).toContain("Seus produtos vêm do seu próprio sistema");
});

test("with the library's own catalog they are lists", async () => {
  const shop = await createDashboardShop();
  const body = (await shop.visitor().send(addressOf(shop, "products"))).body ?? "";
  expect(body).not.toContain("own system");
  expect(body).toContain("products/new");
});
