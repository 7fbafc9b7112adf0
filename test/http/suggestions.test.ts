import { beforeEach, describe, expect, test } from "vitest";
import { createShop, faultOf, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("suggestions, on %s", (_name, open) => {
  let shop: Shop;
  let key: string;
  const suggest = async (q: string): Promise<readonly string[]> => {
    const { body } = await shop.get(`/suggestions?q=${encodeURIComponent(q)}`, { key });
    return body.data.map(({ name }: { name: string }) => name);
  };
  const add = async (...names: readonly string[]) => {
    await shop.owner.products.putMany(
      shop.a.id,
      names.map((name, index) => ({
        name,
        slug: `p-${name.length}-${index}`,
        price: 100,
        currency: "BRL",
        position: index,
      })),
    );
  };
  beforeEach(async () => {
    shop = await createShop(await open());
    key = shop.a.live.pub;
  });

  test("give id, slug and name of products whose name begins with the text, in one answer", async () => {
    const answer = await shop.get("/suggestions?q=prod", { key });
    const { id, slug, name } = shop.product;
    expect(answer.body).toMatchObject({
      data: [{ id, slug, name }],
      has_more: false,
      next_cursor: null,
    });
    expect(Object.keys(answer.body.data[0])).toEqual(["id", "slug", "name"]);
  });

  test("begin at any word, the name's own beginning first, and never inside a word", async () => {
    await add("Dark coffee", "Coffee filter", "Decoffee", "Cup");
    expect(await suggest("coff")).toEqual(["Coffee filter", "Dark coffee"]);
    expect(await suggest("dark co")).toEqual(["Dark coffee"]);
    expect(await suggest("offee")).toEqual([]);
  });

  test("ignore case and accents, blanks around the text, and the meaning of % and _", async () => {
    await add("Açaí 100%", "ACAI bowl", "_under_ score");
    expect(await suggest("  açA ")).toEqual(["Açaí 100%", "ACAI bowl"]);
    expect(await suggest("100%")).toEqual(["Açaí 100%"]);
    expect(await suggest("%")).toEqual([]);
    expect(await suggest("_un")).toEqual(["_under_ score"]);
    for (const nothing of [" ", "\u0301", " \u0301 "]) expect(await suggest(nothing)).toEqual([]);
  });

  test("are eight at most, also for one letter, and never drafts or another store's", async () => {
    await add(...Array.from({ length: 30 }, (_, index) => `Zebra ${index}`));
    const expected = Array.from({ length: 8 }, (_, index) => `Zebra ${index}`);
    expect(await suggest("zeb")).toEqual(expected);
    expect(await suggest("z")).toEqual(expected);

    await shop.owner.products.update(shop.a.id, shop.product.id, { active: false });
    expect(await suggest("prod")).toEqual([]);
    key = shop.b.test.pub;
    expect(await suggest("zeb")).toEqual([]);
    expect(await suggest("prod")).toEqual(["Product B"]);
  });

  test("name `q` when it is missing, empty, too long or sent twice", async () => {
    for (const [query, code] of [
      ["", "parameter_missing"],
      ["?q=", "parameter_invalid"],
      [`?q=${"a".repeat(101)}`, "parameter_invalid"],
      ["?q=a&q=b", "parameter_invalid"],
    ])
      expect(faultOf(await shop.get(`/suggestions${query}`, { key }))).toEqual([400, code, "q"]);
  });

  test("are answered with 304 until the catalog changes", async () => {
    const first = await shop.get("/suggestions?q=prod", { key });
    const headers = { "if-none-match": first.headers["etag"] };
    expect((await shop.get("/suggestions?q=prod", { key, headers })).status).toBe(304);

    await add("Production line");
    const changed = await shop.get("/suggestions?q=prod", { key, headers });
    expect(changed.body.data).toHaveLength(2);
  });
});
