import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStorefront, memoryStorage } from "vitrine";
import { toNode } from "vitrine/node";

let browser: Browser;
let origin: string;
const storefront = createStorefront({
  storage: memoryStorage(),
  publicUrl: "https://api.example.com",
  checkout: { baseUrl: "https://pay.example.com" },
});
const server = createServer(toNode(storefront));
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  server.close();
  server.closeAllConnections();
});

async function open(path: string, width: number) {
  const page = await browser.newPage({ viewport: { width, height: 740 } });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => faults.push(message.text()));
  page.on("request", (request) => {
    if (
      request.url().split("#")[0] !== `${origin}${path}` &&
      !request.url().endsWith("/favicon.ico")
    )
      faults.push(request.url());
  });
  await page.goto(`${origin}${path}`);
  return { page, faults };
}

test.each(["/v1/docs", "/v1/docs/errors"])(
  "%s reads on a phone: nothing sideways, no request, no complaint of the policy",
  async (path) => {
    const { page, faults } = await open(path, 360);
    for (const summary of await page.locator("summary").all()) await summary.click();
    const { wide, color } = await page.evaluate(() => ({
      wide: globalThis.document.documentElement.scrollWidth,
      color: getComputedStyle(globalThis.document.body).maxWidth,
    }));
    expect(wide).toBeLessThanOrEqual(360);
    expect(color).toBe("832px"); // the one style is applied under its hash
    expect(faults.filter((fault) => !/favicon|404/.test(fault))).toEqual([]);
    await page.close();
  },
);

test("links of the reference lead to what they name", async () => {
  const { page } = await open("/v1/docs", 1200);
  const hrefs = await page
    .locator("a")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  const { page: errors } = await open("/v1/docs/errors", 1200);
  for (const href of new Set(hrefs)) {
    const url = new URL(href);
    const target = url.pathname === "/v1/docs" ? page : errors;
    expect(["/v1/docs", "/v1/docs/errors", "/v1/openapi.json"]).toContain(url.pathname);
    if (url.hash)
      expect(
        await target.locator(`[id="${decodeURIComponent(url.hash.slice(1))}"]`).count(),
        href,
      ).toBe(1);
  }
});
