import { describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createDashboardShop } from "../support/dashboard-shop.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

/** Fills the shop A, whose own product costs 10.00, with products of two categories. */
async function fill({ owner, a }: Pick<Shop, "owner" | "a">) {
  const tea = await owner.categories.create(a.id, { name: "Tea" });
  const pots = await owner.categories.create(a.id, { name: "Pots" });
  const make = (name: string, price: number, category: { id: string }, more: object = {}) =>
    owner.products.create(a.id, {
      ...{ name, price, currency: "BRL", category_ids: [category.id], ...more },
    });
  await make("Green tea", 1_500, tea, { stock: 3 });
  await make("Black tea", 2_500, tea, { stock: 0 });
  await make("Red tea", 2_900, tea, { active: false });
  await make("Teapot", 9_000, pots, { stock: 0 });
  return { tea: tea.id, pots: pots.id };
}

describe.each(storages)("the facets of an owner's products, on %s", (_name, open) => {
  test("tell what each choice would leave, whatever is chosen of the same filter", async () => {
    const shop = await createShop(await open());
    const { tea, pots } = await fill(shop);
    const { products } = shop.owner;
    const livemode = false;
    const read = (query: object = {}) => products.facets(shop.a.id, { livemode, ...query });

    const all = await read({ search: "tea" });
    expect(all).toEqual({
      category: [
        { category_id: tea, count: 3 },
        { category_id: pots, count: 1 },
      ],
      price: [
        { min: 0, max: 1_999, currency: "BRL", count: 1 },
        { min: 2_000, max: 3_999, currency: "BRL", count: 2 },
        { min: 8_000, max: 9_999, currency: "BRL", count: 1 },
      ],
      stock: [
        { level: "in_stock", count: 1 },
        { level: "sold_out", count: 2 },
        { level: "uncounted", count: 1 },
      ],
    });
    const chosen = { search: "tea", category_id: tea, stock: "sold_out" } as const;
    const some = await read(chosen);
    expect(some?.category).toEqual(
      [
        { category_id: pots, count: 1 },
        { category_id: tea, count: 1 },
      ].sort((one, other) => (one.category_id < other.category_id ? -1 : 1)),
    );
    expect(some?.stock.map(({ count }) => count)).toEqual([1, 1, 1]);
    expect(some?.price).toMatchObject([{ count: 1 }]);

    // Each count is that of the list which the choice would leave.
    for (const { min, max, count } of all?.price ?? []) {
      const range = { search: "tea", min_price: min, max_price: max };
      expect((await products.list(shop.a.id, range)).data).toHaveLength(count);
    }
    const found = await products.list(shop.a.id, { ...chosen, livemode, max_price: 2_500 });
    expect(found.data.map(({ name }) => name)).toEqual(["Black tea"]);
    expect(
      (await products.list(shop.a.id, { ...chosen, livemode, max_price: 2_499 })).data,
    ).toEqual([]);
  });

  test("are none beyond 1,000 products, and no span of prices where currencies differ", async () => {
    const shop = await createShop(await open());
    const { products } = shop.owner;
    const many = Array.from({ length: 1_000 }, (_, index) => ({
      id: `prod_${index}`,
      name: `Bulk ${index}`,
      price: index,
      currency: index === 0 ? "USD" : "BRL",
    }));
    await products.putMany(shop.a.id, many);
    expect(await products.facets(shop.a.id)).toBeNull();
    const bulk = await products.facets(shop.a.id, { search: "Bulk" });
    expect(bulk?.price).toEqual([]);
    expect(bulk?.stock.at(-1)).toEqual({ level: "uncounted", count: 1_000 });
  });
});

test("an unknown store, a price that is none, and a filter that is none are refused by name", async () => {
  const { owner, a } = await createShop(memoryStorage());
  const { facets } = owner.products;
  await expect(facets("str_none")).rejects.toMatchObject({ code: "resource_not_found" });
  for (const [param, query] of [
    ["min_price", { min_price: -1 }],
    ["max_price", { max_price: 1.5 }],
    ["limit", { limit: 3 }],
  ] as const)
    await expect(facets(a.id, query as never)).rejects.toMatchObject({ param });
});

describe("the dashboard's list of products", () => {
  test("counts its choices, finds by price without a script, and keeps what is chosen", async () => {
    const shop = await createDashboardShop();
    const { tea } = await fill(shop);
    const visitor = shop.visitor();
    const at = `/dashboard/${shop.a.id}/test/products`;
    const page = (await visitor.send(`${at}?search=tea`)).body ?? "";
    const choice = (value: string) =>
      new RegExp(`<option value="${value}"[^>]*>([^<]*)<`).exec(page)?.[1];
    expect(choice(tea)).toBe("Tea (3)");
    expect(choice("sold_out")).toMatch(/ \(2\)$/);
    expect(choice("2000-3999")).toBe("R$20.00 – R$39.99 (2)");

    const found = (await visitor.send(`${at}?search=tea&price=2000-3999`)).body ?? "";
    expect(found).toMatch(/<option value="2000-3999"\s+selected>/);
    for (const [name, isFound] of [
      ["Black tea", true],
      ["Red tea", true],
      ["Green tea", false],
      ["Teapot", false],
    ] as const)
      expect(found.includes(`>${name}</a>`), name).toBe(isFound);

    const nowhere = (await visitor.send(`${at}?price=1-2&search=nothing`)).body ?? "";
    expect(nowhere).toMatch(/<option value="1-2"\s+selected>/);
    expect((await visitor.send(`${at}?price=x`)).status).toBe(200);
  });

  test("speaks Portuguese, in its own way of writing numbers", async () => {
    const shop = await createDashboardShop();
    await fill(shop);
    const visitor = shop.visitor();
    const headers = { "accept-language": "pt-BR" };
    const { body } = await visitor.send(`/dashboard/${shop.a.id}/test/products`, { headers });
    expect(body).toMatch(/R\$\s20,00 – R\$\s39,99 \(2\)/);
  });
});
