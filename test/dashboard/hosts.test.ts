import { once } from "node:events";
import { createServer, request as forward, type Server } from "node:http";
import { describe, expect, test } from "vitest";
import { createDashboard, type DashboardAccess } from "vitrine/dashboard";
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import { createDashboardShop, everything, formOf } from "../support/dashboard-shop.ts";
import { express, hosts, listening, onExpress, onFastify, portOf } from "../support/hosts.ts";

const mebibyte = 1_048_576;
const readers: ReadonlySet<string> = new Set([
  "node:http",
  "Express 5, bare",
  "Fastify 5, bare",
  "Next.js route handlers",
]);
const publicUrl = "http://localhost:4242";

async function end(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}

/** Gets a page and sends its form as a browser does. */
async function saveSettings(base: string): Promise<readonly [number, number, string | null]> {
  const headers = { "x-user": "ana", "accept-language": "en" };
  const page = await fetch(base, { headers });
  const cookie = page.headers.get("set-cookie")?.split(";")[0] ?? "";
  const reply = { status: page.status, headers: {}, body: await page.text() };
  const form = formOf(reply, "save");
  form.set("name", "Ação & Café");

  const sent = await fetch(base, {
    method: "POST",
    redirect: "manual",
    headers: { ...headers, cookie, "sec-fetch-site": "same-origin" },
    body: form,
  });
  return [page.status, sent.status, sent.headers.get("location")];
}

/** Sends a product's form with a picture of this size, as a browser without scripts does. */
async function sendPicture(base: string, size: number): Promise<number> {
  const headers = { "x-user": "ana" };
  const page = await fetch(base, { headers });
  const cookie = page.headers.get("set-cookie")?.split(";")[0] ?? "";
  const shown = { status: page.status, headers: {}, body: await page.text() };
  const form = new FormData();
  for (const [name, value] of formOf(shown, "save")) form.set(name, value);
  const picture = new Uint8Array(size);
  picture.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  form.set("upload", new File([picture], "cup.png"));

  const sent = await fetch(base, {
    method: "POST",
    redirect: "manual",
    headers: { ...headers, cookie, "sec-fetch-site": "same-origin" },
    body: form,
  });
  return sent.status;
}

/** A proxy that cuts the prefix off each path and hands the rest on as it came. */
const cutting = (prefix: string, port: number): Promise<Server> =>
  listening(
    createServer((req, res) => {
      const { method, headers, url = "" } = req;
      const path = url.slice(prefix.length);
      const onward = forward({ host: "127.0.0.1", port, path, method, headers }, (reply) => {
        res.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(res);
      });
      req.pipe(onward);
    }),
  );

describe("the dashboard", () => {
  test.each(hosts)("is served and takes its forms on $name", async ({ name, start }) => {
    const shop = await createDashboardShop();
    const sizes: number[] = [];
    const dashboard = createDashboard(shop.storefront, {
      path: "/dashboard",
      publicUrl,
      authorize: ({ request, native }) =>
        native !== undefined && request.header("x-user") === "ana" ? everything : null,
      uploads: {
        put({ body }) {
          sizes.push(body.length);
          return { url: "/pictures/cup.png" };
        },
      },
    });
    const server = await start({ ...shop.storefront, ...dashboard }, "/dashboard");
    const path = `/dashboard/${shop.a.id}/test/settings`;
    const base = `http://127.0.0.1:${portOf(server)}${path}`;

    expect((await fetch(base)).status).toBe(401);
    const [shown, sent, location] = await saveSettings(base);
    expect([shown, sent, location?.startsWith(`${path}?done=done_saved.`)]).toEqual([
      200,
      303,
      true,
    ]);
    expect((await shop.owner.stores.retrieve(shop.a.id)).name).toBe("Ação & Café");

    const product = base.replace("settings", `products/${shop.product.id}`);
    // These two hosts read every body of up to 100 KB themselves, and refuse a longer one.
    const isRefused = /raw\(\)$|text\(\)$/.test(name);
    expect(await sendPicture(product, 2 * mebibyte)).toBe(isRefused ? 413 : 303);
    expect(sizes).toEqual(isRefused ? [] : [2 * mebibyte]);
    // A longer body is read no further, whatever reads it. One host of each kind shows it.
    if (readers.has(name)) expect(await sendPicture(product, 17 * mebibyte)).toBe(413);
    await end(server);
  });

  test("works behind a proxy that cuts a prefix, with its forms and its files", async () => {
    const shop = await createDashboardShop();
    await shop.buy({}, {}, { customer: { email: "ana@example.com" } });
    const dashboard = createDashboard(shop.storefront, {
      path: "/dashboard",
      publicPath: "/admin/dashboard",
      publicUrl,
      authorize: () => everything,
    });
    const server = await onExpress(express["Express 5"], (app) => app.use(toExpress(dashboard)));
    const proxy = await cutting("/admin", portOf(server));
    const origin = `http://127.0.0.1:${portOf(proxy)}`;

    const settings = `/admin/dashboard/${shop.a.id}/test/settings`;
    const [shown, sent, location] = await saveSettings(`${origin}${settings}`);
    expect([shown, sent, location?.startsWith(`${settings}?done=`)]).toEqual([200, 303, true]);

    const list = await fetch(`${origin}/admin/dashboard/${shop.a.id}/test/orders?status=paid`);
    const [, link = ""] = /href="([^"]+export\.csv[^"]*)"/.exec(await list.text()) ?? [];
    const file = await fetch(`${origin}${link}`);
    expect([file.status, file.headers.get("content-type")]).toEqual([
      200,
      "text/csv; charset=utf-8; header=present",
    ]);
    expect(await file.text()).toContain("ana@example.com");

    await end(proxy);
    await end(server);
  });

  interface OwnRequest {
    readonly owner?: DashboardAccess;
  }

  test("finds the host's own session on the request of Express and of Fastify", async () => {
    const shop = await createDashboardShop();
    const dashboard = createDashboard<OwnRequest>(shop.storefront, {
      path: "/dashboard",
      publicUrl,
      authorize: ({ native }) => native.owner ?? null,
    });
    const servers = [
      await onExpress(express["Express 5"], (app) => {
        app.use((req, _res, next) => {
          Object.assign(req, { owner: everything });
          next();
        });
        app.use(toExpress(dashboard));
      }),
      await onFastify((app) => {
        app.addHook("onRequest", async (req) => void Object.assign(req, { owner: everything }));
        void app.register(toFastify(dashboard), { prefix: "/dashboard" });
      }),
    ];
    for (const server of servers) {
      const page = await fetch(`http://127.0.0.1:${portOf(server)}/dashboard`);
      expect([page.status, (await page.text()).includes("Store A")]).toEqual([200, true]);
      await end(server);
    }
  });
});
