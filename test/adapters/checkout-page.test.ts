import type { Server } from "node:http";
import { afterAll, expect, test } from "vitest";
import { openCheckoutShop } from "../support/checkout-shop.ts";
import { buyer } from "../support/checkout-visit.ts";
import { hosts, portOf } from "../support/hosts.ts";

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

test.each(hosts)("$name serves the checkout page, its files and its forms", async (host) => {
  const shop = await openCheckoutShop();
  const server = await host.start(shop.storefront.checkoutPage, "/pay");
  servers.push(server);
  const base = `http://127.0.0.1:${portOf(server)}`;
  const path = new URL((await shop.session()).url).pathname;

  const page = await fetch(base + path);
  const html = await page.text();
  expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(html).toContain("Avental de lona");
  const [, style = ""] = /href="([^"]+\.css)"/.exec(html) ?? [];
  const sheet = await fetch(base + style);
  expect([sheet.status, sheet.headers.get("content-type")]).toEqual([
    200,
    "text/css; charset=utf-8",
  ]);

  const fields = { action: "pay", ...buyer, payment_method_id: shop.methods.pix.id };
  const send = (body: URLSearchParams) =>
    fetch(base + path, {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin" },
      body,
      redirect: "manual",
    });
  const sent = await send(new URLSearchParams(fields));
  expect([sent.status, sent.headers.get("location")]).toEqual([303, path]);
  expect(await (await fetch(base + path)).text()).toContain('<svg class="qr"');

  const none = await fetch(`${base}/pay/none`);
  expect([none.status, await none.text()]).toEqual([404, expect.stringContaining("no such")]);
});
