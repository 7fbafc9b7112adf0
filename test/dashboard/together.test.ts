import { beforeEach, describe, expect, test } from "vitest";
import {
  createDashboardShop,
  type DashboardShop,
  everything,
  filledIn,
  formOf,
  type PageReply,
} from "../support/dashboard-shop.ts";
import { storages } from "../support/storages.ts";

const textIn = ({ body }: PageReply): string => (body ?? "").replace(/<[^>]*>/g, " ");

describe.each(storages)("products that are worked on together on %s", (_name, open) => {
  let shop: DashboardShop;
  let ids: readonly string[];
  let base: string;
  let visitor: ReturnType<DashboardShop["visitor"]>;

  beforeEach(async () => {
    shop = await createDashboardShop({ storage: await open() });
    base = `/dashboard/${shop.a.id}/test/products`;
    visitor = shop.visitor();
    const made = [];
    for (const [name, price] of [
      ["Mug", 1_999],
      ["Cup", 5],
      ["Pot", 100],
    ] as const)
      made.push(await shop.owner.products.create(shop.a.id, { name, price, currency: "BRL" }));
    ids = made.map(({ id }) => id);
  });

  const pricesNow = async () =>
    Promise.all(ids.map(async (id) => (await shop.owner.products.retrieve(shop.a.id, id)).price));
  const entries = async () =>
    (await shop.owner.audit.list({ store_id: shop.a.id })).data.filter(
      ({ action }) => action === "products.update_many",
    );
  const addressOf = (work: string, value: string | null, chosen = ids): string => {
    const query = new URLSearchParams([["work", work], ...chosen.map((id) => ["id", id])]);
    if (value !== null) query.set("value", value);
    return `${base}/together?${query}`;
  };
  /** Sends the form of a preview as it is shown. */
  const apply = async (preview: PageReply): Promise<PageReply> =>
    visitor.send(`${base}/together`, { form: formOf(preview, "apply") });

  test("are all chosen by one link, which keeps the filters, and none by another", async () => {
    const chosen = ({ body }: PageReply) =>
      body?.match(/type="checkbox" class="choose"[^>]*\schecked/g)?.length ?? 0;
    const linkIn = ({ body }: PageReply, words: string): string =>
      new RegExp(`href="([^"]+)">${words}<`).exec(body ?? "")?.[1]?.replaceAll("&amp;", "&") ?? "";

    const list = await visitor.send(`${base}?sort=-price`);
    expect(chosen(list)).toBe(0);
    const all = await visitor.send(linkIn(list, "Choose all on this page"));
    expect(chosen(all)).toBe(4);
    expect(all.body?.indexOf("Mug")).toBeLessThan(all.body?.indexOf("Pot") ?? 0);
    expect(linkIn(all, "Choose none")).toBe(`${base}?sort=-price`);
  });

  test("are chosen in the list, shown before and after, changed at once and changed back", async () => {
    const list = await visitor.send(base);
    expect(list.body?.match(/type="checkbox"[^>]*form="together"/g)).toHaveLength(4);
    const asked = await visitor.send(addressOf("price_percent", null));
    expect(asked.body).toContain('name="value"');
    expect(asked.body).not.toContain('value="apply"');

    const { catalog_version: version } = (await shop.storage.access.findStore(shop.a.id)) ?? {};
    const preview = await visitor.send(addressOf("price_percent", "-10"));
    expect(textIn(preview)).toMatch(/Mug\s+R\$19\.99\s+R\$17\.99/);
    expect(textIn(preview)).toMatch(/Cup\s+R\$0\.05\s+R\$0\.05|Cup\s+R\$0\.05\s+Stays as it is/);
    expect(await pricesNow()).toEqual([1_999, 5, 100]);

    expect(textIn(await visitor.send(addressOf("price_percent", "-10%")))).toMatch(/R\$17\.99/);

    const done = await apply(preview);
    expect(done.status).toBe(303);
    expect(await pricesNow()).toEqual([1_799, 5, 90]);
    const [entry, another] = await entries();
    expect(another).toBeUndefined();
    expect(entry).toMatchObject({ actor: "ana", after: { updated: 2 } });
    const after = await shop.storage.access.findStore(shop.a.id);
    expect(after?.catalog_version).toBe((version ?? 0) + 1);

    const address = done.headers["location"] ?? "";
    const told = await visitor.send(address);
    expect(textIn(told)).toContain("2 products were changed.");
    const undone = await visitor.send(address, { form: formOf(told, "undo") });
    expect(undone.headers["location"]).toContain("/test/products?done=together_undone");
    expect(await pricesNow()).toEqual([1_999, 5, 100]);
    expect(await entries()).toHaveLength(2);
    expect(textIn(await visitor.send(address))).toContain("cannot be undone any more");
  });

  test("lead back to the list as it was, from each step and after the undo", async () => {
    const shown = "search=u&sort=-price&after=x";
    const list = await visitor.send(`${base}?search=u&sort=-price`);
    expect(list.body).toContain('name="list" value="search=u&amp;sort=-price"');
    const places = ({ body }: PageReply): readonly string[] =>
      [...(body ?? "").matchAll(/href="([^"]*\/test\/products(?:\?[^"]*)?)"[^>]*>(?!<)/g)]
        .map(([, place = ""]) => place.replaceAll("&amp;", "&"))
        .filter((place) => place.includes("?"));
    const target = `${addressOf("price_amount", null)}&list=${encodeURIComponent(shown)}`;
    const open = await visitor.send(target);
    expect(places(open)).toContain(`${base}?${shown}`);
    expect(open.body).toContain('name="list" value="search=u&amp;sort=-price&amp;after=x"');
    const preview = await visitor.send(`${target}&value=1`);
    // The crumb and the way out of the preview.
    expect(places(preview)).toEqual([`${base}?${shown}`, `${base}?${shown}`]);
    const [, action = ""] = /action="([^"]*together\?[^"]*)"/.exec(preview.body ?? "") ?? [];
    const form = formOf(preview, "apply");
    const done = await visitor.send(action.replaceAll("&amp;", "&"), { form });
    const address = done.headers["location"] ?? "";
    const told = await visitor.send(address);
    expect(places(told)).toEqual([`${base}?${shown}`, `${base}?${shown}`]);
    const undone = await visitor.send(address, { form: formOf(told, "undo") });
    expect(undone.headers["location"]).toContain(`/test/products?${shown}&done=together_undone`);
    // What is no query of a list stays within it.
    const foreign = await visitor.send(`${base}/together?work=publish&list=//evil.example/%22`);
    expect(foreign.body).not.toContain('href="//evil');
  });

  test("are all left alone when one of them was changed behind the preview or the result", async () => {
    const preview = await visitor.send(addressOf("price_amount", "1"));
    await shop.owner.products.update(shop.a.id, ids[2] ?? "", { name: "Kettle" });
    const refused = await apply(preview);
    expect(refused.status).toBe(409);
    expect(textIn(refused)).toContain("Kettle");
    expect(await pricesNow()).toEqual([1_999, 5, 100]);

    const done = await apply(refused);
    expect(await pricesNow()).toEqual([2_099, 105, 200]);
    const address = done.headers["location"] ?? "";
    const told = await visitor.send(address);
    await shop.owner.products.update(shop.a.id, ids[0] ?? "", { price: 1 });
    const late = await visitor.send(address, { form: formOf(told, "undo") });
    expect(late.status).toBe(409);
    expect(await pricesNow()).toEqual([1, 105, 200]);
  });

  test("are published, put into a category and out of it, and get a stock without an undo", async () => {
    const { id } = await shop.owner.categories.create(shop.a.id, { name: "Kitchen" });
    const now = async () => shop.owner.products.retrieve(shop.a.id, ids[0] ?? "");
    const run = async (work: string, value: string | null) => {
      const done = await apply(await visitor.send(addressOf(work, value)));
      return visitor.send(done.headers["location"] ?? "");
    };
    await run("unpublish", null);
    expect(await now()).toMatchObject({ active: false });
    await run("publish", null);
    await run("category_add", id);
    expect(await now()).toMatchObject({ active: true, category_ids: [id] });
    await run("category_remove", id);
    expect(await now()).toMatchObject({ category_ids: [] });
    const told = await run("stock", "12");
    expect(await now()).toMatchObject({ stock: 12 });
    expect(told.body).not.toContain('value="undo"');
    expect(textIn(told)).toContain("Stock has no undo");
  });

  test("are refused with the reason beside each, and nobody without the right chooses any", async () => {
    const low = await visitor.send(addressOf("price_amount", "-1"));
    expect(textIn(low)).toMatch(/Cup\s+R\$0\.05\s+The price would be below zero/);
    const wrong = await visitor.send(addressOf("price_percent", "much"));
    expect(textIn(wrong)).toContain("Nothing would change.");
    expect((await visitor.send(`${base}/together?work=publish`)).body).toContain(
      "Choose at least one product",
    );
    const forged = filledIn(formOf(await visitor.send(addressOf("price_amount", "1")), "apply"), {
      value: "2",
    });
    expect((await visitor.send(`${base}/together`, { form: forged })).status).toBe(303);

    const reader = shop.visitor({ ...everything, access: "read" });
    expect((await reader.send(base)).body).not.toContain('type="checkbox"');
    expect((await reader.send(addressOf("publish", null))).status).toBe(403);
  });

  test("are changed by updateMany all or none, and a repeat or an unknown one is named", async () => {
    const { products } = shop.owner;
    const [first = "", second = ""] = ids;
    const refusal = (updates: Parameters<typeof products.updateMany>[1]) =>
      products.updateMany(shop.a.id, updates).then(
        () => null,
        (error: { code: string; param: string }) => [error.code, error.param],
      );
    const change = { id: first, changes: { price: 7 } };
    expect(await refusal([change, { id: "prod_none", changes: {} }])).toEqual([
      "resource_not_found",
      "products[1].id",
    ]);
    expect(await refusal([change, change])).toEqual(["parameter_invalid", "products[1].id"]);
    const expected = await products.retrieve(shop.a.id, second);
    await products.update(shop.a.id, second, { name: "Bowl" });
    expect(await refusal([change, { id: second, changes: { price: 8 }, expected }])).toEqual([
      "precondition_failed",
      "products[1].expected",
    ]);
    expect(await pricesNow()).toEqual([1_999, 5, 100]);
    expect(await products.updateMany(shop.a.id, [])).toEqual([]);
  });
});
