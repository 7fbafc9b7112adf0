import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/chromium.ts";
import { type Demo, startDemo } from "../support/demo.ts";
import { checkOutFirstProduct } from "../support/demo-cart.ts";

let demo: Demo;
let browser: Browser;
beforeAll(async () => {
  demo = await startDemo("--storage", "memory", "--gateway", "pix");
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await demo?.stop();
});

test("a person sees the Pix code of the fake bank, pays it there, and the page says so", async () => {
  const page = await browser.newPage();
  await checkOutFirstProduct(page, demo.origin);

  await page.getByLabel("Full name").fill("Ana");
  await page.getByLabel("E-mail").fill("ana@example.com");
  await page.getByLabel("Pix (fake bank").check();
  await page.getByRole("button", { name: /^Pay / }).click();
  await expect.poll(() => page.content()).toContain("br.gov.bcb.pix");

  const bank = await browser.newPage();
  await bank.goto(`${demo.origin}/bank`);
  await bank.getByRole("button", { name: /^Pay R\$/ }).click();

  // The demo has released one order of each of its two stores at its start.
  const released = async () => {
    await bank.goto(`${demo.origin}/released`);
    return bank.locator("#released li").count();
  };
  await expect.poll(released, { interval: 500 }).toBe(3);
  await expect
    .poll(() => page.textContent("body"), { interval: 500 })
    .toMatch(/Payment received|Thank you/);
  expect(demo.stderr()).not.toContain("Error");
});
