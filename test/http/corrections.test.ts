import { beforeEach, describe, expect, test } from "vitest";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("a search that finds nothing, on %s", (_name, open) => {
  let shop: Shop;
  const find = async (query: string) =>
    (await shop.get(`/products?${query}`, { key: shop.a.live.pub })).body;
  const names = (body: { data: readonly { name: string }[] }) => body.data.map(({ name }) => name);

  beforeEach(async () => {
    shop = await createShop(await open());
    await shop.owner.products.putMany(
      shop.a.id,
      ["Caneca azul", "Caneca verde", "Caneca preta", "Papel de carta"].map((name, index) => ({
        name,
        slug: `p-${index}`,
        price: 100,
        currency: "BRL",
        position: index,
      })),
    );
  });

  test("is corrected, and says by which words", async () => {
    const body = await find("search=canneca");
    expect(body).toMatchObject({ corrected_to: "caneca", has_more: false, next_cursor: null });
    expect(names(body)).toHaveLength(3);
    expect(await find("search=Papeis%20de%20cartta")).toMatchObject({
      corrected_to: "papel de carta",
    });
  });

  test("is corrected where a wrong word is inside of a word, and where hyphens are", async () => {
    await shop.owner.products.putMany(
      shop.a.id,
      ["Blue Teapot", "Teapots and more", "Blue Cup", "Red soda", "Guarda-chuva", "Bean bag"].map(
        (name, index) => ({ name, slug: `q-${index}`, price: 100, currency: "BRL" }),
      ),
    );
    expect(await find("search=blue%20teapots")).toMatchObject({ corrected_to: "blue teapot" });
    expect(await find("search=guadra-chuva")).toMatchObject({ corrected_to: "guarda-chuva" });
    expect(await find("search=bean-bag")).toMatchObject({ corrected_to: "bean bag" });
    for (const signs of ["-", "%%", "a.b", "!%20?", "--%20-"])
      expect((await find(`search=${signs}`)).corrected_to).toBeUndefined();
    // Words of the shop's own names are no typing errors.
    expect((await find("search=red%20caneca")).data).toEqual([]);
    expect((await find("search=blue%20soda")).data).toEqual([]);
  });

  test("is corrected where signs stand between words, and where a unit stands at its number", async () => {
    await shop.owner.products.putMany(
      shop.a.id,
      ["O'Brien Cap", "Arroz 1 kg", "Blue Shirt"].map((name, index) => ({
        ...{ name, slug: `q-${index}`, price: 100, currency: "BRL" },
      })),
    );
    for (const [search, corrected_to, first] of [
      ["o’brien", "o brien", "O'Brien Cap"],
      ["shirt, blue", "shirt blue", "Blue Shirt"],
      ["blue,shirt.", "blue shirt", "Blue Shirt"],
      ["blue!", "blue", "Blue Shirt"],
      ["blue shrit!", "blue shirt", "Blue Shirt"],
      ["arroz 1kg", "arroz 1 kg", "Arroz 1 kg"],
    ] as const) {
      const body = await find(`search=${encodeURIComponent(search)}`);
      expect([body.corrected_to, names(body)[0]]).toEqual([corrected_to, first]);
    }
    for (const search of ["arroz 2kg", "caneca %%", "blue_shirt", "blue*", "blue\\shirt"])
      expect((await find(`search=${encodeURIComponent(search)}`)).data).toEqual([]);
  });

  test("is corrected where a word is in the other number and has an edit besides", async () => {
    await shop.owner.products.putMany(
      shop.a.id,
      ["Throw Pillows", "Leather Jacket", "Fraldas", "Berço", "Vanilla candle", "Carregador"].map(
        (name, index) => ({ name, slug: `q-${index}`, price: 100, currency: "BRL" }),
      ),
    );
    for (const [search, corrected_to] of [
      ["pilow", "pillows"],
      ["throw pilow", "throw pillows"],
      ["jakets", "jacket"],
      ["frauda", "fraldas"],
      ["bersos", "berco"],
      ["candels", "candle"],
      ["caregadores", "carregador"],
    ])
      expect([search, (await find(`search=${search}`)).corrected_to]).toEqual([
        search,
        corrected_to,
      ]);
    // A word that needs no other number comes first.
    await shop.owner.products.create(shop.a.id, { name: "Pilot", price: 1, currency: "BRL" });
    expect(await find("search=pilow")).toMatchObject({ corrected_to: "pilot" });
    // Short words have no edits, in neither number.
    for (const search of ["mes", "azls", "azla", "pilw", "xpilow"])
      expect([search, (await find(`search=${search}`)).data]).toEqual([search, []]);
  });

  test("is corrected where two words are written as one", async () => {
    await shop.owner.products.putMany(
      shop.a.id,
      ["Guarda-chuva preto", "Yoga mat", "Pen drive 64 GB", "Saca-rolhas", "Coat", "Hanger"].map(
        (name, index) => ({ name, slug: `q-${index}`, price: 100, currency: "BRL" }),
      ),
    );
    for (const [search, corrected_to, first] of [
      ["guardachuva", "guarda chuva", "Guarda-chuva preto"],
      ["guardachuvas pretos", "guarda chuva preto", "Guarda-chuva preto"],
      ["yogamat", "yoga mat", "Yoga mat"],
      ["pendrive 64gb", "pen drive 64 gb", "Pen drive 64 GB"],
      ["sacarolha", "saca rolhas", "Saca-rolhas"],
    ] as const) {
      const body = await find(`search=${search}`);
      expect([body.corrected_to, names(body)[0]]).toEqual([corrected_to, first]);
    }
    // Both words are in one product, and each is a word of the names.
    for (const search of ["coathanger", "yogama", "yogazebra", "guarda1chuva", "abcabcabc"])
      expect([search, (await find(`search=${search}`)).data]).toEqual([search, []]);
  });

  test("goes on in one text on all pages, and ends with it", async () => {
    const page = await find("search=caneka&limit=3&page=2");
    expect([page.data, page.corrected_to]).toEqual([[], undefined]);
  });

  test("has no such field where it finds something, or where nothing is near", async () => {
    for (const query of ["search=caneca", "search=xyzxyz", "limit=2", "search=caneca&page=9"])
      expect(Object.keys(await find(query))).not.toContain("corrected_to");
  });

  test("goes on page by page, by cursor and by number", async () => {
    const first = await find("search=kaneca&limit=2");
    expect([names(first).length, first.has_more]).toEqual([2, true]);
    const rest = await find(`search=kaneca&limit=2&starting_after=${first.next_cursor}`);
    expect(rest).toMatchObject({ corrected_to: "caneca", has_more: false });
    expect(new Set([...names(first), ...names(rest)]).size).toBe(3);
    expect(names(await find("search=kaneca&limit=2&page=2"))).toEqual(names(rest));
  });

  test("keeps the words of another store to that store, and follows a change at once", async () => {
    await shop.owner.products.create(shop.b.id, { name: "Zebra", price: 1, currency: "BRL" });
    expect((await find("search=zebrra")).data).toEqual([]);
    const made = await shop.owner.products.create(shop.a.id, {
      name: "Lampada",
      price: 1,
      currency: "BRL",
    });
    expect(await find("search=lanpada")).toMatchObject({ corrected_to: "lampada" });
    await shop.owner.products.update(shop.a.id, made.id, { name: "Luminaria" });
    expect((await find("search=lanpada")).data).toEqual([]);
    await shop.owner.products.delete(shop.a.id, made.id);
    expect((await find("search=luminarria")).data).toEqual([]);
  });
});
