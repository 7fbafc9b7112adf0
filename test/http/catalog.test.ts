import { beforeEach, describe, expect, test } from "vitest";
import { codeOf, createShop, faultOf, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("the catalog, on %s", (_name, open) => {
  let shop: Shop;
  let key: string;
  let fruit: string;
  beforeEach(async () => {
    shop = await createShop(await open());
    key = shop.a.live.pub;
    fruit = (await shop.owner.categories.create(shop.a.id, { name: "Fruit", slug: "fruit" })).id;
    await shop.owner.categories.create(shop.a.id, { name: "Bread", slug: "bread", position: 1 });
    await shop.owner.products.putMany(
      shop.a.id,
      Array.from({ length: 45 }, (_, index) => ({
        name: index === 7 ? "Açaí 100% (a+)+$ _under_" : `Item ${index}`,
        slug: `item-${index}`,
        price: 100 + index,
        currency: "BRL",
        position: index + 1,
        category_ids: index % 3 === 0 ? [fruit] : [],
      })),
    );
  });
  const slugs = (answer: { body: { data: { slug: string }[] } }) =>
    answer.body.data.map((product) => product.slug);
  const walk = async (query: string) => {
    const seen: string[] = [];
    for (let path = `/products?${query}`, turn = 0; turn < 20; turn += 1) {
      const answer = await shop.get(path, { key });
      seen.push(...slugs(answer));
      if (!answer.body.has_more) return { seen, last: answer.body.next_cursor };
      path = `/products?${query}&starting_after=${answer.body.next_cursor}`;
    }
    throw new Error("The list does not end.");
  };

  test("cursors lead through each product once, by position; the last cursor is null", async () => {
    const { seen, last } = await walk("limit=7");
    expect(seen).toEqual([
      "product-a",
      ...Array.from({ length: 45 }, (_, index) => `item-${index}`),
    ]);
    expect(last).toBeNull();
  });

  test.each([
    ["price", (index: number) => index],
    ["-price", (index: number) => 44 - index],
  ])("sort=%s with a cursor leads through each product once", async (sort, place) => {
    const { seen } = await walk(`limit=7&sort=${sort}&search=item`);
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => `item-${place(index)}`));
    const { seen: inFruit } = await walk(`limit=4&sort=${sort}&category=fruit`);
    expect(inFruit).toEqual(seen.filter((slug) => Number(slug.slice(5)) % 3 === 0));
    const { seen: all } = await walk(`limit=20&sort=${sort}`);
    expect(all.filter((slug) => slug !== "product-a")).toEqual(seen);
    const second = await shop.get(`/products?sort=${sort}&search=item&limit=7&page=2`, { key });
    expect(slugs(second)).toEqual(seen.slice(7, 14));
  });

  test("a search finds each word in any order, the nearest name first; sort=position keeps the old order", async () => {
    for (const search of ["item 44", "44  ITEM", "acai 7"]) {
      const query = `/products?search=${encodeURIComponent(search)}&limit=1`;
      const place = search.includes("44") ? "item-44" : "item-7";
      expect(slugs(await shop.get(query, { key }))).toEqual([place]);
    }
    expect(slugs(await shop.get("/products?search=item%20nothing", { key }))).toEqual([]);
    const { seen } = await walk("search=item%204&limit=4");
    expect(seen).toEqual([4, 40, 41, 42, 43, 44, 14, 24, 34].map((index) => `item-${index}`));
    const byPosition = await walk("search=item%204&limit=4&sort=position");
    expect(byPosition.seen).toEqual([4, 14, 24, 34, 40, 41, 42, 43, 44].map((n) => `item-${n}`));
    expect(faultOf(await shop.get("/products?sort=relevance", { key }))).toEqual([
      400,
      "parameter_conflict",
      "sort",
    ]);
  });

  test("sort=newest begins with what was made last", async () => {
    shop.advance(1_000);
    const [made] = await shop.owner.products.putMany(shop.a.id, [
      { name: "New", slug: "new", price: 1, currency: "BRL", position: 99 },
    ]);
    const { body } = await shop.get("/products?sort=newest&limit=1", { key });
    expect(body.data[0].id).toBe(made?.id);
    const { seen } = await walk("sort=newest&limit=9");
    expect(new Set(seen).size).toBe(47);
    expect(seen).toHaveLength(47);
  });

  test("a cursor belongs to its order, and another order is refused by name", async () => {
    const first = await shop.get("/products?limit=3&sort=price", { key });
    const cursor = `starting_after=${first.body.next_cursor}`;
    for (const query of [cursor, `sort=-price&${cursor}`, `sort=newest&${cursor}`])
      expect(faultOf(await shop.get(`/products?${query}`, { key }))).toEqual([
        400,
        "invalid_cursor",
        "starting_after",
      ]);
    const usual = await shop.get("/products?limit=3&sort=position", { key });
    const next = await shop.get(`/products?limit=3&starting_after=${usual.body.next_cursor}`, {
      key,
    });
    expect(slugs(next)[0]).toBe("item-2");
    for (const sort of ["name", "", "PRICE", "price,newest", "constructor"])
      expect(faultOf(await shop.get(`/products?sort=${sort}`, { key }))).toEqual([
        400,
        "parameter_invalid",
        "sort",
      ]);
  });

  test("limit is 20 by default; an answer to page has next_cursor too", async () => {
    const first = await shop.get("/products", { key });
    expect(first.body.data).toHaveLength(20);
    const second = await shop.get("/products?page=2&limit=20", { key });
    expect(slugs(second)[0]).toBe("item-19");
    expect(
      slugs(
        await shop.get(`/products?limit=20&starting_after=${second.body.next_cursor}`, { key }),
      )[0],
    ).toBe("item-39");
    expect(
      faultOf(await shop.get(`/products?page=2&starting_after=${first.body.next_cursor}`, { key })),
    ).toEqual([400, "parameter_conflict", "page"]);
  });

  test("limit must be 1 to 100 in plain digits; another value is refused", async () => {
    for (const limit of ["0", "-1", "101", "abc", "1e2", "10.0", "", "010", "9e99", "%20" + "5"]) {
      expect(faultOf(await shop.get(`/products?limit=${limit}`, { key })), limit).toEqual([
        400,
        "parameter_invalid",
        "limit",
      ]);
    }
    expect(codeOf(await shop.get("/products?limit=10&limit=100", { key }))).toEqual([
      400,
      "parameter_invalid",
    ]);
    expect((await shop.get("/products?limit=100", { key })).body.data).toHaveLength(46);
  });

  test("page has a lower and an upper bound", async () => {
    for (const page of ["0", "-1", "1000000000", "NaN", "501"])
      expect(faultOf(await shop.get(`/products?page=${page}`, { key }))).toEqual([
        400,
        "parameter_invalid",
        "page",
      ]);
    expect((await shop.get("/products?page=500", { key })).body.data).toEqual([]);
  });

  test("an edited, cut, random or foreign cursor is invalid_cursor", async () => {
    const { next_cursor } = (await shop.get("/products?limit=5", { key })).body;
    const events = (await shop.get("/events", { key: shop.a.live.sec })).body.next_cursor;
    expect(events).toBeNull();
    for (const cursor of [
      "AAAA",
      next_cursor.slice(1),
      next_cursor.slice(0, -2),
      `${next_cursor}A`,
      "evt_01M7Y3VBSVHCRWH8WNQ899JSS0",
      "%F0%9F%92%A9",
    ]) {
      expect(
        faultOf(await shop.get(`/products?limit=5&starting_after=${cursor}`, { key })),
        cursor,
      ).toEqual([400, "invalid_cursor", "starting_after"]);
    }
    expect(
      codeOf(
        await shop.get(`/products?limit=5&category=fruit&starting_after=${next_cursor}`, { key }),
      ),
    ).toEqual([400, "invalid_cursor"]);
    expect(
      (await shop.get(`/products?limit=9&starting_after=${next_cursor}`, { key })).status,
    ).toBe(200);
  });

  test("different category and category_id conflict; an unknown one lists nothing", async () => {
    expect((await walk("category=fruit&limit=4")).seen).toHaveLength(15);
    expect((await walk(`category_id=${fruit}&limit=100`)).seen).toEqual(
      (await walk(`category_id=${fruit}&category=fruit&limit=100`)).seen,
    );
    expect(
      codeOf(await shop.get(`/products?category=bread&category_id=${fruit}`, { key })),
    ).toEqual([400, "parameter_conflict"]);
    expect((await shop.get("/products?category=nope", { key })).body).toMatchObject({
      data: [],
      has_more: false,
      next_cursor: null,
    });
    expect((await shop.get("/categories", { key })).body).toMatchObject({
      data: [{ slug: "fruit" }, { slug: "bread" }],
      has_more: false,
      next_cursor: null,
    });
  });

  test("search ignores case and accents in name and slug; wildcards are text", async () => {
    for (const search of ["acai", "AÇAÍ", "100%", "(a+)+$", "_under_", "item-7"]) {
      expect(
        slugs(await shop.get(`/products?search=${encodeURIComponent(search)}`, { key })),
        search,
      ).toEqual(["item-7"]);
    }
    for (const search of ["%%", "\\", '"', "item_7", "1%"])
      expect(
        slugs(await shop.get(`/products?search=${encodeURIComponent(search)}`, { key })),
        search,
      ).toEqual([]);
    expect(slugs(await shop.get("/products?search=item%204&limit=100", { key }))).toHaveLength(9);
    for (const search of ["", "x".repeat(101), "x".repeat(10_000)])
      expect(faultOf(await shop.get(`/products?search=${search}`, { key }))).toEqual([
        400,
        "parameter_invalid",
        "search",
      ]);
    expect(codeOf(await shop.get("/products?search=%00", { key }))).toEqual([
      400,
      "parameter_invalid",
    ]);
  });

  test("a product is found by id, then by slug; a draft is 404", async () => {
    const { id } = shop.product;
    for (const name of [id, "product-a"])
      expect((await shop.get(`/products/${name}`, { key })).body.data.id).toBe(id);
    await shop.owner.products.update(shop.a.id, id, { blocked: true });
    expect((await shop.get(`/products/${id}`, { key })).body.data.available).toBe(false);
    await shop.owner.products.update(shop.a.id, id, { blocked: false, stock: 0 });
    expect((await shop.get(`/products/${id}`, { key })).body.data.available).toBe(false);
    await shop.owner.products.update(shop.a.id, id, { active: false });
    expect(codeOf(await shop.get(`/products/${id}`, { key }))).toEqual([404, "resource_not_found"]);
  });

  test("a bad percent-encoding is 400; an impossible id is 404 without a look-up", async () => {
    expect(faultOf(await shop.get("/products/%E0%A4%A", { key }))).toEqual([
      400,
      "parameter_invalid",
      "id_or_slug",
    ]);
    await shop.get("/products/x", { key });
    shop.calls.length = 0;
    for (const name of ["x".repeat(256), "a%00b"])
      expect(codeOf(await shop.get(`/products/${name}`, { key }))).toEqual([
        404,
        "resource_not_found",
      ]);
    expect(shop.calls).not.toContain("catalog.findProduct");
  });

  test("a matching If-None-Match is 304 before any query; a write changes the tag", async () => {
    for (const path of [
      "/store",
      "/products?limit=3",
      "/products/product-a",
      "/categories",
      "/payment-methods",
    ]) {
      const etag = (await shop.get(path, { key })).headers["etag"] ?? "";
      expect(etag).toMatch(/^W\/"[\w-]+"$/);
      shop.calls.length = 0;
      for (const header of [etag, etag.slice(2), `"x", ${etag}`]) {
        const answer = await shop.get(path, { key, headers: { "if-none-match": header } });
        expect(answer.status).toBe(304);
        expect(answer.headers).toMatchObject({
          etag,
          "cache-control": "private, no-cache",
          vary: expect.stringContaining("Authorization"),
        });
      }
      expect(shop.calls.filter((call) => !call.startsWith("access."))).toEqual([]);
      await shop.owner.products.update(shop.a.id, shop.product.id, { price: 1001 });
      expect((await shop.get(path, { key, headers: { "if-none-match": etag } })).status).toBe(200);
      await shop.owner.products.update(shop.a.id, shop.product.id, { price: 1000 });
    }
  });

  test("If-None-Match: * never turns a 404 into a 304", async () => {
    expect(
      (await shop.get("/products/nope", { key, headers: { "if-none-match": "*" } })).status,
    ).toBe(404);
    expect(
      (await shop.get("/products/product-a", { key, headers: { "if-none-match": "*" } })).status,
    ).toBe(304);
    expect(
      (await shop.get("/products/product-a", { headers: { "if-none-match": "*" } })).status,
    ).toBe(401);
  });

  test("HEAD answers like GET, without the body", async () => {
    const [head, get] = [
      await shop.call("HEAD", "/products", { key }),
      await shop.get("/products", { key }),
    ];
    const { "x-request-id": _a, "content-length": length, ...of } = head.headers;
    const { "x-request-id": _b, ...like } = get.headers;
    expect([head.status, of]).toEqual([get.status, like]);
    expect(length).toBe(String(new TextEncoder().encode(get.text ?? "").length));
  });

  test("an answer is served from memory until the catalog changes", async () => {
    await shop.get("/products?limit=2", { key });
    shop.calls.length = 0;
    await shop.get("/products?limit=2", { key });
    expect(shop.calls).toEqual(["access.findAccess"]);
    await shop.owner.products.update(shop.a.id, shop.product.id, { name: "New name" });
    expect((await shop.get("/products?limit=2", { key })).body.data[0].name).toBe("New name");
  });

  test("markup in a name is answered as it is", async () => {
    await shop.owner.products.update(shop.a.id, shop.product.id, {
      name: "<script>alert(1)</script>",
    });
    const answer = await shop.get("/products/product-a", { key });
    expect(answer.body.data.name).toBe("<script>alert(1)</script>");
    expect(answer.headers["content-type"]).toContain("application/json");
  });
});
