import type { Page } from "playwright-core";

/** Puts the first product of the demo's shop into the cart, and goes on to its checkout page. */
export async function checkOutFirstProduct(page: Page, origin: string): Promise<void> {
  await page.goto(origin);
  await page
    .getByRole("button", { name: /^Add .* to cart$/ })
    .first()
    .click();
  await page.getByRole("button", { name: /^Cart/ }).click();
  await page.getByRole("button", { name: "Check out" }).click();
  await page.waitForURL(/\/pay\//);
}
