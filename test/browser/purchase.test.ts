import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/chromium.ts";
import { type Demo, freshFolder, startDemo } from "../support/demo.ts";

let demo: Demo;
let browser: Browser;
beforeAll(async () => {
  demo = await startDemo("--database", join(freshFolder(), "demo.sqlite"));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await demo?.stop();
});

test("a person buys something, pays on the checkout page, and sees it released by the verified webhook", async () => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(demo.origin) && !request.url().startsWith("data:"))
      faults.push(request.url());
  });
  await page.goto(demo.origin);
  await page.getByPlaceholder("Search products").fill("apron");
  await expect.poll(() => page.locator("article").count()).toBe(1);
  await page
    .getByRole("button", { name: /^Add .* to cart$/ })
    .first()
    .click();
  const keys: (string | undefined)[] = [];
  await page.route("**/v1/checkout/sessions?*", (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    // The connection of the first try is lost.
    return keys.length === 1 ? route.abort("connectionreset") : route.continue();
  });
  await page.getByRole("button", { name: /^Cart/ }).click();
  await page.getByRole("button", { name: "Check out" }).click();
  await page.waitForURL(/\/pay\//);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
  await expect.poll(() => page.textContent("body")).toContain("Canvas Apron");
  await expect.poll(() => page.textContent("body")).toMatch(/R\$98\.00/);
  await page.getByLabel("Full name").fill("Ana");
  await page.getByLabel("E-mail").fill("ana@example.com");
  await page.getByLabel("Outcome").selectOption("decline");
  await page.getByRole("button", { name: /^Pay / }).click();
  await expect.poll(() => page.textContent("body")).toContain("declined");
  await page.getByLabel("Outcome").selectOption("succeed");
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.waitForURL(/\/success/);
  await expect.poll(() => page.textContent("#order")).toMatch(/Order \d+paid/);
  await expect.poll(() => page.textContent("#order")).toContain("releases nothing");
  await expect.poll(() => page.textContent("#cart-count")).toBe("0");
  const released = async () => {
    await page.goto(`${demo.origin}/released`);
    return page.textContent("body");
  };
  await expect.poll(released, { interval: 500 }).toContain("Canvas Apron");
  expect(faults).toEqual([]);
});

test("the shop filters, walks pages and prices a coupon through the client, under a strict CSP", async () => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  const response = await page.goto(demo.origin);
  expect(response?.headers()["content-security-policy"]).toMatch(
    /^default-src 'self';(?!.*unsafe)/,
  );
  const cards = page.locator("article");
  await expect.poll(() => cards.count()).toBe(24);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => cards.count()).toBeGreaterThan(24);
  await page.locator("#categories button").nth(1).click();
  await expect.poll(() => cards.count()).toBeLessThan(24);
  await expect.poll(() => page.locator("#categories [aria-pressed=true]").count()).toBe(1);
  await page
    .getByRole("button", { name: /^Add .* to cart$/ })
    .first()
    .click();
  await page.getByRole("button", { name: /^Cart/ }).click();
  await page.getByRole("button", { name: /^One more of/ }).click();
  await page.getByPlaceholder("Coupon").fill("nonsense");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => page.locator("#coupon-answer.bad").count()).toBe(1);
  await page.getByPlaceholder("Coupon").fill(demo.report.coupon_code);
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => page.locator("#coupon-answer.good").count()).toBe(1);
  await expect.poll(() => page.textContent("#sums")).toMatch(/Subtotal.*Discount.*Total/);
  await page.getByRole("button", { name: /^Remove / }).click();
  await expect.poll(() => page.textContent("#cart")).toContain("Your cart is empty");
  expect(faults).toEqual([]);
});

test("the checkout page works without JavaScript", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const response = await fetch(`${demo.report.base_url}/checkout/sessions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${demo.report.keys.test.secret}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    },
    body: JSON.stringify({
      items: [{ product_id: demo.report.products[0]?.id, quantity: 1 }],
      success_url: demo.report.return_urls[0],
      cancel_url: demo.report.return_urls[1],
    }),
  });
  const { data } = await response.json();
  await page.goto(data.checkout_url);
  await page.getByRole("link", { name: /^Back to / }).click();
  await page.waitForURL(/\/cancel/);
  await page.goto(data.checkout_url);
  await page.getByLabel("Full name").fill("Ana");
  await page.getByLabel("E-mail").fill("ana@example.com");
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.waitForURL(/\/success/);
  await context.close();
});
