import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violations } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { type Demo, startDemo } from "../support/demo.ts";

const maxBytes = 60_000;

let demo: Demo;
let browser: Browser;
beforeAll(async () => {
  demo = await startDemo("--storage", "memory");
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await demo?.stop();
});

const addFirst = (page: Page): Promise<void> =>
  page
    .getByRole("button", { name: /^Add .* to cart$/ })
    .first()
    .click();

test("the shop is at most 60 KB without its pictures, and nothing on it moves", async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  let bytes = 0;
  page.on("response", async (response) => {
    if (!response.url().includes("/images/")) bytes += (await response.body()).byteLength;
  });
  const moved = () => page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts);

  await page.goto(demo.origin);
  await expect.poll(() => page.locator("article").count()).toBe(24);
  await page.waitForLoadState("networkidle");
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  expect(bytes).toBeGreaterThan(10_000);
  expect(await moved()).toEqual([]);

  await page.locator("article h2 a").first().click();
  await page.waitForURL(/\/products\//);
  await page.waitForLoadState("networkidle");
  expect(await moved()).toEqual([]);
  await page.close();
});

test("the search field offers names while a buyer types, and takes them back", async () => {
  const page = await browser.newPage();
  await page.goto(demo.origin);
  const offered = () => page.locator("#suggestions option").evaluateAll(namesOf);

  await page.getByPlaceholder("Search products").fill("spo");
  await expect.poll(offered).not.toEqual([]);
  for (const name of await offered()) expect(name.toLowerCase()).toMatch(/(^| )spo/);
  await page.getByPlaceholder("Search products").fill("");
  await expect.poll(offered).toEqual([]);
  await page.close();
});

test("a typing error in the search is forgiven, and the page says what it shows instead", async () => {
  const page = await browser.newPage();
  await page.goto(demo.origin);
  await page.getByPlaceholder("Search products").fill("skilet");
  await page.getByText(/Nothing found for these words. Here is “skillet”: \d+ product/).waitFor();
  await page.close();
});

test("the shop counts what each category has of a search, and tells the prices", async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  await page.goto(`${demo.origin}/?search=skilet&category=books`);
  await page.getByText("Nothing found. Try another word, or all categories.").waitFor();
  await expect.poll(() => page.getByRole("button", { name: /^Kitchen ?1$/ }).count()).toBe(1);
  await page.getByRole("button", { name: /^Kitchen/ }).click();
  await page.getByText(/Here is “skillet”: 1 product$/).waitFor();
  await page.getByRole("button", { name: "All" }).click();
  await page.getByPlaceholder("Search products").fill("");
  await page.getByText(/^\d+ products, \D*[\d.]+ to \D*[\d.]+$/).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.close();
});

test("a group is one card with its lowest price, and its page links to each variant, also without a script", async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  await page.goto(`${demo.origin}/?search=serra`);
  await expect.poll(() => page.locator("article").count()).toBe(1);
  await expect.poll(() => page.locator("article .price").textContent()).toMatch(/^from /);
  await page.getByRole("link", { name: /^Choose ?: Serra Dark Roast/ }).click();
  await page.waitForURL(/serra-dark-roast-250-g/);
  await page.getByRole("button", { name: /^Add .* to cart$/ }).waitFor();
  await page.getByRole("link", { name: /^1 kg/ }).press("Enter");
  await page.waitForURL(/serra-dark-roast-1-kg/);
  await expect.poll(() => page.textContent(".price")).toMatch(/145.86/);
  expect(await violations(page)).toEqual([]);
  await page.close();

  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`${demo.origin}/products/serra-dark-roast-250-g`);
  await plain.getByRole("link", { name: /^1 kg/ }).click();
  await expect.poll(() => plain.textContent("h1")).toBe("Serra Dark Roast");
  await expect.poll(() => plain.textContent(".price")).toMatch(/145.86/);
  await expect.poll(() => plain.textContent("[aria-current=true]")).toMatch(/^1 kg/);
  await context.close();
});

const namesOf = (options: Element[]): string[] =>
  options.map((option) => option.getAttribute("value") ?? "");

test("the browser's back button restores search and category", async () => {
  const page = await browser.newPage();
  await page.goto(demo.origin);
  await page.getByRole("button", { name: "Kitchen" }).click();
  await page.getByPlaceholder("Search products").fill("spoon");
  await expect.poll(() => page.locator("article").count()).toBe(1);
  await page.getByRole("link", { name: "Olive Wood Spoon" }).click();
  await page.waitForURL(/\/products\/olive-wood-spoon/);
  await expect.poll(() => page.textContent("h1")).toBe("Olive Wood Spoon");

  await page.goBack();
  await expect.poll(() => page.locator("article").count()).toBe(1);
  await expect.poll(() => page.getByPlaceholder("Search products").inputValue()).toBe("spoon");
  await expect.poll(() => page.textContent("[aria-pressed=true] span")).toBe("Kitchen");

  await page.goBack();
  await expect.poll(() => page.locator("article").count()).toBe(11);
  await expect.poll(() => page.getByPlaceholder("Search products").inputValue()).toBe("");
  await page.goBack();
  await expect.poll(() => page.textContent("[aria-pressed=true]")).toBe("All");
  await page.close();
});

test("the products are sorted by price, and the address keeps it", async () => {
  const page = await browser.newPage();
  const prices = async () =>
    (await page.locator("article .price").allTextContents()).map((text) =>
      Number((/[\d.,]+/.exec(text) ?? [""])[0].replace(/[^\d]/g, "")),
    );
  await page.goto(demo.origin);
  await page.getByLabel("Sort by").selectOption("-price");
  await page.waitForURL(/sort=-price/);
  await page.reload();
  await expect.poll(() => page.getByLabel("Sort by").inputValue()).toBe("-price");
  await expect.poll(async () => (await prices()).length).toBeGreaterThan(20);
  const dearest = await prices();
  expect(dearest).toEqual([...dearest].sort((a, b) => b - a));
  expect(dearest[0]).toBeGreaterThan(dearest.at(-1) ?? 0);
  await page.setViewportSize({ width: 360, height: 800 });
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(360);
  await page.close();
});

test("a buyer reads of a lost connection in plain words, and tries again", async () => {
  const page = await browser.newPage();
  let isLost = true;
  await page.route("**/v1/products?*", (route) =>
    isLost ? route.abort("connectionreset") : route.continue(),
  );
  await page.goto(demo.origin);
  await expect.poll(() => page.textContent("#problem")).toContain("The shop cannot be reached");
  isLost = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => page.locator("article").count()).toBe(24);
  await expect.poll(() => page.locator("#problem").isVisible()).toBe(false);
  await page.close();
});

test("no page of the demo has an accessibility fault, in either scheme, at 360 and 1280 pixels", async () => {
  const page = await browser.newPage();
  const wrong: unknown[] = [];
  for (const path of ["/", "/products/enamel-drip-kettle", "/released", "/success", "/cancel"])
    for (const [width, colorScheme] of [
      [360, "light"],
      [1280, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${demo.origin}${path}`);
      await page.waitForLoadState("networkidle");
      if (path === "/") {
        await addFirst(page);
        await page.getByRole("button", { name: /^Cart/ }).click();
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > width) wrong.push([path, "is as wide as", wide]);
      wrong.push(...(await violations(page)).map((fault) => [path, width, fault]));
      if (path !== "/") continue;

      await page.getByRole("button", { name: "Close" }).click();
      wrong.push(...(await violations(page)).map((fault) => [path, width, fault]));
    }
  expect(wrong).toEqual([]);
  await page.close();
});

test("in Portuguese and without JavaScript a product is found, bought and its order shown", async () => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    locale: "pt-BR",
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await page.goto(demo.origin);
  await page.waitForURL(/\/plain$/);
  await expect.poll(() => page.locator("article").count()).toBe(24);
  await expect
    .poll(() => page.locator("article .price").first().innerText())
    .toMatch(/^(a partir de )?R\$\s/);
  await page.getByRole("link", { name: "Kitchen" }).click();
  await page.waitForURL(/\/plain\?category=kitchen$/);
  await page.getByRole("link", { name: "Todas" }).click();
  await page.getByRole("link", { name: "Mostrar mais" }).click();
  await page.waitForURL(/starting_after=/);
  await page.getByRole("searchbox", { name: "Buscar produtos" }).fill("spoon");
  await page.getByRole("button", { name: "Buscar" }).click();
  await page.getByRole("link", { name: "Olive Wood Spoon" }).click();
  await page.getByRole("button", { name: "Comprar agora" }).click();
  await page.waitForURL(/\/pay\//);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  await page.getByLabel("E-mail").fill("ana@example.com");
  await page.getByLabel("Nome completo").fill("Ana Souza");
  await page.getByLabel("Card (sandbox)").check();
  await page.getByRole("button", { name: /^Pagar/ }).click();
  await page.waitForURL(/\/success\?session=/);
  await page.getByRole("heading", { name: "Obrigado, seu pedido está pago" }).waitFor();
  await expect
    .poll(() => page.locator(".card .lines").innerText())
    .toContain("1 × Olive Wood Spoon");
  await context.close();
});

test("the shop speaks Portuguese to who prefers it, its script too", async () => {
  const page = await browser.newPage({ locale: "pt-BR", viewport: { width: 360, height: 740 } });
  await page.goto(demo.origin);
  await page.getByText(/^\d+ produtos, R\$/).waitFor();
  await page
    .getByRole("button", { name: /^Pôr .* no carrinho$/ })
    .first()
    .click();
  await page.getByRole("button", { name: /^Carrinho/ }).click();
  await page.getByRole("button", { name: "Finalizar a compra" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.close();
});
