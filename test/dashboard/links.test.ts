import { describe, expect, test } from "vitest";
import {
  createDashboardShop,
  everything,
  filledIn,
  type PageReply,
  type Visitor,
} from "../support/dashboard-shop.ts";
import { thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

type DashboardShop = Awaited<ReturnType<typeof createDashboardShop>>;

const minute = 60_000;
const hour = 60 * minute;
const sessionCookie = "__Secure-vitrine-session";

/** Makes a link and gives the path that a browser opens. */
async function linkTo(shop: DashboardShop, input: object = {}): Promise<string> {
  const { url } = await shop.dashboard.links.create({
    store_id: shop.a.id,
    actor: "rui",
    access: "all",
    ...input,
  });
  return url.replace("https://api.example.com", "");
}

/** The fields of a link's page, which has one form. */
const fieldsOf = ({ body }: PageReply): URLSearchParams => {
  const inputs = (body ?? "").matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g);
  return new URLSearchParams([...inputs].map(([, name = "", value = ""]) => [name, value]));
};

const press = async (visitor: Visitor, path: string): Promise<PageReply> =>
  visitor.send(path, { form: fieldsOf(await visitor.send(path)) });

const seesStore = async (shop: DashboardShop, visitor: Visitor): Promise<number> =>
  (await visitor.send(`/dashboard/${shop.a.id}/test`)).status;

describe.each(storages)("a link on %s", (_name, open) => {
  test("signs in once, by its button and not by opening it; the session lasts 12 hours", async () => {
    const shop = await createDashboardShop({ storage: await open() });
    const path = await linkTo(shop);
    const scanner = shop.visitor(null);
    for (let times = 0; times < 3; times += 1)
      expect((await scanner.send(path)).body).toContain("as rui, for the store Store A");
    expect(await seesStore(shop, scanner)).toBe(401);

    const visitor = shop.visitor(null);
    const signedIn = await press(visitor, path);
    expect([signedIn.status, signedIn.headers["location"]]).toEqual([303, "/dashboard"]);
    expect(signedIn.headers["set-cookie"]).toMatch(
      /^__Secure-vitrine-session=str_\w+\.[\w-]{43}; Path=\/dashboard; HttpOnly; SameSite=Lax; Secure; Max-Age=43200$/,
    );
    expect(await seesStore(shop, visitor)).toBe(200);
    expect((await visitor.send(`/dashboard/${shop.b.id}/test`)).status).toBe(404);

    const replayed = await shop.visitor(null).send(path);
    expect(replayed.status).toBe(410);
    shop.advance(12 * hour - 1);
    expect(await seesStore(shop, visitor)).toBe(200);
    shop.advance(1);
    expect(await seesStore(shop, visitor)).toBe(401);
    await shop.storage.close();
  });
});

describe("a link", () => {
  test.each(["test", "live"])("that was made on the screen in %s opens there", async (mode) => {
    const shop = await createDashboardShop();
    const fields = { actor: "rui", rights: "read" };
    const screen = `/dashboard/${shop.a.id}/${mode}/sessions`;
    const made = await shop.visitor().submit(screen, "link", fields);
    const [, path = ""] = /https:\/\/api\.example\.com(\/[^"]+)"/.exec(made.body ?? "") ?? [];
    const signedIn = await press(shop.visitor(null), path.replaceAll("&amp;", "&"));
    expect(signedIn.headers["location"]).toBe(`/dashboard/${shop.a.id}/${mode}`);
  });

  test("that two people press at one time signs in one of them", async () => {
    const shop = await createDashboardShop();
    const path = await linkTo(shop);
    const visitors = [shop.visitor(null), shop.visitor(null), shop.visitor(null)];
    const pages = await Promise.all(visitors.map((visitor) => visitor.send(path)));
    const replies = await Promise.all(
      visitors.map((visitor, index) => {
        const page = pages[index];
        return visitor.send(path, { form: page ? fieldsOf(page) : {} });
      }),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 410, 410]);
  });

  test("is good for 15 minutes unless it says otherwise, and a day at most", async () => {
    const shop = await createDashboardShop();
    const path = await linkTo(shop);
    const visitor = shop.visitor(null);
    const page = await visitor.send(path);
    shop.advance(15 * minute);
    expect((await visitor.send(path, { form: fieldsOf(page) })).status).toBe(410);

    expect(await thrownBy(linkTo(shop, { ttl_seconds: 86_401 }))).toMatchObject({
      param: "ttl_seconds",
    });
    expect(await thrownBy(linkTo(shop, { store_id: "str_none" }))).toMatchObject({
      code: "resource_not_found",
    });
    expect(await thrownBy(linkTo(shop, { access: ["keys.steal"] }))).toMatchObject({
      code: "parameter_invalid",
    });
  });

  test("is stored as a hash alone, and so is its session", async () => {
    const shop = await createDashboardShop();
    const path = await linkTo(shop);
    const visitor = shop.visitor(null);
    await press(visitor, path);
    const [session] = await shop.storage.dashboard.listSessions(shop.a.id, shop.now());
    const secret = visitor.cookies.get(sessionCookie)?.split(".")[1] ?? "";
    expect(secret).toHaveLength(43);
    expect(JSON.stringify(session)).not.toContain(secret);
    expect(path).not.toContain(secret);
  });

  test("opens a session under a new secret: one that an attacker has set is worth nothing", async () => {
    const shop = await createDashboardShop();
    const attacker = shop.visitor(null);
    const victim = shop.visitor(null);
    const planted = `${shop.a.id}.${"A".repeat(43)}`;
    attacker.cookies.set(sessionCookie, planted);
    victim.cookies.set(sessionCookie, planted);
    await press(victim, await linkTo(shop));
    expect(victim.cookies.get(sessionCookie)).not.toBe(planted);
    expect(await seesStore(shop, victim)).toBe(200);
    expect(await seesStore(shop, attacker)).toBe(401);
  });

  test("replaces a session only after asking, and then ends the old one", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor(null);
    await press(visitor, await linkTo(shop));
    const old = shop.visitor(null);
    for (const [name, value] of visitor.cookies) old.cookies.set(name, value);

    const path = await linkTo(shop, { actor: "eva" });
    const asked = await visitor.send(path);
    expect(asked.body).toContain("You are signed in as rui. That session ends.");
    const withoutAsking = filledIn(fieldsOf(asked), { replace: [] });
    expect((await visitor.send(path, { form: withoutAsking })).status).toBe(200);
    expect((await visitor.send(`/dashboard/${shop.a.id}/test`)).body).toContain("rui");

    expect((await press(visitor, path)).status).toBe(303);
    expect((await visitor.send(`/dashboard/${shop.a.id}/test`)).body).toContain("eva");
    expect(await seesStore(shop, old)).toBe(401);
  });

  test("needs its own page's form: another site's and a stale one do nothing", async () => {
    const shop = await createDashboardShop();
    const path = await linkTo(shop);
    const visitor = shop.visitor(null);
    const form = fieldsOf(await visitor.send(path));
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await visitor.send(path, { form, headers })).status).toBe(403);
    expect((await shop.visitor(null).send(path, { form })).status).toBe(403);
    expect((await visitor.send(path, { form: { token: "1.x" } })).status).toBe(403);
    expect((await press(visitor, path)).status).toBe(303);
  });

  test.each([
    ["/str_1/live/products?after=x", "/dashboard/str_1/live/products?after=x"],
    ["//evil.example", "/dashboard"],
    ["/\\evil.example", "/dashboard"],
    ["/\t/evil.example", "/dashboard"],
    ["https://evil.example", "/dashboard"],
    ["/a//evil.example", "/dashboard"],
    ["/..", "/dashboard"],
    ["/../account?x=1", "/dashboard"],
    ["/a/../../account", "/dashboard"],
    ["/a/%2e%2e/%2E./account", "/dashboard"],
    ["/a/%252e%252e/account", "/dashboard"],
    ["/a%2f..%2faccount", "/dashboard"],
    ["/a/.", "/dashboard"],
    ["/str_1/live/products?search=/../x", "/dashboard/str_1/live/products?search=/../x"],
    ["/a/..b/.c/d..", "/dashboard/a/..b/.c/d.."],
    ["/a\r\nset-cookie: x=y", "/dashboard"],
  ])("with next %j leads to %s", async (next, location) => {
    const shop = await createDashboardShop();
    const path = `${await linkTo(shop)}?${new URLSearchParams({ next })}`;
    expect((await press(shop.visitor(null), path)).headers["location"]).toBe(location);
  });

  test("cannot be made for more than its maker may do, nor for another store", async () => {
    const shop = await createDashboardShop();
    const { links } = shop.dashboard;
    const by = { stores: [shop.a.id], access: ["links.create", "keys.create"] } as const;
    const make = (store_id: string, access: "all" | "read" | readonly "keys.create"[]) =>
      links.create({ store_id, actor: "rui", access }, { by });
    expect(await thrownBy(make(shop.a.id, "all"))).toMatchObject({ param: "access" });
    expect(await thrownBy(make(shop.b.id, "read"))).toMatchObject({ param: "store_id" });
    expect(await make(shop.a.id, ["keys.create"])).toMatchObject({ url: expect.any(String) });
    expect(await make(shop.a.id, "read")).toMatchObject({ url: expect.any(String) });
  });

  test("is not needed by whom the host knows, and is 404 where links are off", async () => {
    const shop = await createDashboardShop();
    expect((await shop.visitor(everything).send(await linkTo(shop))).status).toBe(409);
    const without = await createDashboardShop({ options: { links: false, people: false } });
    expect(await thrownBy(linkTo(without))).toMatchObject({ code: "invalid_option" });
    const path = `/dashboard/link/${without.a.id}.${"A".repeat(43)}`;
    expect((await without.visitor(null).send(path)).status).toBe(404);
  });
});

describe("a session of a link", () => {
  test("ends by signing out, and its cookie with it", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor(null);
    await press(visitor, await linkTo(shop));
    const copy = shop.visitor(null);
    for (const [name, value] of visitor.cookies) copy.cookies.set(name, value);

    expect((await visitor.submit("/dashboard/sign-out", "sign-out")).status).toBe(303);
    expect(visitor.cookies.has(sessionCookie)).toBe(false);
    expect(await seesStore(shop, copy)).toBe(401);
  });

  test("is listed and can be ended by who has the right to", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor(null);
    await press(visitor, await linkTo(shop));
    const target = `/dashboard/${shop.a.id}/test/sessions`;
    const owner = shop.visitor();
    expect((await owner.send(target)).body).toContain("rui");
    expect((await owner.submit(target, "end")).status).toBe(303);
    expect(await seesStore(shop, visitor)).toBe(401);
  });

  test("has the rights of its link: a link that it makes has no more", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor(null);
    await press(visitor, await linkTo(shop, { access: ["links.create"] }));
    const target = `/dashboard/${shop.a.id}/test/sessions`;
    expect((await visitor.submit(target, "link", { actor: "eva", rights: "all" })).status).toBe(
      422,
    );
    const forged = { actor: "eva", rights: "some", action: ["keys.create"] };
    expect((await visitor.submit(target, "link", forged)).status).toBe(422);

    const day = { actor: "eva", rights: "read", ttl_seconds: "86400" };
    const made = await visitor.submit(target, "link", day);
    expect(made.body).toContain(new Date(shop.now() + 86_400_000).toISOString());
    const [url = ""] =
      /https:\/\/api\.example\.com\/dashboard\/link\/[\w.-]+/.exec(made.body ?? "") ?? [];
    expect(made.status).toBe(200);
    const eva = shop.visitor(null);
    await press(eva, url.replace("https://api.example.com", ""));
    expect(await seesStore(shop, eva)).toBe(200);
    expect((await eva.send(`/dashboard/${shop.a.id}/test/products/new`)).status).toBe(403);
  });

  test("with a cookie that came twice is nobody's", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor(null);
    await press(visitor, await linkTo(shop));
    const own = visitor.cookies.get(sessionCookie) ?? "";
    const headers = { cookie: `${sessionCookie}=${own}; ${sessionCookie}=${shop.a.id}.x` };
    expect((await visitor.send(`/dashboard/${shop.a.id}/test`, { headers })).status).toBe(401);
  });
});
