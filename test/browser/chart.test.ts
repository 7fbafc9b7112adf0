import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toNode } from "vitrine/node";
import { violations } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { createDashboardShop, type DashboardShop, everything } from "../support/dashboard-shop.ts";
import { freePort } from "../support/free-port.ts";

const dayMs = 86_400_000;

let browser: Browser;
let shop: DashboardShop;
let server: Server;
let overview: string;

beforeAll(async () => {
  browser = await launchChromium();
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  shop = await createDashboardShop({ options: { authorize: () => everything, publicUrl } });
  server = createServer(toNode(shop.dashboard)).listen(port, "127.0.0.1");
  await once(server, "listening");
  overview = `${publicUrl}/dashboard/${shop.a.id}/test`;

  await shop.buy();
  shop.advance(31 * dayMs);
  for (let day = 0; day < 12; day += 1) {
    await shop.buy({ items: [{ product_id: shop.product.id, quantity: day + 1 }] });
    shop.advance(dayMs);
  }
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

async function open(query: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${overview}${query}`);
  return page;
}

/** Gives the texts of points that the reader sees. */
const shown = (page: Page): Promise<readonly string[]> =>
  page.$$eval(".tip", (tips) =>
    tips.filter((tip) => getComputedStyle(tip).opacity === "1").map((tip) => tip.textContent ?? ""),
  );
const daysShown = (page: Page): Promise<number> =>
  page.$$eval(".days span", (days) => days.filter((day) => day.getClientRects().length > 0).length);

describe("the chart of the overview", () => {
  test("answers to a finger, also without a script", async () => {
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
    const page = await open("?days=7", { ...phone, javaScriptEnabled: false });
    expect(await shown(page)).toEqual([]);
    const points = page.locator(".points");
    const box = await points.boundingBox();
    if (!box) throw new Error("The chart has no points.");
    const tap = (part: number) =>
      points.tap({ position: { x: box.width * part, y: box.height / 2 } });

    await tap(0.5);
    const [middle, ...others] = await shown(page);
    expect(others).toEqual([]);
    expect(middle).toMatch(/^\w+ \d+: R\$\d+\.00; 7 days before: R\$/);
    await tap(0.99);
    const [last] = await shown(page);
    expect(last).not.toBe(middle);
    await page.context().close();
  });

  test("answers to the arrows of a keyboard, with one stop of Tab", async () => {
    const page = await open("");
    await page.locator(".points input").first().focus();
    const first = await shown(page);
    expect(first).toHaveLength(1);
    await page.keyboard.press("ArrowRight");
    const second = await shown(page);
    expect(second).toHaveLength(1);
    expect(second).not.toEqual(first);

    const active = () => page.evaluate(() => document.activeElement?.closest(".points") !== null);
    expect(await active()).toBe(true);
    await page.keyboard.press("Tab");
    expect(await active()).toBe(false);
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  test("shows the day that a mouse points at in place of the chosen one", async () => {
    const page = await open("");
    await page.locator(".points label").nth(3).click();
    await page.locator(".points label").nth(20).hover();
    const texts = await shown(page);
    expect(texts).toEqual([await page.locator(".tip").nth(20).textContent()]);
    await page.context().close();
  });

  test.each([
    ["", 1280, 5],
    ["", 360, 3],
    ["?days=7", 360, 3],
    ["?days=90", 1280, 5],
  ])("names more than two days on its axis, and fits: %s at %i px", async (query, width, days) => {
    const page = await open(query, { viewport: { width, height: 800 } });
    expect(await daysShown(page)).toBe(days);
    const isWide = await page.evaluate(() => document.body.scrollWidth > innerWidth);
    expect(isWide).toBe(false);
    await page.context().close();
  });
});

test("a change is not shown on a tiny base, and a rate changes in points", async () => {
  const tiny = await open("");
  await expect.poll(() => tiny.locator(".stats .badge").allTextContents()).toEqual([]);
  await tiny.context().close();

  for (let count = 0; count < 12; count += 1) {
    await shop.session();
    shop.advance(60_000);
  }
  shop.advance(30 * dayMs);
  for (let count = 0; count < 12; count += 1) {
    await shop.buy();
    shop.advance(60_000);
  }
  const page = await open("");
  const changes = await page.locator(".stats .badge").allTextContents();
  expect(changes.some((text) => /%$/.test(text.trim()))).toBe(true);
  const conversion = page.locator(".stats section", { hasText: "Conversion" }).locator(".badge");
  await expect.poll(() => conversion.textContent()).toMatch(/^\+\d+ points$/);
  await page.context().close();
});
