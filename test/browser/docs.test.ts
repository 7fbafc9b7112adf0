import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStorefront, memoryStorage, sandboxGateway } from "vitrine";
import { toNode } from "vitrine/node";
import { axeOn } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";

let browser: Browser;
let origin: string;
let key: string;
let secretKey: string;
const server = createServer();
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const storefront = createStorefront({
    storage: memoryStorage(),
    publicUrl: origin,
    checkout: { baseUrl: "https://pay.example.com" },
    gateways: [sandboxGateway()],
  });
  server.on("request", toNode(storefront));

  const { owner } = storefront;
  const store = await owner.stores.create({ name: "Armazém", currency: "BRL" });
  const store_id = store.id;
  await owner.stores.update(store_id, { headless_enabled: true, localhost_origins: true });
  const made = await owner.keys.create({ store_id, livemode: false, kind: "publishable" });
  key = made.key;
  secretKey = (await owner.keys.create({ store_id, livemode: false, kind: "secret" })).key;
  await owner.products.create(store_id, {
    slug: "espresso-beans",
    name: "Espresso beans",
    price: 3450,
    currency: "BRL",
  });
  browser = await launchChromium();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  server.close();
  server.closeAllConnections();
});

/** Opens a page and notes what it loads from elsewhere and what the browser complains of. */
async function open(path: string, width: number) {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => faults.push(message.text()));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) faults.push(request.url());
  });
  await page.goto(`${origin}${path}`);
  return { page, faults: () => faults.filter((fault) => !/favicon|404/.test(fault)) };
}

const pages = ["/v1/docs", "/v1/docs/errors"];

describe.each(pages)("%s", (path) => {
  test.each([360, 1280])("has no fault of axe, light and dark, at %i pixels", async (width) => {
    const { page, faults } = await open(path, width);
    await page.evaluate(() => {
      for (const box of globalThis.document.querySelectorAll("details")) box.open = true;
    });
    const axe = await axeOn(page);
    await page.emulateMedia({ colorScheme: "light" });
    const light = await axe();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await axe("color-contrast");
    expect({ light, dark }).toEqual({ light: [], dark: [] });

    const wide = await page.evaluate(() => globalThis.document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);
    expect(faults()).toEqual([]);
    await page.close();
  });
});

test("links of the pages lead to what they name", async () => {
  const { page } = await open("/v1/docs", 1200);
  const { page: errors } = await open("/v1/docs/errors", 1200);
  const pages = ["/v1/docs", "/v1/docs/errors"];
  const missing: string[] = [];
  for (const source of [page, errors]) {
    const hrefs = await source
      .locator("a")
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const href of new Set(hrefs)) {
      const url = new URL(href);
      if (!pages.includes(url.pathname)) {
        const answer = await source.request.get(href);
        if (answer.status() !== 200) missing.push(href);
        continue;
      }
      const target = url.pathname === "/v1/docs" ? page : errors;
      const id = decodeURIComponent(url.hash.slice(1));
      if (id && (await target.locator(`[id="${id}"]`).count()) !== 1) missing.push(href);
    }
  }
  expect(missing).toEqual([]);
  await page.close();
  await errors.close();
});

test.each([360, 1280])("an anchor leads below the header, at %i pixels", async (width) => {
  const { page } = await open("/v1/docs#createCheckoutSession", width);
  const header = await page.locator("header").first().boundingBox();
  const heading = await page.locator("#createCheckoutSession h3").first().boundingBox();
  expect(heading?.y).toBeGreaterThanOrEqual(header?.height ?? 1e9);
  await page.close();
});

describe("the script", () => {
  test("searches the whole page: the contents keep the places with all the words", async () => {
    const { page, faults } = await open("/v1/docs", 1280);
    await page.getByLabel("Search this page").fill("idempotency purchase");
    const places = page.locator("nav li:visible > a");
    expect(await places.allTextContents()).toContain("Create a checkout session");
    expect(await places.allTextContents()).not.toContain("List categories");
    expect(await page.locator("#found").textContent()).toMatch(/^Found in \d+ places$/);
    const counts = new Map<number, string>();
    for (const word of [
      "event",
      "webhook",
      "revoke an api key",
      "list categories slug parent",
      "parent_id position",
    ]) {
      await page.getByLabel("Search this page").fill(word);
      const count = await page.locator("nav li:visible").count();
      counts.set(count, (await page.locator("#found").textContent()) ?? "");
    }
    expect([...counts.keys()]).toContain(1);
    for (const [count, text] of counts)
      expect(text).toBe(
        count === 0 ? "Nothing found" : `Found in ${count} ${count === 1 ? "place" : "places"}`,
      );
    await page.getByLabel("Search this page").fill("xyzzy");
    expect(await page.locator("nav li:visible").count()).toBe(0);
    expect(faults()).toEqual([]);
    await page.close();
  });

  test.each([360, 1280])("shows where the words stand, marked, at %i pixels", async (width) => {
    const { page, faults } = await open("/v1/docs", width);
    const box = page.getByLabel("Search this page");
    await box.fill("IDEMPOTÉNCY purchase");
    const excerpts = page.locator("nav .excerpt");
    expect(await excerpts.count()).toBeGreaterThan(0);
    for (const mark of await excerpts.locator("mark").allTextContents())
      expect(mark.toLowerCase()).toMatch(/^(idempotency|purchase)$/);
    for (const text of await excerpts.allTextContents()) expect(text.length).toBeLessThan(200);
    expect(await page.locator("nav li:visible .excerpt mark").count()).toBeGreaterThan(0);

    const axe = await axeOn(page);
    await page.emulateMedia({ colorScheme: "light" });
    const light = await axe();
    await page.emulateMedia({ colorScheme: "dark" });
    expect({ light, dark: await axe("color-contrast") }).toEqual({ light: [], dark: [] });
    const wide = await page.evaluate(() => globalThis.document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);

    await box.fill("<b>");
    expect(await page.locator("nav .excerpt b").count()).toBe(0);
    await box.fill("");
    expect(await excerpts.count()).toBe(0);
    expect(await page.locator("nav li:visible").count()).toBe(await page.locator("nav li").count());
    expect(faults()).toEqual([]);
    await page.close();
  });

  test("copies a sample of the language that is chosen", async () => {
    const { page } = await open("/v1/docs", 1280);
    await page.getByText("Python", { exact: true }).first().click();
    const samples = page.locator("#getStore .sample:visible");
    expect(await samples.locator("figcaption span").allTextContents()).toEqual([
      "Python",
      "Answer",
    ]);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await samples.first().getByRole("button", { name: "Copy" }).click();
    await samples.first().getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`"${origin}/v1/store"`);
    await page.close();
  });

  test("tries calls with a publishable test key, takes no other and stores none", async () => {
    const { page, faults } = await open("/v1/docs", 1280);
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.url()));
    const box = page.locator("#getProduct .try");
    await box.locator("summary").click();
    const status = box.getByRole("status");
    for (const refused of [secretKey, "hk_live_pub_abc"]) {
      await box.getByLabel("Publishable test key").fill(refused);
      await box.getByRole("button", { name: "Send" }).click();
      expect(await status.textContent()).toContain("Only a publishable test key");
    }
    expect(sent).toEqual([]);

    await box.getByLabel("Publishable test key").fill(key);
    await box.getByRole("button", { name: "Send" }).click();
    await box.getByText("Answered with 200").waitFor();
    expect(await box.locator(".try-answer").textContent()).toContain("Espresso beans");

    const coupons = page.locator("#validateCoupon .try");
    await coupons.locator("summary").click();
    expect(await coupons.getByLabel("Publishable test key").inputValue()).toBe(key);
    await coupons.getByRole("button", { name: "Send" }).click();
    await coupons.getByText("Answered with 200").waitFor();

    const stored = await page.evaluate(() => [localStorage.length, sessionStorage.length]);
    expect(stored).toEqual([0, 0]);
    expect(await page.context().cookies()).toEqual([]);
    expect(faults()).toEqual([]);
    await page.close();
  });
});

test("without JavaScript everything is there but the search, the copying and the trying", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${origin}/v1/docs`);
  expect(await page.getByRole("heading", { name: "Quick start" }).isVisible()).toBe(true);
  for (const hidden of [".search", ".copy", ".try"])
    expect(await page.locator(`${hidden}:visible`).count(), hidden).toBe(0);
  await context.close();
});
