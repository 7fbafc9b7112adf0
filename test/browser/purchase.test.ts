import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../support/chromium.ts";
import { type Demo, freshFolder, startDemo } from "../support/demo.ts";

let demo: Demo;
let browser: Browser;
beforeAll(async () => {
  demo = await startDemo("--database", join(freshFolder(), "demo.sqlite"));
  browser = await openBrowser();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await demo?.stop();
});

test("a person buys something, pays on the sandbox page, and sees it released by the verified webhook", async () => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(demo.origin) && !request.url().startsWith("data:")) faults.push(request.url());
  });
  await page.goto(demo.origin);
  await page.getByPlaceholder("Search products").fill("apron");
  await expect.poll(() => page.locator("article").count()).toBe(1);
  await page.getByRole("button", { name: "Add to cart" }).first().click();
  await page.locator("#pay").click();
  await page.waitForURL(/\/pay\//);
  expect(await page.textContent("body")).toContain("Canvas Apron");
  expect(await page.textContent("body")).toContain("BRL 98.00");
  await page.getByRole("button", { name: "Decline" }).click();
  await expect.poll(() => page.textContent("body")).toContain("declined");
  await page.getByLabel("Name").fill("Ana");
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.waitForURL(/\/success/);
  expect(await page.textContent("body")).toContain("releases nothing");
  const released = async () => {
    await page.goto(`${demo.origin}/released`);
    return page.textContent("body");
  };
  await expect.poll(released, { timeout: 20_000, interval: 500 }).toContain("Canvas Apron");
  expect(faults).toEqual([]);
});

test("the sandbox page works without JavaScript", async () => {
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
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.waitForURL(/\/cancel/);
  await page.goto(data.checkout_url);
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.waitForURL(/\/success/);
  await context.close();
});
