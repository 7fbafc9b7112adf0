// Draws the demo's shop and ten screens of its dashboard for a person to judge. They are the
// pictures of docs/dashboard.md and of the README.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { launchChromium } from "../support/chromium.ts";
import { startDemo } from "../support/demo.ts";

interface Picture {
  readonly name: string;
  /** Below `/dashboard/{store}/test`. */
  readonly path: string;
  readonly colorScheme?: "light" | "dark";
  readonly isNarrow?: boolean;
  /** Goes on from the page of `path` to what is drawn. */
  readonly open?: (page: Page) => Promise<void>;
}

const firstRow = async (page: Page): Promise<void> => {
  await page.locator("td a").first().click();
  await page.waitForLoadState();
};

const pictures: readonly Picture[] = [
  { name: "overview", path: "" },
  { name: "overview-dark", path: "?days=90", colorScheme: "dark" },
  { name: "overview-phone", path: "", isNarrow: true },
  { name: "orders", path: "/orders" },
  { name: "order", path: "/orders?status=refunded", open: firstRow },
  { name: "customers-phone", path: "/customers", isNarrow: true },
  { name: "product-dark", path: "/products", open: firstRow, colorScheme: "dark" },
  { name: "delivery", path: "/deliveries", open: firstRow },
  { name: "requests-dark", path: "/requests", colorScheme: "dark" },
  {
    name: "audit-phone",
    path: "/settings",
    isNarrow: true,
    async open(page) {
      await page.getByLabel("Description").fill("Coffee, paper and plants.");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").waitFor();
      await page.goto(page.url().replace(/\/settings.*/, "/audit"));
    },
  },
];

const only = process.argv.slice(2);
const folder = join(resolve(import.meta.dirname, "../.."), "docs/images");
mkdirSync(folder, { recursive: true });

const demo = await startDemo("--storage", "memory", "--history", "on");
const browser = await launchChromium();
const context = await browser.newContext({ locale: "en-US", reducedMotion: "reduce" });
const page = await context.newPage();
await page.goto(`${demo.origin}/dashboard`);
await page.getByRole("button", { name: "Sign in" }).click();

for (const { name, path, colorScheme = "light", isNarrow = false, open } of pictures) {
  if (only.length > 0 && !only.includes(name)) continue;
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(isNarrow ? { width: 360, height: 760 } : { width: 1280, height: 800 });
  await page.goto(`${demo.origin}/dashboard/${demo.report.store_id}/test${path}`);
  await open?.(page);
  await page.waitForLoadState("networkidle");
  const file = join(folder, `dashboard-${name}.png`);
  await page.screenshot({ path: file });
  console.log(file);
}

if (only.length === 0 || only.includes("demo")) {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.goto(demo.origin);
  for (const add of (await page.getByRole("button", { name: /^Add .* to cart$/ }).all()).slice(
    0,
    2,
  ))
    await add.click();
  await page.reload(); // The notice of what was added goes.
  await page.waitForLoadState("networkidle");
  const file = join(folder, "demo.png");
  await page.screenshot({ path: file });
  console.log(file);
}
await browser.close();
await demo.stop();
