import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
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
});
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

/** Gives every page that the contents lead to, and the first one. */
async function pathsOf(page: Page): Promise<readonly string[]> {
  await page.goto(`${origin}/v1/docs`);
  const hrefs = await page
    .locator("nav .contents a")
    .evaluateAll((links) =>
      links.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
    );
  return ["/v1/docs", ...hrefs];
}

// The rules of axe but those of colour and size see the same at each width and in each language.
test.each([
  [360, "pt"],
  [1280, "en"],
] as const)(
  "no page has a fault of axe, light and dark, at %i pixels in %s",
  async (width, lang) => {
    const { page, faults } = await open("/v1/docs", width);
    const paths = await pathsOf(page);
    expect(paths.length).toBeGreaterThan(15);
    const found: unknown[] = [];
    for (const path of paths) {
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(`${origin}${path}?lang=${lang}`);
      await page.evaluate(() => {
        for (const box of globalThis.document.querySelectorAll("details")) box.open = true;
      });
      const axe = await axeOn(page);
      const light = await axe();
      await page.emulateMedia({ colorScheme: "dark" });
      const dark = await axe("color-contrast");
      const wide = await page.evaluate(() => globalThis.document.documentElement.scrollWidth);
      if (light.length + dark.length > 0 || wide > width) found.push({ path, light, dark, wide });
    }
    expect(found).toEqual([]);
    expect(faults()).toEqual([]);
    await page.close();
  },
);

test("links of the pages lead to what they name", async () => {
  const { page } = await open("/v1/docs", 1200);
  const ids = new Map<string, readonly string[]>();
  const links = new Set<string>();
  for (const path of await pathsOf(page)) {
    await page.goto(`${origin}${path}`);
    const found = await page.evaluate(() => ({
      hrefs: [...globalThis.document.querySelectorAll("a")].map(({ href }) => href),
      ids: [...globalThis.document.querySelectorAll("[id]")].map(({ id }) => id),
    }));
    ids.set(path, found.ids);
    for (const href of found.hrefs) links.add(href);
  }
  const missing: string[] = [];
  for (const href of links) {
    const url = new URL(href);
    const known = ids.get(url.pathname);
    if (known === undefined) {
      if ((await page.request.get(href)).status() !== 200) missing.push(href);
      continue;
    }
    const id = decodeURIComponent(url.hash.slice(1));
    if (id && known.filter((each) => each === id).length !== 1) missing.push(href);
  }
  expect(missing).toEqual([]);
  expect(links.size).toBeGreaterThan(150);
  await page.close();
});

test.each([
  ["createCheckoutSession", "/v1/docs/checkout", "#createCheckoutSession"],
  ["schema-Order", "/v1/docs/schemas", "#schema-Order"],
  ["order.paid", "/v1/docs/webhooks", "#order.paid"],
  ["first-purchase", "/v1/docs/first-purchase", ""],
  ["Catalog", "/v1/docs/catalog", ""],
])("the old link #%s goes on to the page of its text", async (id, path, hash) => {
  const { page, faults } = await open(`/v1/docs#${id}`, 1280);
  await page.waitForURL(`${origin}${path}${hash}`);
  await expect.poll(() => page.locator("main h1").count()).toBe(1);
  expect(faults()).toEqual([]);
  await page.close();
});

test("has three columns where there is room: contents, text, samples beside it", async () => {
  const { page } = await open("/v1/docs/checkout", 1280);
  const boxes = await Promise.all(
    ["nav", "#createCheckoutSession > div", "#createCheckoutSession .beside"].map((part) =>
      page.locator(part).first().boundingBox(),
    ),
  );
  const [contents, text, beside] = boxes.map((box) => box ?? { x: 0, width: 0 });
  expect((contents?.x ?? 0) + (contents?.width ?? 0)).toBeLessThanOrEqual(text?.x ?? 0);
  expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0);
  await page.setViewportSize({ width: 360, height: 800 });
  const below = await page.locator("#createCheckoutSession .beside").boundingBox();
  const above = await page.locator("#createCheckoutSession > div").first().boundingBox();
  expect(below?.y).toBeGreaterThan((above?.y ?? 0) + 100);
  await page.close();
});

test("the other language shows the same place", async () => {
  const { page, faults } = await open("/v1/docs/checkout#validateCoupon", 1280);
  await page.getByRole("link", { name: "Português" }).click();
  await page.waitForURL(`${origin}/v1/docs/checkout?lang=pt#validateCoupon`);
  const heading = page.locator("#validateCoupon h2");
  await expect.poll(() => heading.textContent()).toBe("Validar um cupom para um carrinho");
  await expect.poll(() => heading.isVisible()).toBe(true);
  await page.getByRole("link", { name: "Pedidos" }).click();
  await page.waitForURL(`${origin}/v1/docs/orders?lang=pt`);
  expect(faults()).toEqual([]);
  await page.close();
});

test.each([360, 1280])("an anchor leads below the header, at %i pixels", async (width) => {
  const { page } = await open("/v1/docs/checkout#createCheckoutSession", width);
  const header = await page.locator("header").first().boundingBox();
  const heading = await page.locator("#createCheckoutSession h2").first().boundingBox();
  expect(heading?.y).toBeGreaterThanOrEqual(header?.height ?? 1e9);
  await page.close();
});

describe("the script", () => {
  test("searches all pages: it shows the places with all the words", async () => {
    const { page, faults } = await open("/v1/docs/orders", 1280);
    const box = page.getByLabel("Search the documents");
    await box.fill("idempotency purchase");
    const places = page.locator("#results li > a");
    await places.first().waitFor();
    await expect.poll(() => places.allTextContents()).toContain("Create a checkout session");
    await expect.poll(() => places.allTextContents()).not.toContain("List categories");
    await expect.poll(() => page.locator("#found").textContent()).toMatch(/^Found in \d+ places$/);
    const counts = new Map<number, string>();
    for (const word of ["event", "webhook", "list categories", "parent_id position", "xyzzy"]) {
      await box.fill(word);
      const count = await places.count();
      counts.set(count, (await page.locator("#found").textContent()) ?? "");
    }
    expect([...counts.keys()]).toEqual(expect.arrayContaining([0, 1]));
    for (const [count, text] of counts)
      expect(text).toBe(
        count === 0 ? "Nothing found" : `Found in ${count} ${count === 1 ? "place" : "places"}`,
      );
    await box.fill("activation_limit_reached");
    await places.first().waitFor();
    await box.press("Enter");
    await page.waitForURL(/\/v1\/docs\/(?!orders)/);
    expect(faults()).toEqual([]);
    await page.close();
  });

  test.each([
    [360, "pt"],
    [1280, "en"],
  ])("shows where the words stand, marked, at %i pixels in %s", async (width, lang) => {
    const { page, faults } = await open(`/v1/docs?lang=${lang}`, width);
    const box = page.locator("#search");
    await box.fill("IDEMPOTÉNCY order");
    const excerpts = page.locator("nav .excerpt");
    await excerpts.first().waitFor();
    for (const mark of await excerpts.locator("mark").allTextContents())
      expect(mark.toLowerCase()).toMatch(/^(idempotency|order)$/);
    for (const text of await excerpts.allTextContents()) expect(text.length).toBeLessThan(200);
    await expect
      .poll(() => page.locator("nav li:visible .excerpt mark").count())
      .toBeGreaterThan(0);
    const found = lang === "pt" ? /^Encontrado em \d+ lugar(es)?$/ : /^Found in \d+ places?$/;
    await expect.poll(() => page.locator("#found").textContent()).toMatch(found);

    const axe = await axeOn(page);
    await page.emulateMedia({ colorScheme: "light" });
    const light = await axe();
    await page.emulateMedia({ colorScheme: "dark" });
    expect({ light, dark: await axe("color-contrast") }).toEqual({ light: [], dark: [] });
    const wide = await page.evaluate(() => globalThis.document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);

    await box.fill("<b>");
    await expect.poll(() => page.locator("nav .excerpt b").count()).toBe(0);
    await box.fill("");
    await expect.poll(() => excerpts.count()).toBe(0);
    await expect
      .poll(() => page.locator("nav .contents li:visible").count())
      .toBe(await page.locator("nav .contents li").count());
    expect(faults()).toEqual([]);
    await page.close();
  });

  test("copies a sample of the language that is chosen", async () => {
    const { page } = await open("/v1/docs/catalog", 1280);
    await page.getByText("Python", { exact: true }).first().click();
    const samples = page.locator("#getStore .sample:visible");
    await expect
      .poll(() => samples.locator("figcaption span").allTextContents())
      .toEqual(["Python", "Answer"]);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await samples.first().getByRole("button", { name: "Copy" }).click();
    await samples.first().getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`"${origin}/v1/store"`);

    await page.goto(`${origin}/v1/docs/orders`);
    const chosen = page.locator("#listOrders .sample:visible figcaption span").first();
    await expect.poll(() => chosen.textContent()).toBe("Python");
    await page.close();
  });

  test("tries calls with a publishable test key, takes no other and stores none", async () => {
    const { page, faults } = await open("/v1/docs/catalog", 1280);
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.url()));
    const box = page.locator("#getProduct .try");
    await box.locator("summary").click();
    const status = box.getByRole("status");
    for (const refused of [secretKey, "hk_live_pub_abc"]) {
      await box.getByLabel("Publishable test key").fill(refused);
      await box.getByRole("button", { name: "Send" }).click();
      await expect.poll(() => status.textContent()).toContain("Only a publishable test key");
    }
    expect(sent).toEqual([]);

    await box.getByLabel("Publishable test key").fill(key);
    await box.getByRole("button", { name: "Send" }).click();
    await box.getByText("Answered with 200").waitFor();
    await expect.poll(() => box.locator(".try-answer").textContent()).toContain("Espresso beans");

    const categories = page.locator("#listCategories .try");
    await categories.locator("summary").click();
    await expect.poll(() => categories.getByLabel("Publishable test key").inputValue()).toBe(key);
    await categories.getByRole("button", { name: "Send" }).click();
    await categories.getByText("Answered with 200").waitFor();

    await page.goto(`${origin}/v1/docs/checkout`);
    const coupons = page.locator("#validateCoupon .try");
    await coupons.locator("summary").click();
    await expect.poll(() => coupons.getByLabel("Publishable test key").inputValue()).toBe("");
    await coupons.getByLabel("Publishable test key").fill(key);
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
  await page.goto(`${origin}/v1/docs#createCheckoutSession`);
  // An old link leads to its entry, which links the text.
  const entry = page.locator("#createCheckoutSession");
  await expect.poll(() => entry.isVisible()).toBe(true);
  await entry.getByRole("link").click();
  await expect.poll(() => page.locator("#createCheckoutSession h2").isVisible()).toBe(true);
  for (const hidden of [".search", ".copy", ".try"])
    await expect.poll(() => page.locator(`${hidden}:visible`).count(), { message: hidden }).toBe(0);
  await page.getByRole("link", { name: "Quick start" }).click();
  await expect
    .poll(() => page.getByRole("heading", { name: "Quick start" }).isVisible())
    .toBe(true);
  await context.close();
});
