import { describe, expect, test } from "vitest";
import { ApiError } from "vitrine";
import { createDashboard, type DashboardAccess } from "vitrine/dashboard";
import { globalScreens, storeDownloads, storeScreens } from "../../src/dashboard/screens.ts";
import { fillStore, idsOf, screenPaths, sell } from "../support/dashboard-records.ts";
import {
  createDashboardShop,
  type DashboardShop,
  everything,
  filledIn,
  formOf,
  type Visitor,
} from "../support/dashboard-shop.ts";

const countOf = async (shop: DashboardShop) =>
  (await shop.owner.products.list(shop.a.id, { limit: 100 })).data.length;

describe("who is let in", () => {
  test("nobody to the host sees no more than that they are nobody", async () => {
    const shop = await createDashboardShop();
    for (const target of ["/dashboard", `/dashboard/${shop.a.id}/live`, "/dashboard/nowhere"]) {
      const reply = await shop.visitor(null).send(target);
      expect([target, reply.status]).toEqual([target, 401]);
      expect(reply.body).not.toContain("Store A");
    }
  });

  test.each([
    ["throws", () => Promise.reject(new Error("no database"))],
    [
      "throws an error of ours",
      () => Promise.reject(new ApiError("resource_not_found", { param: "id" })),
    ],
    ["returns true", () => true],
    ["returns undefined", () => undefined],
    ["forgets the stores", () => ({ actor: "ana", access: "all" })],
    ["names an action that does not exist", () => ({ ...everything, access: ["keys.steal"] })],
    ["gives no actor", () => ({ ...everything, actor: " " })],
    ["gives a store id as a text", () => ({ ...everything, stores: "str_a" })],
  ])("an authorize that %s is a 500 page and opens nothing", async (_name, authorize) => {
    const shop = await createDashboardShop({ options: { authorize: authorize as never } });
    const reply = await shop.visitor().send(`/dashboard/${shop.a.id}/live`);
    expect([reply.status, reply.body?.includes("Store A")]).toEqual([500, false]);
    expect(shop.errors).toHaveLength(1);
  });

  test("authorize is asked at every request, with the framework's own request", async () => {
    const asked: unknown[] = [];
    const authorize = ({ native }: { readonly native: unknown }) => {
      asked.push(native);
      return asked.length === 1 ? everything : null;
    };
    const shop = await createDashboardShop({ options: { authorize } });
    const visitor = shop.visitor();
    const target = `/dashboard/${shop.a.id}/live`;
    expect((await visitor.send(target)).status).toBe(200);
    expect((await visitor.send(target)).status).toBe(401);
    expect(asked).toEqual([everything, everything]);
  });

  test("wrong options fail at start-up and say what is right", async () => {
    const { storefront } = await createDashboardShop();
    const authorize = () => null;
    const make = (options: object) => () =>
      createDashboard(storefront, { path: "/dashboard", authorize, ...options });
    expect(make({ authorize: undefined })).toThrow(/authorize.*links: true/);
    expect(make({})).toThrow(/publicUrl/);
    expect(make({ publicUrl: "http://shop.example.com" })).toThrow(/https/);
    expect(make({ publicUrl: "https://a.example", path: "dashboard" })).toThrow(/path/);
    expect(make({ publicUrl: "https://a.example", publicPath: "/a/../b" })).toThrow(/publicPath/);
    expect(make({ publicUrl: "https://a.example", brandColor: "red" })).toThrow(/brandColor/);
    expect(() => createDashboard({}, { path: "/d", authorize })).toThrow(/storefront/);
    for (const publicUrl of ["http://localhost:4242", "https://shop.example.com"])
      expect(make({ publicUrl })).not.toThrow();
  });
});

/** Every address of the table, with ids of store A in its braces. */
async function addresses(shop: DashboardShop) {
  const rows = await fillStore(shop, (kind) => kind);
  const paths = screenPaths({ ...(await sell(shop, (kind) => kind)), ...idsOf(rows) });
  return {
    store: storeScreens.map((screen, index) => ({ screen, path: paths[index] ?? "" })),
    global: globalScreens.map((screen) => ({ screen, path: screen.path })),
  };
}

const target = (store_id: string, path: string): string =>
  `/dashboard/${store_id}/test${path === "" ? "" : `/${path}`}`;

/** What the owner's calls know of a store, to see that nothing has changed. */
async function stateOf({ owner }: DashboardShop, id: string) {
  const partition = { store_id: id, livemode: false };
  return JSON.stringify([
    await owner.stores.retrieve(id),
    await owner.stores.list(),
    await owner.products.list(id),
    await owner.categories.list(id),
    await owner.coupons.list(id),
    await owner.paymentMethods.list(id),
    await owner.keys.list(id),
    await owner.origins.list(id),
    await owner.returnUrls.list(id),
    await owner.endpoints.list(partition),
    await owner.deliveries.list(partition),
    await owner.orders.list(partition),
    await owner.customers.list(partition),
    await owner.subscriptions.list(partition),
    await owner.payments.list(partition),
    await owner.refunds.list(partition),
    await owner.events.list(partition),
    await owner.alerts.list(id),
  ]);
}

describe("every form of every address of the table", () => {
  test("does nothing for one who may only look (403), and for a foreign owner (404)", async () => {
    const shop = await createDashboardShop();
    const { a, b } = shop;
    const { store, global } = await addresses(shop);
    const reader = shop.visitor({ actor: "rui", stores: [a.id], access: "read" });
    const foreigner = shop.visitor({ actor: "eva", stores: [b.id], access: "all" });
    const owner = shop.visitor();
    const before = await stateOf(shop, a.id);

    for (const { screen, path } of store) {
      const address = target(a.id, path);
      const seen = await owner.send(address);
      expect([address, seen.status]).toEqual([address, 200]);
      expect((await foreigner.send(address)).status).toBe(404);
      expect((await reader.send(address)).status).toBe(screen.action === null ? 200 : 403);

      for (const [name, form] of Object.entries(screen.forms ?? {})) {
        // What a browser keeps for its person needs no right.
        const isOwn = screen.path === "views";
        expect([address, name, form.action === null]).toEqual([address, name, isOwn]);
        const fields = { do: name, once: "A".repeat(22), token: "1.x" };
        expect((await foreigner.send(address, { form: fields })).status).toBe(404);
        expect((await reader.send(address, { form: fields })).status).toBe(403);
      }
    }
    for (const { path } of storeDownloads) {
      const address = target(a.id, path);
      const statuses = [
        (await foreigner.send(address)).status,
        (await reader.send(address)).status,
        (await shop.visitor(null).send(address)).status,
        (await owner.send(address, { form: { do: "save" } })).status,
      ];
      expect([address, ...statuses]).toEqual([address, 404, 403, 401, 405]);
    }
    for (const { path } of global) {
      const forms = ["create", "sign-out"].map((name) => ({ do: name, once: "A".repeat(22) }));
      for (const form of forms)
        expect((await reader.send(`/dashboard/${path}`, { form })).status).toBeGreaterThan(400);
    }
    expect(await stateOf(shop, a.id)).toBe(before);
  });

  test("needs its own right: with every right but one that form is 403, and the others are not", async () => {
    const shop = await createDashboardShop();
    const { store } = await addresses(shop);
    for (const { screen, path } of store) {
      for (const [name, form] of Object.entries(screen.forms ?? {})) {
        if (form.action === null) continue;
        const only: DashboardAccess = { actor: "rui", stores: [shop.a.id], access: [form.action] };
        const address = target(shop.a.id, path);
        const reply = await shop.visitor(only).send(address, { form: { do: name, token: "1.x" } });
        // The right is there, so what refuses it is its token.
        expect([address, name, reply.body?.includes("too old")]).toEqual([address, name, true]);
      }
    }
  });

  test("ids of another store are 404 in one's own", async () => {
    const shop = await createDashboardShop();
    const { store } = await addresses(shop);
    const other = shop.visitor({ actor: "eva", stores: [shop.b.id], access: "all" });
    for (const { screen, path } of store) {
      if (!screen.path.includes("{")) continue;
      const reply = await other.send(target(shop.b.id, path));
      expect([path, reply.status]).toEqual([path, 404]);
    }
  });
});

describe("a form is taken", () => {
  const fields = { name: "Bolo", price: "10" };
  const open = async (shop: DashboardShop, visitor: Visitor) => {
    const address = target(shop.a.id, "products/new");
    const form = filledIn(formOf(await visitor.send(address), "create"), fields);
    return { address, form };
  };

  test.each<readonly [name: string, headers: Record<string, string | undefined>]>([
    ["another site's", { "sec-fetch-site": "cross-site" }],
    ["a sibling domain's", { "sec-fetch-site": "same-site" }],
    ["a typed address's", { "sec-fetch-site": "none" }],
    [
      "an old browser's of another origin",
      { "sec-fetch-site": undefined, origin: "https://evil.example" },
    ],
    ["an old browser's without an origin", { "sec-fetch-site": undefined }],
    ["a sandboxed frame's", { "sec-fetch-site": undefined, origin: "null" }],
  ])("never when it is %s", async (_name, headers) => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor();
    const { address, form } = await open(shop, visitor);
    const before = await countOf(shop);
    expect((await visitor.send(address, { form, headers })).status).toBe(403);
    expect(await countOf(shop)).toBe(before);
  });

  test("from an old browser, by its Origin", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor();
    const { address, form } = await open(shop, visitor);
    const headers = { "sec-fetch-site": undefined, origin: "https://api.example.com" };
    expect((await visitor.send(address, { form, headers })).status).toBe(303);
  });

  test("never with a token of another browser, actor, address or day, or with none", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor();
    const { address, form } = await open(shop, visitor);
    const before = await countOf(shop);
    const refused = async (who: Visitor, where = address, what = form) => {
      const reply = await who.send(where, { form: what });
      expect([where, reply.status, reply.body?.includes("too old")]).toEqual([where, 403, true]);
    };

    const thief = shop.visitor();
    await thief.send(address);
    await refused(thief);
    const other = shop.visitor({ ...everything, actor: "rui" });
    for (const [name, value] of visitor.cookies) other.cookies.set(name, value);
    await refused(other);
    await refused(visitor, target(shop.b.id, "products/new"));
    await refused(visitor, `/dashboard/${shop.a.id}/live/products/new`);
    await refused(visitor, address, filledIn(form, { token: "" }));
    await refused(visitor, address, filledIn(form, { once: "" }));
    await refused(shop.visitor());

    shop.advance(86_400_000);
    await refused(visitor);
    expect(await countOf(shop)).toBe(before);
  });

  test("once: a repeat says that it is done, also when both come at one time", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor();
    const { address, form } = await open(shop, visitor);
    const before = await countOf(shop);
    const replies = await Promise.all([1, 2, 3].map(() => visitor.send(address, { form })));
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
    expect(await countOf(shop)).toBe(before + 1);

    // A purge must not forget the form while its token is still good.
    shop.advance(86_399_000);
    await shop.storefront.runMaintenance();
    expect((await visitor.send(address, { form })).status).toBe(409);
  });

  test("never by GET, HEAD or another method", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor();
    const { address, form } = await open(shop, visitor);
    const before = await countOf(shop);
    expect((await visitor.send(`${address}?${form}`)).status).toBe(200);
    for (const method of ["PUT", "DELETE", "PATCH"])
      expect((await visitor.send(address, { form, method })).status).toBe(405);
    expect(await countOf(shop)).toBe(before);
  });

  test("not when it is larger than any honest one: 413", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor();
    const { address, form } = await open(shop, visitor);
    const large = filledIn(form, { description: "x".repeat(600_000) });
    expect((await visitor.send(address, { form: large })).status).toBe(413);
  });
});

test("one who reaches several stores sees those alone, page by page; one who reaches one is led there", async () => {
  const shop = await createDashboardShop();
  const made = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      shop.owner.stores.create({ name: `Branch ${index}`, currency: "BRL" }),
    ),
  );
  const ids = made.map(({ id }) => id);
  const stores = [...ids, "str_gone"];
  const visitor = shop.visitor({ actor: "rui", stores, access: "read" });
  const first = await visitor.send("/dashboard");
  const [next = ""] = /\/dashboard\?after=\w+/.exec(first.body ?? "") ?? [];
  const second = await visitor.send(next);
  const count = (body: string | null) => body?.match(/Branch \d+/g)?.length;
  expect([count(first.body), count(second.body)]).toEqual([25, 5]);
  expect(first.body).not.toContain("Store A");

  const one = shop.visitor({ actor: "rui", stores: ids.slice(0, 1), access: "read" });
  const led = await one.send("/dashboard");
  expect([led.status, led.headers["location"]]).toEqual([303, `/dashboard/${ids[0]}/live`]);
  const [name = ""] = ids;
  expect((await one.send("/dashboard/new")).status).toBe(403);
  expect((await one.send(`/dashboard/${name}/live`)).status).toBe(200);
});

test("a store is created by one who reaches all stores and has the right", async () => {
  const shop = await createDashboardShop();
  const fields = { name: "Nova", currency: "brl" };
  const refused = await shop.visitor().submit("/dashboard/new", "create", fields);
  expect(refused.status).toBe(422);
  const right = { ...fields, currency: "BRL", timezone: "America/Sao_Paulo" };
  const made = await shop.visitor().submit("/dashboard/new", "create", right);
  expect(made.headers["location"]).toMatch(/^\/dashboard\/str_\w+\/test\?done=/);

  const local = shop.visitor({ actor: "eva", stores: [shop.a.id], access: "all" });
  const before = (await shop.owner.stores.list({ limit: 100 })).data.length;
  expect((await local.submit("/dashboard/new", "create", right)).status).toBe(403);
  expect((await shop.owner.stores.list({ limit: 100 })).data).toHaveLength(before);
});

test("an address or a hidden field that no page gave is 404, and nobody is told of an error", async () => {
  const shop = await createDashboardShop();
  const visitor = shop.visitor();
  const wrong = [
    "products?after=%00",
    "deliveries?after=x",
    "deliveries?endpoint=%00",
    "products/%00",
    "products/%E0%A4%A",
    "webhooks/a%2Fb",
    "products/new/x",
  ];
  for (const path of wrong)
    expect([path, (await visitor.send(target(shop.a.id, path))).status]).toEqual([path, 404]);

  const addresses = target(shop.a.id, "addresses");
  const forged = await visitor.submit(addresses, "remove_origin", { address: "javascript:x" });
  expect(forged.status).toBe(404);
  expect((await visitor.send(`/dashboard/${shop.a.id}/live/toString`)).status).toBe(404);
  expect((await visitor.submit(addresses, "add_origin", { do: "constructor" })).status).toBe(404);
  expect(shop.errors).toEqual([]);
});

test("every answer has the headers that protect it, and names no other host", async () => {
  const shop = await createDashboardShop();
  const visitor = shop.visitor();
  const pages = [`/dashboard/${shop.a.id}/test`, "/dashboard", "/dashboard/nowhere"];
  for (const address of pages) {
    const { headers, body } = await visitor.send(address);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "content-security-policy":
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https:; " +
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    });
    expect(body).not.toMatch(/<script(?! src="\/dashboard\/)|\sstyle="|\son[a-z]+="|javascript:/);
  }
  const [style] =
    /\/dashboard\/assets\/[\w.-]+\.css/.exec((await visitor.send("/dashboard")).body ?? "") ?? [];
  const sheet = await shop.visitor(null).send(String(style));
  expect([sheet.status, sheet.headers["cache-control"]]).toEqual([
    200,
    "public, max-age=31536000, immutable",
  ]);
  const old = await visitor.send("/dashboard/assets/dashboard-00000000.css");
  expect([old.status, old.headers["cache-control"]]).toEqual([200, "no-store"]);
});

test("the cookie of the forms is Strict, HttpOnly, Secure and below the dashboard alone", async () => {
  const shop = await createDashboardShop({ options: { publicPath: "/back" } });
  const { headers } = await shop.visitor().send("/dashboard");
  expect(headers["set-cookie"]).toMatch(
    /^__Secure-vitrine-form=[\w-]{43}; Path=\/back; HttpOnly; SameSite=Strict; Secure$/,
  );
  const root = await createDashboardShop({ options: { path: "/" } });
  expect((await root.visitor().send("/")).headers["set-cookie"]).toMatch(
    /^__Host-vitrine-form=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
  const local = await createDashboardShop({ options: { publicUrl: "http://localhost:4242" } });
  expect((await local.visitor().send("/dashboard")).headers["set-cookie"]).toMatch(
    /^vitrine-form=[\w-]{43}; Path=\/dashboard; HttpOnly; SameSite=Strict$/,
  );
});

test("behind a proxy that cuts a prefix every address is the browser's", async () => {
  const shop = await createDashboardShop({ options: { path: "/", publicPath: "/shop/back" } });
  const visitor = shop.visitor();
  const page = await visitor.send(`/${shop.a.id}/test/products/new`);
  expect(page.body).not.toMatch(/(href|src|action)="\/(?!shop\/back["/])/);
  const form = filledIn(formOf(page, "create"), { name: "Bolo", price: "10" });
  const sent = await visitor.send(`/${shop.a.id}/test/products/new`, { form });
  expect([sent.status, sent.headers["location"]]).toEqual([
    303,
    expect.stringMatching(new RegExp(`^/shop/back/${shop.a.id}/test/products/prod_\\w+\\?done=`)),
  ]);
});
