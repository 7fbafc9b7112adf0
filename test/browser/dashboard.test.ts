import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { toNode } from "vitrine/node";
import { storeScreens } from "../../src/dashboard/screens.ts";
import { axeOn } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { fillStore, idsOf, screenPaths, sell } from "../support/dashboard-records.ts";
import { createDashboardShop, type DashboardShop, everything } from "../support/dashboard-shop.ts";
import { freePort } from "../support/free-port.ts";

let browser: Browser;
let shop: DashboardShop;
let server: Server;
let origin: string;
const faults: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const authorize = () => everything;
  shop = await createDashboardShop({ options: { authorize, publicUrl: origin } });
  server = createServer(toNode(shop.dashboard)).listen(port, "127.0.0.1");
  await once(server, "listening");
}, 60_000);
afterAll(async () => {
  await browser?.close();
  server?.close();
});
afterEach(() => {
  expect(faults.splice(0)).toEqual([]);
});

/** Opens a page, and keeps what the browser complains of: errors and breaches of the policy. */
async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    const isStatus = /the server responded with a status of 4/.test(message.text());
    if (message.type() === "error" && !isStatus) faults.push(message.text());
  });
  return page;
}

const address = (path = ""): string =>
  `${origin}/dashboard/${shop.a.id}/test${path === "" ? "" : `/${path}`}`;

/** Every screen of a store that has one of each thing, and of one that has nothing. */
async function everyAddress(): Promise<readonly string[]> {
  const { b } = shop;
  const long = (kind: string): string => `${kind} ${"with a long name ".repeat(4)}`.slice(0, 60);
  const rows = await fillStore(shop, (kind) => (kind === "endpoint" ? long(kind) : kind));
  const sales = await sell(shop, (kind) => kind);
  await shop.storefront.drainWebhooks();
  const filled = screenPaths({ ...sales, ...idsOf(rows) }).map(address);
  const empty = storeScreens.map(({ path }) => path).filter((path) => !/[{/]/.test(path));
  return [
    `${origin}/dashboard`,
    `${origin}/dashboard/new`,
    `${origin}/dashboard/nowhere`,
    ...filled,
    ...empty.map((path) => `${origin}/dashboard/${b.id}/live/${path}`),
  ];
}

/**
 * What axe finds on a page in both schemes at both widths, and what is wider than the
 * window. The scheme changes nothing but colours, so the dark one is judged by them.
 */
async function faultsOf(page: Page, each: string): Promise<readonly unknown[]> {
  const wrong: unknown[] = [];
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(each);
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

test("no screen has an accessibility fault, in either scheme, at 360 and 1280 pixels", async () => {
  const waiting = [...(await everyAddress())];
  const wrong: unknown[] = [];
  const look = async (): Promise<void> => {
    const page = await open();
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop())
      wrong.push(...(await faultsOf(page, each)));
    await page.context().close();
  };
  await Promise.all([look(), look()]);
  expect(wrong).toEqual([]);
}, 180_000);

describe.each([true, false])("a merchant's errands (JavaScript: %s)", (javaScriptEnabled) => {
  test("a product is created, corrected, changed and deleted", async () => {
    const page = await open({ javaScriptEnabled, locale: "pt-BR" });
    await page.goto(address("products"));
    await page.getByRole("link", { name: "Adicionar produto" }).click();
    await page.getByLabel("Nome", { exact: true }).fill("Bolo de fubá");
    await page.getByRole("button", { name: "Salvar" }).click();
    await page.getByText("Preencha este campo.").first().waitFor();
    expect(await page.getByLabel("Nome", { exact: true }).inputValue()).toBe("Bolo de fubá");

    await page.getByLabel("Preço", { exact: true }).fill("1.234,50");
    await page.getByRole("button", { name: "Salvar" }).click();
    await page.getByText("Criado.").waitFor();
    expect(page.url().includes("done=")).toBe(!javaScriptEnabled);
    expect(await page.getByLabel("Preço", { exact: true }).inputValue()).toBe("1234,50");

    await page.getByRole("link", { name: "Excluir" }).click();
    await page.getByText("As lojas deixam de mostrá-lo").waitFor();
    await page.getByRole("button", { name: "Excluir" }).click();
    await page.getByText("Excluído.").waitFor();
    expect(await page.getByRole("link", { name: "Bolo de fubá" }).count()).toBe(0);
    await page.context().close();
  });

  test("a key is created and seen once, and a test event shows the receiver's answer", async () => {
    const page = await open({ javaScriptEnabled });
    await page.goto(address("keys"));
    await page.getByRole("link", { name: "Create a key" }).click();
    await page.getByRole("button", { name: "Create a key" }).click();
    expect(await page.getByLabel("Key").inputValue()).toMatch(/^hk_test_pub_/);
    expect(await page.getByRole("button", { name: "Copy" }).isVisible()).toBe(javaScriptEnabled);

    await page.goto(address("webhooks"));
    await page.locator("td a").first().click();
    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.getByText("The receiver accepted the test event: 200").waitFor();
    await page.context().close();
  });
});

test("by the keyboard: the first stop skips the menu, and times say UTC where they stand", async () => {
  const page = await open();
  await page.goto(address("keys"));
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
    "Skip to the content",
  );
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe(
    "Create a key",
  );

  await page.keyboard.press("Tab");
  const shown = await page.evaluate(() => {
    const time = document.activeElement;
    return time === null ? "" : getComputedStyle(time, "::after").content;
  });
  expect(shown).toMatch(/^"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC"$/);
  await page.context().close();
});

test("the menu of a narrow page opens and closes without JavaScript", async () => {
  const page = await open({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
  await page.goto(address());
  expect(await page.getByRole("link", { name: "Products" }).isVisible()).toBe(false);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("link", { name: "Products" }).click();
  await page.getByRole("heading", { name: "Products" }).waitFor();
  await page.context().close();
});

test("another site can neither send a form of the dashboard nor frame it", async () => {
  const page = await open();
  const evil = createServer((_req, res) => {
    res.setHeader("content-type", "text/html");
    res.end(`<form method="post" action="${address("settings")}"><input name="do" value="save">
<input name="name" value="Evil"><button>Go</button></form>`);
  });
  const port = await freePort("localhost");
  evil.listen(port, "localhost");
  await once(evil, "listening");
  await page.goto(`http://localhost:${port}/`);
  await page.getByRole("button").click();
  await page.getByRole("heading", { name: "This form was not sent from the dashboard" }).waitFor();
  expect((await shop.owner.stores.retrieve(shop.a.id)).name).toBe("Store A");
  await page.context().close();
  evil.close();
});
