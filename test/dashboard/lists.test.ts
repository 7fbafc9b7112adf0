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

const slugsIn = ({ body }: PageReply): readonly string[] =>
  [...(body ?? "").matchAll(/<small>(item-\d+)<\/small>/g)].map(([, slug = ""]) => slug);
const plain = (text = ""): string => text.replaceAll("&amp;", "&");
const headIn = ({ body }: PageReply, label: string) => {
  const found = new RegExp(`<th scope="col"([^>]*)><a href="([^"]+)">${label}<`).exec(body ?? "");
  const [, marks = "", address = ""] = found ?? [];
  return { sorted: /aria-sort="(\w+)"/.exec(marks)?.[1] ?? null, address: plain(address) };
};
const nextIn = ({ body }: PageReply): string =>
  plain(/rel="next"\s+href="([^"]+)"/.exec(body ?? "")?.[1]);

describe.each(storages)("a list of the dashboard on %s", (_name, open) => {
  let shop: DashboardShop;
  let base: string;
  let visitor: ReturnType<DashboardShop["visitor"]>;
  beforeEach(async () => {
    shop = await createDashboardShop({ storage: await open() });
    base = `/dashboard/${shop.a.id}/test`;
    visitor = shop.visitor();
  });

  test("of products is sorted by the heads of its columns, page by page, with its filters", async () => {
    const items = Array.from({ length: 30 }, (_, at) => ({
      slug: `item-${at + 10}`,
      name: `Item ${String.fromCharCode(65 + (at % 26))}${at}`,
      price: 100 * ((at * 7) % 30) + 100,
      currency: "BRL",
      active: at % 3 !== 0,
    }));
    for (const item of items) await shop.owner.products.create(shop.a.id, item);
    const list = await visitor.send(`${base}/products?search=item`);
    expect(headIn(list, "Price")).toMatchObject({ sorted: null });

    const first = await visitor.send(headIn(list, "Price").address);
    expect(headIn(first, "Price").sorted).toBe("ascending");
    expect(headIn(first, "Product").sorted).toBeNull();
    const rest = await visitor.send(nextIn(first));
    const cheapest = items.toSorted((a, b) => a.price - b.price).map(({ slug }) => slug);
    expect([...slugsIn(first), ...slugsIn(rest)]).toEqual(cheapest);

    const dearest = await visitor.send(headIn(first, "Price").address);
    expect(headIn(dearest, "Price").sorted).toBe("descending");
    // A product that becomes the cheapest meanwhile comes again, and no other one is moved.
    const { data } = await shop.owner.products.list(shop.a.id, { sort: "-price", limit: 1 });
    await shop.owner.products.update(shop.a.id, data[0]?.id ?? "", { price: 0 });
    const last = slugsIn(await visitor.send(nextIn(dearest)));
    const both = [...slugsIn(dearest), ...last];
    expect([both.length, new Set(both).size]).toEqual([31, 30]);

    const published = await visitor.send(`${base}/products?active=published&sort=-name`);
    const names = items.filter(({ active }) => active).map(({ name, slug }) => ({ name, slug }));
    const byName = names.toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? 1 : -1));
    expect(slugsIn(published)).toEqual(
      byName.map(({ slug }) => slug).slice(0, slugsIn(published).length),
    );
    expect((await visitor.send(`${base}/products?sort=-name&after=x`)).status).toBe(404);
    expect((await visitor.send(nextIn(first).replace("sort=price", "sort=name"))).status).toBe(404);
    const file = await visitor.send(`${base}/products/export.csv?sort=price&search=item`);
    const slugs = [...(file.body ?? "").matchAll(/,(item-\d+),/g)].map(([, slug]) => slug);
    expect(slugs).toEqual([data[0]?.slug, ...cheapest.slice(0, -1)]);
  });

  test("of orders is turned round by the head of its dates, also behind a search", async () => {
    for (let count = 0; count < 4; count += 1) await shop.buy();
    const numbers = ({ body }: PageReply) =>
      [...(body ?? "").matchAll(/>#(\d+)<\/a>/g)].map(([, number]) => Number(number));
    const newest = await visitor.send(`${base}/orders`);
    expect(headIn(newest, "Created").sorted).toBe("descending");
    const oldest = await visitor.send(headIn(newest, "Created").address);
    expect(headIn(oldest, "Created").sorted).toBe("ascending");
    expect(numbers(oldest)).toHaveLength(4);
    expect(numbers(oldest)).toEqual(numbers(newest).toReversed());

    const where = { store_id: shop.a.id, livemode: false, limit: 3, sort: "oldest" } as const;
    for (const more of [{}, { product: shop.product.id }, { created_from: 0 }]) {
      const first = await shop.owner.orders.list({ ...where, ...more });
      const starting_after = first.next_cursor;
      const rest = await shop.owner.orders.list({ ...where, ...more, starting_after });
      const all = [...first.data, ...rest.data].map(({ number }) => number);
      expect(all).toEqual(numbers(oldest));
    }
  });

  test("of orders finds those of a product by a word of its name", async () => {
    await shop.buy();
    const word = shop.product.name.split(" ")[0] ?? "";
    const found = await visitor.send(`${base}/orders?search=${word}&sort=oldest`);
    const offer = /Orders with the product:[\s\S]*?<a href="([^"]+)">([^<]+)</.exec(
      found.body ?? "",
    );
    const [, address, name] = offer ?? [];
    expect(plain(name)).toBe(shop.product.name);
    expect(plain(address)).toContain("sort=oldest");
    const listed = await visitor.send(plain(address));
    expect(listed.body).toMatch(/>#\d+<\/a>/);
    expect(listed.body).not.toContain("Orders with the product");
    expect(listed.body).toContain(`Product: <strong>${shop.product.name}</strong>`);
    const none = await visitor.send(`${base}/orders?search=nothing-like-it`);
    expect(none.body).not.toContain("Orders with the product");

    const options = [{ name: "Size", value: "M" }];
    const variant = { name: "Zebra shirt", price: 1, currency: "BRL", group: "zebra", options };
    const { id } = await shop.owner.products.create(shop.a.id, variant);
    const ofVariant = await visitor.send(`${base}/orders?search=zebra`);
    expect(ofVariant.body).toContain(">Zebra shirt · M</a>");
    const pinned = await visitor.send(`${base}/orders?product=${id}`);
    expect(pinned.body).toContain("Product: <strong>Zebra shirt · M</strong>");
  });

  test("is kept as a view under a name by a person who may only read, in this browser alone", async () => {
    await shop.buy();
    const reader = shop.visitor({ ...everything, access: "read" });
    const address = `${base}/orders?status=paid&sort=oldest&after=ord_1`;
    expect((await reader.send(`${base}/orders`)).body).not.toContain("views");
    const list = await reader.send(address.replace("&after=ord_1", ""));
    const keep = plain(/href="([^"]+\/views\?[^"]+)">Keep this view/.exec(list.body ?? "")?.[1]);
    expect((await reader.submit(keep, "keep", { name: " " })).status).toBe(422);
    const name = 'Paid "first" <b>';
    const form = filledIn(formOf(await reader.send(keep), "keep"), { name });
    const kept = await reader.follow(keep, { form });
    expect(kept.body).toContain('aria-current="true">Paid &quot;first&quot; &lt;b&gt;</a>');
    expect(plain((await reader.send(`${base}/orders`)).body ?? "")).toMatch(
      /sort=oldest&status=paid"[^>]*>Paid/,
    );
    expect((await reader.send(`${base}/products`)).body).not.toContain("Paid &quot;");
    expect((await reader.send(`/dashboard/${shop.b.id}/test/orders`)).body).not.toContain("Paid &");

    const other = shop.visitor({ ...everything, actor: "rui" });
    for (const [cookie, value] of reader.cookies) other.cookies.set(cookie, value);
    expect((await other.send(`${base}/orders`)).body).not.toContain("Paid &quot;");
    for (let count = 1; count < 12; count += 1)
      await reader.submit(keep, "keep", { name: `View ${count}` });
    const full = await reader.submit(keep, "keep", { name: "One more" });
    expect([full.status, full.body?.includes("No more views fit")]).toEqual([422, true]);
    expect((await reader.submit(`${base}/views`, "forget")).status).toBe(303);
    expect((await reader.send(`${base}/orders`)).body).not.toContain("Paid &quot;");

    const [key = ""] = [...reader.cookies.keys()].filter((each) => each.endsWith("views"));
    for (const wrong of ["!", "AAAA", Buffer.from("[1,[2]]").toString("base64url")]) {
      reader.cookies.set(key, wrong);
      expect((await reader.send(`${base}/orders`)).status).toBe(200);
    }
  });

  test("is kept as a view with all its filters, however long the search is", async () => {
    await shop.buy();
    const address = `${base}/orders?search=${encodeURIComponent("ã".repeat(120))}&status=refunded`;
    const list = await visitor.send(address);
    const keep = plain(/href="([^"]+\/views\?[^"]+)">Keep this view/.exec(list.body ?? "")?.[1]);
    const tooLong = await visitor.submit(keep, "keep", { name: "x".repeat(41) });
    expect([tooLong.status, tooLong.body?.includes("Use 40 characters at most.")]).toEqual([
      422,
      true,
    ]);
    const form = filledIn(formOf(await visitor.send(keep), "keep"), { name: "Sent back" });
    const kept = await visitor.follow(keep, { form });
    expect(kept.body).toContain('aria-current="true">Sent back</a>');
    expect(kept.body).toMatch(/status=refunded" aria-current="true">Sent back/);
  });

  test("names the category that it shows, also when that is gone", async () => {
    const chosen = async (path: string) =>
      /<select id="filter-category".*?<option value="([^"]*)"\s+selected/s.exec(
        (await visitor.send(`${base}/${path}`)).body ?? "",
      )?.[1];
    await shop.owner.categories.create(shop.a.id, { name: "Cakes", slug: "cakes" });
    expect(await chosen("products?category=cat_gone")).toBe("cat_gone");
    expect(await chosen("products")).toBe("");
  });

  test("of coupons and of alerts is kept as a view as well", async () => {
    const coupon = { code: "TEN", discount_type: "percentage", discount_amount: 10 } as const;
    await shop.owner.coupons.create(shop.a.id, coupon);
    const visitor = shop.visitor();
    for (const address of [`${base}/coupons?sort=-code`, `${base}/alerts?state=open`]) {
      const list = await visitor.send(address);
      const keep = plain(/href="([^"]+\/views\?[^"]+)">Keep this view/.exec(list.body ?? "")?.[1]);
      expect((await visitor.submit(keep, "keep", { name: "Mine" })).status).toBe(303);
      expect((await visitor.send(address)).body).toContain('aria-current="true">Mine</a>');
    }
  });
});
