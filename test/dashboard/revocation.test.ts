import { describe, expect, test } from "vitest";
import {
  createDashboardShop,
  type DashboardShop,
  everything,
  filledIn,
  formOf,
  type PageReply,
  type Visitor,
} from "../support/dashboard-shop.ts";
import { thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const minute = 60_000;
const screenOf = (shop: DashboardShop): string => `/dashboard/${shop.a.id}/test/sessions`;

const open = async (visitor: Visitor, path: string): Promise<PageReply> => {
  const { body } = await visitor.send(path);
  const [, token = ""] = /name="token" value="([^"]+)"/.exec(body ?? "") ?? [];
  return visitor.send(path, { form: { token } });
};

/** The host makes a link, and someone comes in by it. */
async function guestOf(shop: DashboardShop, actor: string, access: "all" | "read" = "all") {
  const { url } = await shop.dashboard.links.create({ store_id: shop.a.id, actor, access });
  const visitor = shop.visitor(null);
  expect((await open(visitor, pathOf(url))).status).toBe(303);
  return visitor;
}

const pathOf = (text: string): string =>
  /\/dashboard\/link\/[\w.-]+/.exec(text)?.[0] ?? "no link in the text";

/** Someone makes a link on the screen. Gives its path. */
async function madeBy(shop: DashboardShop, maker: Visitor, actor: string): Promise<string> {
  const fields = { actor, rights: "all", ttl_seconds: "86400" };
  const made = await maker.submit(screenOf(shop), "link", fields);
  expect(made.status).toBe(200);
  return pathOf(made.body ?? "");
}

const sees = async (shop: DashboardShop, visitor: Visitor): Promise<number> =>
  (await visitor.send(screenOf(shop))).status;

/** The host's own person ends the session of this actor on the screen. */
async function endSessionOf(shop: DashboardShop, actor: string): Promise<void> {
  const owner = shop.visitor();
  const page = await owner.send(screenOf(shop));
  const sessions = await shop.storage.dashboard.listSessions(shop.a.id, shop.now());
  const session = sessions.find((each) => each.actor === actor)?.session_hash ?? "none";
  const form = filledIn(formOf(page, "end"), { session });
  expect((await owner.send(screenOf(shop), { form })).status).toBe(303);
}

describe.each(storages)("the end of a session on %s", (_name, openStorage) => {
  test("ends the links made in it, whom they let in, and all that those have made", async () => {
    const shop = await createDashboardShop({ storage: await openStorage() });
    const intern = await guestOf(shop, "intern");
    const other = await guestOf(shop, "other");
    const unspent = await madeBy(shop, intern, "friend");
    const root = shop.visitor(null);
    await open(root, await madeBy(shop, intern, "root"));
    const deep = shop.visitor(null);
    await open(deep, await madeBy(shop, root, "deep"));
    const deepest = await madeBy(shop, deep, "deepest");
    expect([await sees(shop, root), await sees(shop, deep)]).toEqual([200, 200]);

    await endSessionOf(shop, "intern");
    expect([await sees(shop, intern), await sees(shop, root), await sees(shop, deep)]).toEqual([
      401, 401, 401,
    ]);
    expect((await shop.visitor(null).send(unspent)).status).toBe(410);
    expect((await shop.visitor(null).send(deepest)).status).toBe(410);
    expect(await sees(shop, other)).toBe(200);
    await shop.storage.close();
  });
});

describe("the links of a store", () => {
  test("are listed with their maker until they are used, past their time or ended", async () => {
    const shop = await createDashboardShop();
    const { links } = shop.dashboard;
    const store_id = shop.a.id;
    const listed = async () =>
      (await links.list({ store_id })).data.map(({ actor, made_by }) => [actor, made_by]);
    const made = await links.create({ store_id, actor: "rui", access: ["keys.create"] });
    expect((await links.list({ store_id })).data).toEqual([
      {
        id: made.id,
        actor: "rui",
        access: ["keys.create"],
        made_by: null,
        created_at: new Date(shop.now()).toISOString(),
        expires_at: made.expires_at,
      },
    ]);
    expect(made.url).not.toContain(made.id);
    expect(await thrownBy(links.list({ store_id: "str_none" }))).toMatchObject({
      code: "resource_not_found",
    });

    shop.advance(1);
    const eva = await madeBy(shop, shop.visitor(), "eva");
    expect(await listed()).toEqual([
      ["eva", "ana"],
      ["rui", null],
    ]);
    await open(shop.visitor(null), eva);
    expect(await listed()).toEqual([["rui", null]]);
    shop.advance(15 * minute);
    expect(await listed()).toEqual([]);
    expect(await thrownBy(links.end({ store_id, id: made.id }))).toMatchObject({
      code: "resource_not_found",
      param: "id",
    });
  });

  test("are listed by pages, whose cursor belongs to that list", async () => {
    const shop = await createDashboardShop();
    const { links } = shop.dashboard;
    const store_id = shop.a.id;
    for (let index = 0; index < 27; index += 1) {
      await links.create({ store_id, actor: `guest ${index}`, access: "read" });
      shop.advance(1);
    }
    const first = await links.list({ store_id, limit: 26 });
    expect([first.data.length, first.has_more, first.data[0]?.actor]).toEqual([
      26,
      true,
      "guest 26",
    ]);
    const second = await links.list({ store_id, limit: 26, starting_after: first.next_cursor });
    expect(second.data.map(({ actor }) => actor)).toEqual(["guest 0"]);
    expect(second.has_more).toBe(false);
    expect(await thrownBy(links.list({ store_id, starting_after: "x" }))).toMatchObject({
      code: "invalid_cursor",
    });

    const page = await shop.visitor().send(screenOf(shop));
    expect(page.body).toContain("guest 2<");
    expect(page.body).not.toContain("guest 1<");
    const [, next = ""] = /rel="next"\s+href="([^"]+)"/.exec(page.body ?? "") ?? [];
    const last = await shop.visitor().send(next.replaceAll("&amp;", "&"));
    expect(last.body).toContain("guest 1<");
    expect(last.body).not.toContain("guest 2<");
  });

  test("are ended by the host's code in a name that the audit log keeps", async () => {
    const shop = await createDashboardShop();
    const { links } = shop.dashboard;
    const store_id = shop.a.id;
    const { id, url } = await links.create({ store_id, actor: "rui", access: "all" });
    const foreign = { by: { stores: [shop.b.id], access: "all", actor: "eve" } } as const;
    expect(await thrownBy(links.end({ store_id, id }, foreign))).toMatchObject({ param: "id" });
    expect(await thrownBy(links.end({ store_id: shop.b.id, id }))).toMatchObject({ param: "id" });
    await links.end({ store_id, id }, { by: everything });
    expect((await shop.visitor(null).send(pathOf(url))).status).toBe(410);
    const { data } = await shop.owner.audit.list({ store_id, action: "links.end" });
    expect(data).toMatchObject([{ actor: "ana", subject: { type: "dashboard_link", id: "rui" } }]);
  });
});

describe("the screen Access", () => {
  test("lists unused links with their maker, and ends one", async () => {
    const shop = await createDashboardShop();
    const { url } = await shop.dashboard.links.create({
      store_id: shop.a.id,
      actor: "rui",
      access: "all",
    });
    const owner = shop.visitor();
    const page = await owner.send(screenOf(shop));
    expect(page.body).toContain("Unused links");
    expect(page.body).toContain("The site itself");
    expect((await owner.submit(screenOf(shop), "end-link")).status).toBe(303);
    expect((await shop.visitor(null).send(pathOf(url))).status).toBe(410);
    expect((await owner.send(screenOf(shop))).body).toContain("No link waits to be used.");
  });

  test("comes back as it was sorted and turned over, whatever was ended or made", async () => {
    const shop = await createDashboardShop();
    const owner = shop.visitor();
    for (const actor of ["one", "two"]) await guestOf(shop, actor);
    await madeBy(shop, owner, "three");
    await madeBy(shop, owner, "four");
    const page = await shop.dashboard.links.list({ store_id: shop.a.id, limit: 1 });
    const after = page.next_cursor ?? "none";
    for (const query of ["?sort=-actor", `?sort=-actor&after=${after}`]) {
      const target = `${screenOf(shop)}${query}`;
      const { body } = await owner.send(target);
      const actions = [...(body ?? "").matchAll(/method="post" action="([^"]*)"/g)];
      const own = actions.filter(([, action]) => action?.includes("/sessions"));
      expect(new Set(own.map(([, action]) => action?.replaceAll("&amp;", "&")))).toEqual(
        new Set([target]),
      );
    }
    const target = `${screenOf(shop)}?sort=-actor`;
    for (const form of ["end", "end-link"])
      expect((await owner.submit(target, form)).headers["location"]).toContain(`${target}&done=`);
  });

  test("says so when the link was used before it could be ended", async () => {
    const shop = await createDashboardShop();
    const owner = shop.visitor();
    const path = await madeBy(shop, owner, "rui");
    const form = formOf(await owner.send(screenOf(shop)), "end-link");
    const rui = shop.visitor(null);
    await open(rui, path);
    const late = await owner.send(screenOf(shop), { form });
    expect(late.status).toBe(409);
    expect(late.body).toContain("This link was used or had ended before.");
    expect(await sees(shop, rui)).toBe(200);
  });

  test("offers the end of a link to those alone who have the right to it", async () => {
    const shop = await createDashboardShop();
    const guest = await guestOf(shop, "guest", "read");
    await madeBy(shop, shop.visitor(), "rui");
    const page = await guest.send(screenOf(shop));
    expect(page.body).toContain("rui");
    expect(page.body).not.toContain("End the link");
  });
});

describe("someone who came in by a link", () => {
  test("stands in the audit log with the maker of the link, under whatever name", async () => {
    const shop = await createDashboardShop();
    const store_id = shop.a.id;
    const intern = await guestOf(shop, "intern");
    shop.advance(1);
    const root = shop.visitor(null);
    await open(root, await madeBy(shop, intern, "root"));
    shop.advance(1);
    const product = `/dashboard/${store_id}/test/products/${shop.product.id}`;
    expect((await root.submit(product, "save", { name: "Lamp" })).status).toBe(303);

    const { data } = await shop.owner.audit.list({ store_id });
    const told = data.map(({ action, actor, via, made_by }) => [action, actor, via, made_by]);
    expect(told[0]).toEqual(["products.update", "root", "link", "intern"]);
    expect(told).toContainEqual(["links.use", "root", "link", "intern"]);
    expect(told).toContainEqual(["links.create", "intern", "link", null]);
    expect(told).toContainEqual(["links.use", "intern", "link", null]);
    expect(told).toHaveLength(4);
    const shown = await shop.visitor().send(`/dashboard/${store_id}/test/audit`);
    expect(shown.body).toContain("By a link of intern");
    expect(shown.body).toContain("By a link of the site itself");

    expect((await shop.visitor().submit(product, "save", { name: "Desk" })).status).toBe(303);
    shop.advance(1);
    const [own] = (await shop.owner.audit.list({ store_id, actor: "ana" })).data;
    expect(own).not.toHaveProperty("via");
    expect(own).not.toHaveProperty("made_by");
  });

  test("ends what came from the session by signing out, and the log says who", async () => {
    const shop = await createDashboardShop();
    const intern = await guestOf(shop, "intern");
    const path = await madeBy(shop, intern, "friend");
    expect((await intern.submit("/dashboard/sign-out", "sign-out")).status).toBe(303);
    expect((await shop.visitor(null).send(path)).status).toBe(410);
    const { data } = await shop.owner.audit.list({ store_id: shop.a.id, action: "sessions.end" });
    expect(data).toMatchObject([{ actor: "intern", via: "link", made_by: null }]);
  });

  test("and opens a link of one's own keeps the session that the link comes from", async () => {
    const shop = await createDashboardShop();
    const intern = await guestOf(shop, "intern");
    const before = shop.visitor(null);
    for (const [name, value] of intern.cookies) before.cookies.set(name, value);
    const path = await madeBy(shop, intern, "intern again");
    const asked = await intern.send(path);
    expect(asked.body).toContain("That session stays open");
    const fields = { token: /name="token" value="([^"]+)"/.exec(asked.body ?? "")?.[1] ?? "" };
    const form = { ...fields, replace: "intern" };
    expect((await intern.send(path, { form })).status).toBe(303);
    expect((await intern.send(screenOf(shop))).body).toContain("intern again");
    expect([await sees(shop, intern), await sees(shop, before)]).toEqual([200, 200]);

    await endSessionOf(shop, "intern");
    expect([await sees(shop, intern), await sees(shop, before)]).toEqual([401, 401]);
  });
});
