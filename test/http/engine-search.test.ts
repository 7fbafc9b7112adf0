import { beforeEach, describe, expect, test } from "vitest";
import { createStorefront, memoryStorage } from "vitrine";
import type { CatalogSearch } from "vitrine/owner";
import { importFromDocs } from "../support/docs-module.ts";
import { listening, portOf } from "../support/hosts.ts";
import { startEngine } from "../support/search-engine.ts";
import { codeOf, createShop, faultOf, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { serveWeb } from "../support/web-bridge.ts";

interface Guide {
  makeIndexes(engine: Engine): Promise<void>;
  meilisearch(engine: Engine): CatalogSearch;
  fillIndex(engine: Engine, feed: object, etag: string | null): Promise<string | null>;
}
interface Engine {
  readonly url: string;
  readonly key: string;
}
const guide = await importFromDocs<Guide>("docs/search.md", "meilisearch");

type Search = CatalogSearch["search"];
type Query = Parameters<Search>[0];

const namesOf = ({ body }: { body: { data: readonly { name: string }[] } }) =>
  body.data.map(({ name }) => name);

describe.each(storages)("an engine of the host's, on %s", (_name, open) => {
  let shop: Shop;
  let key: string;
  let search: Search;
  let asked: Query[];
  const ids = new Map<string, string>();
  const idOf = (name: string): string => ids.get(name) ?? `no ${name}`;
  const find = (query: string) => shop.get(`/products?${query}`, { key });

  beforeEach(async () => {
    asked = [];
    ids.clear();
    search = async () => ({ ids: [], next: null });
    shop = await createShop(await open(), {
      catalog: {
        async search(query) {
          asked.push(query);
          return search(query);
        },
        timeoutMs: 200,
      },
    });
    key = shop.a.live.pub;
    const category = await shop.owner.categories.create(shop.a.id, { name: "Cups" });
    ids.set("Cups", category.id);
    const hidden = await shop.owner.categories.create(shop.a.id, { name: "Old", enabled: false });
    ids.set("Old", hidden.id);
    for (const [name, more] of [
      ["Red cup", { category_ids: [category.id] }],
      ["Blue cup", { category_ids: [category.id], price: 300 }],
      ["Draft cup", { active: false }],
      ["Shirt S", { group: "shirt", options: [{ name: "Size", value: "S" }] }],
      ["Shirt M", { group: "shirt", options: [{ name: "Size", value: "M" }], price: 900 }],
    ] as const) {
      const input = { name, price: 100, currency: "BRL", position: ids.size, ...more };
      ids.set(name, (await shop.owner.products.create(shop.a.id, input)).id);
    }
  });

  test("orders the store's own active products, each once, and never another's", async () => {
    const hits = ["Blue cup", "Draft cup", "Red cup", "Blue cup"].map(idOf);
    search = async () => ({ ids: [shop.foreign.id, "prd_gone", ...hits, "\u0000"], next: null });
    const answer = await find("search=Cup&limit=10");
    expect(namesOf(answer)).toEqual(["Blue cup", "Red cup"]);
    expect(answer.body).toMatchObject({ has_more: false, next_cursor: null });
    expect(Object.keys(answer.body)).not.toContain("corrected_to");

    // What is read by an id is the same document.
    const { body } = await shop.get(`/products/${idOf("Blue cup")}`, { key });
    expect(answer.body.data[0]).toEqual(body.data);
    const { signal, ...query } = asked[0] as Query;
    expect(query).toEqual({ store_id: shop.a.id, livemode: true, search: "Cup", limit: 10 });
    expect(signal.aborted).toBe(false);
  });

  test("is given the filters, and pages by its own cursor and by number", async () => {
    search = async ({ after }) =>
      after === undefined
        ? { ids: [idOf("Red cup")], next: 'more "é' }
        : { ids: [idOf("Blue cup")], next: null };
    const list = "search=cup&category=cups&sort=price&group=first&limit=2";
    const first = await find(list);
    expect([namesOf(first), first.body.has_more]).toEqual([["Red cup"], true]);
    const cursor = first.body.next_cursor;
    expect(cursor).not.toContain("more");
    expect(namesOf(await find(`${list}&starting_after=${cursor}`))).toEqual(["Blue cup"]);
    await find("search=cup&limit=2&page=3");

    const filters = { category_id: idOf("Cups"), sort: "price", group: "first" };
    expect(asked).toMatchObject([
      filters,
      { ...filters, after: 'more "é' },
      { offset: 4, limit: 2 },
    ]);
    const wrong = await find(`search=cups&limit=2&starting_after=${cursor}`);
    expect(faultOf(wrong)).toEqual([400, "invalid_cursor", "starting_after"]);
  });

  test("is asked for searches alone, in categories that there are", async () => {
    expect(namesOf(await find("category=cups"))).toEqual(["Red cup", "Blue cup"]);
    expect(namesOf(await find("search=cup&category=old"))).toEqual([]);
    expect((await find("search=cup&category_id=no&facets=price")).body.facets).toEqual({
      price: null,
    });
    const both = `search=cup&category=cups&category_id=${idOf("Old")}`;
    expect((await find(both)).status).toBe(400);
    expect(asked).toEqual([]);
  });

  test("tells what it corrected and counted, of enabled categories, as was asked for", async () => {
    const count = (name: string, number: number) => ({ category_id: idOf(name), count: number });
    const facets = {
      category: [count("Old", 9), count("Cups", 2)],
      price: { min: 100, max: 300 },
      available: { true: 2, false: 0 },
    };
    search = async () => ({ ids: [idOf("Red cup")], next: null, corrected_to: "cup", facets });
    expect((await find("search=kup&facets=category,price")).body).toMatchObject({
      corrected_to: "cup",
      facets: { category: [count("Cups", 2)], price: { min: 100, max: 300 } },
    });
    expect((await find("search=kup")).body.facets).toBeUndefined();
    search = async () => ({ ids: [], next: null });
    expect((await find("search=kup&facets=price")).body.facets).toBeNull();
  });

  test("shows one card of each group, with the prices of its group", async () => {
    search = async () => ({ ids: ["Shirt M", "Red cup", "Shirt S"].map(idOf), next: null });
    const { data } = (await find("search=s&group=first")).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(["Shirt M", "Red cup"]);
    expect(data[0].group).toEqual({
      ...{ id: "shirt", price_from: 100, price_to: 900, available: true },
    });
    expect(namesOf(await find("search=s"))).toHaveLength(3);
  });

  test("that fails, is late or answers nonsense leaves the search to the built-in one", async () => {
    const failures: readonly Search[] = [
      () => Promise.reject(new Error("down")),
      () => {
        throw new Error("down at once");
      },
      () => new Promise(() => {}),
      async () => ({ ids: [7], next: null }) as never,
      async () => ({ ids: [], next: "" }),
      async () => ({ ids: [], next: "x".repeat(1_400) }),
      async () => undefined as never,
    ];
    for (const fails of failures) {
      search = fails;
      expect(namesOf(await find("search=cupp"))).toEqual(["Red cup", "Blue cup"]);
    }
    expect(shop.errors).toHaveLength(failures.length);
    expect(String(shop.errors[3])).toContain("catalog.search gave a wrong ids.0");
    expect(asked[2]?.signal.aborted).toBe(true);

    // The built-in search goes on behind its own cursor, also when the engine is back.
    const first = await find("search=cup&limit=1");
    search = async () => ({ ids: [idOf("Red cup")], next: "2" });
    const rest = await find(`search=cup&limit=1&starting_after=${first.body.next_cursor}`);
    expect(namesOf(rest)).toEqual(["Blue cup"]);

    const page = await find("search=cup&limit=1");
    search = () => Promise.reject(new Error("down"));
    const lost = await find(`search=cup&limit=1&starting_after=${page.body.next_cursor}`);
    expect(codeOf(lost)).toEqual([503, "service_unavailable"]);
    expect(lost.headers["retry-after"]).toBe("1");
  });

  test("is asked again each time, and its answers are tagged by their data", async () => {
    search = async () => ({ ids: [idOf("Red cup")], next: null, corrected_to: "cup" });
    const first = await find("search=kup");
    const headers = { "if-none-match": first.headers["etag"] };
    const again = () => shop.get("/products?search=kup", { key, headers });
    expect((await again()).status).toBe(304);
    search = async () => ({ ids: [idOf("Red cup")], next: null, corrected_to: "cups" });
    expect((await again()).body.corrected_to).toBe("cups");
    search = async () => ({ ids: [idOf("Blue cup")], next: null });
    expect(namesOf(await again())).toEqual(["Blue cup"]);
    expect(asked).toHaveLength(4);
  });

  test("suggests, in its order", async () => {
    search = async () => ({ ids: ["Blue cup", "Shirt S", "Red cup"].map(idOf), next: "more" });
    expect(namesOf(await shop.get("/suggestions?q=cu", { key }))).toEqual(["Blue cup", "Red cup"]);
    expect(asked[0]).toMatchObject({ search: "cu", limit: 24 });
  });
});

describe.each(storages)("the recipe for Meilisearch, on %s", (_name, open) => {
  test("fills the index by the feed, searches it, and follows what changes", async () => {
    const { url, namesIn, asked, state } = await startEngine();
    const engine = { url, key: "master-key" };
    const shop = await createShop(await open(), { catalog: guide.meilisearch(engine) });
    const key = shop.a.test.pub;
    const { id } = await shop.owner.categories.create(shop.a.id, { name: "Cups" });
    const cup = { currency: "BRL", category_ids: [id] };
    await shop.owner.products.putMany(shop.a.id, [
      { ...cup, name: "Red cup", price: 100, position: 1 },
      { ...cup, name: "Blue cup", price: 50, stock: 0, position: 2 },
      ...["S", "M"].map((value) => ({
        ...{ name: `Cup with a name ${value}`, price: 200, currency: "BRL", group: "named" },
        position: value === "S" ? 3 : 4,
        options: [{ name: "Size", value }],
      })),
    ]);

    const host = await listening(serveWeb((request) => shop.storefront.handler(request)));
    const origin = `http://127.0.0.1:${portOf(host)}`;
    const feed = { url: `${origin}/v1/feeds/products.jsonl`, key, store_id: shop.a.id };
    const fill = (etag: string | null) =>
      guide.fillIndex(engine, { ...feed, livemode: false }, etag);
    await guide.makeIndexes(engine);
    const etag = await fill(null);
    expect(etag).toMatch(/^W\//);
    expect(await fill(etag)).toBe(etag);
    expect(namesIn("products_test")).toHaveLength(5);

    const find = async (query: string) => (await shop.get(`/products?${query}`, { key })).body;
    const first = await find("search=cup&limit=2&group=first&facets=category,price,available");
    expect(namesOf({ body: first })).toEqual(["Cup with a name M", "Blue cup"]);
    expect(first.data[1].available).toBe(false);
    expect(first.facets).toEqual({
      category: [{ category_id: id, count: 2 }],
      price: { min: 50, max: 200 },
      available: { true: 2, false: 1 },
    });
    expect(
      namesOf({
        body: await find(`search=cup&limit=2&group=first&starting_after=${first.next_cursor}`),
      }),
    ).toEqual(["Red cup"]);
    expect(namesOf({ body: await find(`search=cup&sort=price&category_id=${id}`) })).toEqual([
      "Blue cup",
      "Red cup",
    ]);
    expect(asked).toHaveLength(3);

    // A draft is not shown before the index knows of it, and is gone from the index thereafter.
    const [blue] = (await shop.owner.products.list(shop.a.id, { search: "Blue cup" })).data;
    await shop.owner.products.update(shop.a.id, blue?.id ?? "", { active: false });
    expect(namesOf({ body: await find("search=blue") })).toEqual([]);
    expect(await fill(etag)).not.toBe(etag);
    expect(namesIn("products_test")).not.toContain("Blue cup");

    for (const fault of ["error", "nonsense"] as const) {
      state.fault = fault;
      expect(namesOf({ body: await find("search=red%20cupp") })).toEqual(["Red cup"]);
    }
    host.close();
  });
});

test("an engine is an object with search and timeoutMs alone", () => {
  const open = (catalog: unknown) => () =>
    createStorefront({
      ...{ storage: memoryStorage(), publicUrl: "https://a.example.com" },
      catalog: catalog as CatalogSearch,
    });
  const search: Search = async () => ({ ids: [], next: null });
  expect(open({ search })).not.toThrow();
  for (const [catalog, param] of [
    [{ search: true }, "catalog"],
    [{ search, timeout: 5 }, "catalog.timeout"],
    [{ search, timeoutMs: 0 }, "catalog.timeoutMs"],
    [{ search, timeoutMs: "1" }, "catalog.timeoutMs"],
    [{}, "catalog"],
    [null, "catalog"],
    [search, "catalog"],
  ])
    expect(open(catalog)).toThrow(expect.objectContaining({ code: "invalid_option", param }));
});
