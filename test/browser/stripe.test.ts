import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/chromium.ts";
import { type Demo, startDemo } from "../support/demo.ts";
import { checkOutFirstProduct } from "../support/demo-cart.ts";

let demo: Demo;
let browser: Browser;
beforeAll(async () => {
  demo = await startDemo("--storage", "memory", "--gateway", "stripe");
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await demo?.stop();
});

test("a person pays by card on the page itself, and passes 3-D Secure at the second try", async () => {
  const page = await browser.newPage();
  await checkOutFirstProduct(page, demo.origin);

  await page.getByLabel("Full name").fill("Ana");
  await page.getByLabel("E-mail").fill("ana@example.com");
  await page.getByLabel("Card (fake of Stripe)").check();
  await page.getByRole("button", { name: /^Pay / }).click();
  const pay = page.locator("#element-pay");
  await pay.waitFor();
  await page.frameLocator("#element iframe").locator("#card").fill("4000 0025 0000 3155");
  await pay.click();
  const bank = page.frameLocator("dialog iframe");
  await bank.getByRole("button", { name: "Fail authentication" }).click();
  await expect.poll(() => page.textContent("#element-problem")).toContain("Your bank asked you");

  await pay.click();
  await bank.getByRole("button", { name: "Complete authentication" }).click();
  await page.waitForURL(/\/success/);

  // The demo has released one order of each of its two stores at its start.
  const released = async () => {
    await page.goto(`${demo.origin}/released`);
    return page.locator("#released li").count();
  };
  await expect.poll(released, { interval: 500 }).toBe(3);
  expect(demo.stderr()).not.toContain("Error");
  await page.close();
});

test("without JavaScript the same card is paid on the page of the fake", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${demo.origin}/plain?search=spoon`);
  await page.getByRole("link", { name: "Olive Wood Spoon" }).click();
  await page.getByRole("button", { name: "Buy now" }).click();
  await page.getByLabel("Full name").fill("Ana");
  await page.getByLabel("E-mail").fill("ana@example.com");
  await page.getByLabel("Card (fake of Stripe)").check();
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.waitForURL(/\/stripe\/pay\/cs_test_/);
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByRole("button", { name: "Fail authentication" }).click();
  await page.getByText("declined").waitFor();
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByRole("button", { name: "Complete authentication" }).click();
  await page.waitForURL(/\/success/);
  await context.close();
});
