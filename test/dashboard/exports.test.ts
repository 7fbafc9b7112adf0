import { expect, test } from "vitest";
import type { DashboardAccess } from "vitrine/dashboard";
import { storeDownloads } from "../../src/dashboard/screens.ts";
import { fillStore, sell } from "../support/dashboard-records.ts";
import {
  createDashboardShop,
  type DashboardShop,
  dashboardOrigin,
  everything,
  type PageReply,
} from "../support/dashboard-shop.ts";

const addressOf = ({ a }: DashboardShop, path: string): string => `/dashboard/${a.id}/test/${path}`;

/** The address of the file that a list leads to; empty where it leads to none. */
const linkIn = ({ body }: PageReply): string => {
  const [, address = ""] = /href="([^"]+\/export\.csv[^"]*)"/.exec(body ?? "") ?? [];
  return address.replaceAll("&amp;", "&");
};

const linesOf = ({ body }: PageReply): readonly string[] =>
  (body ?? "").replace(/\r\n$/, "").split("\r\n");

const entriesOf = async ({ owner, a }: DashboardShop) =>
  (await owner.audit.list({ store_id: a.id })).data.filter(({ action }) => action === "exports");

test("the list of orders leads to a CSV of the orders that its filters show, and the audit log has it", async () => {
  const shop = await createDashboardShop();
  await shop.buy({}, {}, { customer: { email: "rui@example.com" } });
  await shop.buy({}, {}, { customer: { email: "ana@example.com" } });
  await shop.buy({}, {}, { customer: { email: "ana@example.com" }, input: { outcome: "decline" } });
  const visitor = shop.visitor();

  const list = await visitor.send(
    addressOf(shop, "orders?status=paid&search=ana%40&from=2026-01-15&to=2026-01-15"),
  );
  const link = linkIn(list);
  expect(link).toContain("/test/orders/export.csv?status=paid&search=ana%40&from=");
  expect(await entriesOf(shop)).toEqual([]);

  const file = await visitor.send(link);
  expect([file.status, file.headers]).toEqual([
    200,
    expect.objectContaining({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": expect.stringMatching(
        /^attachment; filename="[\w-]+-orders-test-2026-01-15\.csv"$/,
      ),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    }),
  ]);
  const [head = "", ...rows] = linesOf(file);
  expect(head).toMatch(/^\uFEFFid,number,/);
  expect(rows).toEqual([expect.stringContaining("ana@example.com")]);
  expect(await entriesOf(shop)).toMatchObject([
    { actor: "ana", livemode: false, after: { kind: "orders", format: "csv" } },
  ]);

  const other = await visitor.send(addressOf(shop, "orders/export.csv?from=2026-01-16"));
  expect(linesOf(other)).toHaveLength(1);
});

test("HEAD on the address of a file gives its headers, and leaves no entry", async () => {
  const shop = await createDashboardShop();
  const visitor = shop.visitor();
  const address = addressOf(shop, "orders/export.csv");
  const head = await visitor.send(address, { method: "HEAD" });
  expect(await entriesOf(shop)).toEqual([]);
  expect(head.body).toBeNull();

  const file = await visitor.send(address);
  expect([head.status, head.headers]).toEqual([file.status, file.headers]);
  expect(await entriesOf(shop)).toHaveLength(1);

  const faulty = addressOf(shop, "orders/export.csv?from=2026-01-16&to=2026-01-15");
  expect((await visitor.send(faulty, { method: "HEAD" })).status).toBe(404);
});

test("a file is for a person or a page of the dashboard, and for no picture or other site", async () => {
  const shop = await createDashboardShop();
  await shop.buy({}, {}, {});
  const visitor = shop.visitor();
  const address = addressOf(shop, "orders/export.csv");
  const statusFor = async (headers: Record<string, string>) =>
    (await visitor.send(address, { headers })).status;
  const asked = (site: string, dest: string) =>
    statusFor({ "sec-fetch-site": site, "sec-fetch-dest": dest });

  for (const dest of ["image", "iframe", "script", "style", "video", "object", "embed", "font"])
    for (const site of ["same-origin", "same-site", "cross-site"])
      expect([dest, site, await asked(site, dest)]).toEqual([dest, site, 403]);
  for (const site of ["same-site", "cross-site"]) expect(await asked(site, "empty")).toBe(403);
  expect(await statusFor({ "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await entriesOf(shop)).toEqual([]);

  for (const site of ["same-origin", "none", "cross-site"])
    expect(await asked(site, "document")).toBe(200);
  expect(await asked("same-origin", "empty")).toBe(200);
  expect(await statusFor({})).toBe(200);
});

test.each([
  ["/dashboard", "/dashboard/x/live/orders/export.csv", false],
  ["/dashboard", "/a/../%64ashboard/x/live/orders/export.csv", false],
  ["/dashboard", "/%252e%252e//DASHBOARD/x", false],
  ["/dashboard", "/a%2f..%2fdashboard", false],
  ["/dashboard", "/%2564ashboard/x/live/orders/export.csv", false],
  ["/dashboard", "/v1/products", false],
  ["/dashboard", "/%zz", false],
  ["/dashboard", "/uploads/dashboard.png", true],
  ["/dashboard", "/dashboards/a.png", true],
  ["/", "/x/live/orders/export.csv", false],
  ["/", "/link/abc", false],
  ["/", "/uploads/a.png", true],
])("with the dashboard at %s the picture %s is shown: %j", async (path, picture, isShown) => {
  for (const pictures of [true, false]) {
    const shop = await createDashboardShop({ options: { path, pictures } });
    for (const origin of [dashboardOrigin, "https://API.example.com:443"]) {
      const images = [origin + picture];
      const { id } = shop.product;
      await shop.owner.products.update(shop.a.id, id, { images });
      const base = path === "/" ? "" : path;
      const page = await shop.visitor().send(`${base}/${shop.a.id}/test/products`);
      const isRendered = page.body?.includes("<img ") ?? false;
      // An own address that is written in another way counts as another host's.
      const isWritten = origin === dashboardOrigin || pictures;
      expect([origin, page.status, isRendered]).toEqual([origin, 200, isShown && isWritten]);
    }
  }
});

test("every list with a file leads to it, for those alone who have the right to export", async () => {
  const shop = await createDashboardShop();
  await fillStore(shop, (kind) => kind);
  await sell(shop, (kind) => kind);
  const visitor = shop.visitor();
  const reader = shop.visitor({ ...everything, access: "read" });
  const exporter: DashboardAccess = { actor: "eva", stores: [shop.a.id], access: ["exports"] };

  for (const { path } of storeDownloads) {
    const list = addressOf(shop, path.replace("/export.csv", ""));
    const [address] = linkIn(await visitor.send(list)).split("?");
    expect([path, address]).toEqual([path, addressOf(shop, path)]);
    expect([path, linkIn(await reader.send(list))]).toEqual([path, ""]);

    const file = await shop.visitor(exporter).send(addressOf(shop, path));
    expect([path, file.status, linesOf(file).length > 1]).toEqual([path, 200, true]);
  }
  expect(await entriesOf(shop)).toHaveLength(storeDownloads.length);
  expect(shop.errors).toEqual([]);
});

test("a list that its file cannot repeat leads to none, and its address is 404", async () => {
  const shop = await createDashboardShop();
  await sell(shop, (kind) => kind);
  const visitor = shop.visitor();

  for (const [list, query] of [
    ["customers", "search=ana"],
    ["subscriptions", "status=due"],
    ["orders", "from=2026-01-16&to=2026-01-15"],
  ] as const) {
    const shown = await visitor.send(addressOf(shop, `${list}?${query}`));
    expect([list, shown.status, linkIn(shown)]).toEqual([list, 200, ""]);
    const file = await visitor.send(addressOf(shop, `${list}/export.csv?${query}`));
    expect([list, file.status]).toEqual([list, 404]);
  }
  expect(await entriesOf(shop)).toEqual([]);
  expect(shop.errors).toEqual([]);
});
