import type { Page } from "playwright-core";
import { axeOn } from "./axe.ts";

/**
 * What axe finds on a page in both schemes at both widths, and what is wider than the
 * window. The scheme changes nothing but colours, so the dark one is judged by them.
 * Null: the page that is open.
 */
export async function faultsOf(page: Page, each: string | null): Promise<readonly unknown[]> {
  const wrong: unknown[] = [];
  await page.emulateMedia({ colorScheme: "light" });
  if (each !== null) await page.goto(each);
  const axe = await axeOn(page);

  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide !== width) wrong.push([each, "is as wide as", wide]);

    await page.emulateMedia({ colorScheme: "light" });
    const light = await axe();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await axe("color-contrast");
    if (light.length + dark.length > 0) wrong.push([each, width, light, dark]);
  }
  return wrong;
}

/** What Chromium says of an answer of 404, 409 or 422, which tests ask for on purpose. */
export const refusals = /the server responded with a status of 4/;

/** Keeps what the browser complains of on a page: errors and breaches of the policy. */
export function keepFaults(page: Page, faults: string[], unless?: RegExp): void {
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !unless?.test(text)) faults.push(text);
  });
}
