import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { toNode } from "vitrine/node";
import { readSecret } from "../../src/dashboard/access/secrets.ts";
import { launchChromium } from "../support/chromium.ts";
import { fillStore, idsOf, screenPaths, sell } from "../support/dashboard-records.ts";
import { createDashboardShop, type DashboardShop, everything } from "../support/dashboard-shop.ts";
import { freePort } from "../support/free-port.ts";
import { faultsOf, keepFaults, refusals } from "../support/page-faults.ts";

let browser: Browser;
let shop: DashboardShop;
let server: Server;
let origin: string;
/** The paths of all screens of store A. */
let paths: readonly string[];
const faults: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const authorize = ({ native }: { readonly native: unknown }) => {
    const isReader = /\bhost=reader\b/.test((native as IncomingMessage).headers.cookie ?? "");
    return isReader ? { ...everything, access: "read" as const } : everything;
  };
  // With a field for a file, the form of a product is looked at in its fullest form.
  const uploads = { put: () => ({ url: "/pictures/a.png" }) };
  shop = await createDashboardShop({ options: { authorize, publicUrl: origin, uploads } });
  server = createServer(toNode(shop.dashboard)).listen(port, "127.0.0.1");
  await once(server, "listening");
  paths = await fillPaths();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});
afterEach(() => {
  expect(faults.splice(0)).toEqual([]);
});

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';

/** Opens a page, and keeps what the browser complains of: errors and breaches of the policy. */
async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  // The pictures of products are on a host that does not exist.
  await context.route("https://cdn.example.com/**", (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: picture }),
  );
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  keepFaults(page, faults, refusals);
  return page;
}

const address = (path = ""): string =>
  `${origin}/dashboard/${shop.a.id}/test${path === "" ? "" : `/${path}`}`;

/** Makes one of each thing in store A, with texts that no line can hold. */
async function fillPaths(): Promise<readonly string[]> {
  const long = (kind: string): string => (kind === "Ana" ? kind : `${kind}-${"long-".repeat(15)}`);
  const rows = await fillStore(shop, (kind) => (/^[a-z]+$/.test(kind) ? long(kind) : kind));
  const sales = await sell(shop, long);
  await shop.storefront.drainWebhooks();
  return screenPaths({ ...sales, ...idsOf(rows) });
}

/** Every screen of a store that has one of each thing, and of one that has nothing. */
function everyAddress(): readonly string[] {
  // The lists share what they say when they are empty.
  const empty = ["", "orders", "products", "webhooks", "alerts"];
  return [
    `${origin}/dashboard`,
    `${origin}/dashboard/new`,
    `${origin}/dashboard/nowhere`,
    ...paths.map(address),
    ...empty.map((path) => `${origin}/dashboard/${shop.b.id}/live/${path}`),
  ];
}

test("no screen has an accessibility fault, in either scheme, at 360 and 1280 pixels", async () => {
  const waiting = [...everyAddress()];
  const wrong: unknown[] = [];
  const look = async (): Promise<void> => {
    const page = await open();
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop())
      wrong.push(...(await faultsOf(page, each)));
    await page.context().close();
  };
  await Promise.all([look(), look()]);
  expect(wrong).toEqual([]);
}, 900_000);

test("no screen is wider than the window when its text is twice as large", async () => {
  const page = await open({ locale: "pt-BR" });
  const wide: unknown[] = [];
  for (const each of everyAddress()) {
    await page.goto(each);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const reach = await page.evaluate(() => {
        document.documentElement.style.fontSize = "200%";
        return document.documentElement.scrollWidth;
      });
      if (reach > width) wide.push([each, width, reach]);
    }
  }
  expect(wide).toEqual([]);
  await page.context().close();
}, 300_000);

describe.each([true, false])("a merchant's errands (JavaScript: %s)", (javaScriptEnabled) => {
  test("a product is created, corrected, changed and deleted", async () => {
    const page = await open({ javaScriptEnabled, locale: "pt-BR" });
    await page.goto(address("products"));
    await page.getByRole("link", { name: "Adicionar produto" }).click();
    await page.getByLabel("Nome", { exact: true }).fill("Bolo de fubá");
    await page.getByRole("button", { name: "Salvar" }).click();
    await page.getByText("Preencha este campo.").first().waitFor();
    await expect
      .poll(() => page.getByLabel("Nome", { exact: true }).inputValue())
      .toBe("Bolo de fubá");

    await page.getByLabel("Preço", { exact: true }).fill("1.234,50");
    await page.getByRole("button", { name: "Salvar" }).click();
    await page.getByText("Cadastro criado.").waitFor();
    await expect.poll(() => page.url().includes("done=")).toBe(!javaScriptEnabled);
    await expect.poll(() => page.getByLabel("Preço", { exact: true }).inputValue()).toBe("1234,50");

    await page.getByRole("link", { name: "Excluir" }).click();
    await page.getByText("As lojas deixam de mostrá-lo").waitFor();
    await page.getByRole("button", { name: "Excluir" }).click();
    await page.getByText("Cadastro excluído.").waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Bolo de fubá" }).count()).toBe(0);
    await page.context().close();
  });

  test("a coupon is made for a product that is searched by the keyboard", async () => {
    const page = await open({ javaScriptEnabled });
    await page.goto(address("coupons/new"));
    await page.getByLabel("Code").fill(`FIND${javaScriptEnabled}`);
    await page.getByLabel("Find products").focus();
    await page.keyboard.type(shop.product.name.slice(0, 4));
    await page.keyboard.press("Enter");
    const box = page.locator("[role=status] input[type=checkbox]").first();
    await box.waitFor();
    await expect.poll(() => page.getByLabel("Code").inputValue()).toBe(`FIND${javaScriptEnabled}`);
    if (javaScriptEnabled) expect(await faultsOf(page, null)).toEqual([]);
    await box.focus();
    await page.keyboard.press("Space");
    await page.locator("#discount_amount input, input[name=discount_amount]").first().fill("10");
    await page.keyboard.press("Enter");
    await page.getByText("Created.").waitFor();
    await page.context().close();
  });

  test("a file is looked at, imported on a phone, its refused rows are saved, and it changes nothing twice", async () => {
    const page = await open({ javaScriptEnabled, viewport: { width: 360, height: 800 } });
    const word = `import-${javaScriptEnabled}`;
    const rows = Array.from({ length: 250 }, (_, at) => `${word}-${at},Import ${at},${at}.50`);
    const text = ["Handle,Title,Variant Price", ...rows, `${word}-bad,Bad,much`].join("\n");
    const file = { name: "products.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
    const look = async () =>
      javaScriptEnabled ? expect(await faultsOf(page, null)).toEqual([]) : undefined;

    const choose = async () => {
      await page.goto(address("products"));
      await page.getByRole("link", { name: "Import", exact: true }).focus();
      await page.keyboard.press("Enter");
      await page.getByLabel("File", { exact: true }).setInputFiles(file);
      await page.getByLabel("Format").focus();
      await page.keyboard.press("Tab");
      await page.getByRole("button", { name: "Show what changes" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Nothing is stored yet").waitFor();
    };
    await choose();
    await page.getByText('"much" is not an amount').waitFor();
    await look();

    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download 1 refused row" }).focus();
    await page.keyboard.press("Enter");
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(/refused-products-.*\.csv$/);
    expect(await readFile((await saved.path()) ?? "", "utf8")).toContain(`${word}-bad,Bad,much,`);

    await page.getByRole("button", { name: "Import 250 products" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("250 products were imported.").waitFor();
    await expect.poll(() => page.getByText("Importing.").isVisible()).toBe(false);
    await look();
    await choose();
    await page.getByText("Nothing would change.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: /^Import/ }).count()).toBe(0);
    await page.context().close();
  });

  test("chosen products are changed together by the keyboard on a phone, and changed back", async () => {
    const viewport = { width: 360, height: 800 };
    const page = await open({ javaScriptEnabled, viewport });
    const word = `Together${javaScriptEnabled}`;
    for (const name of ["one", "two", "three"]) {
      const product = { name: `${word} ${name}`, price: 1_000, currency: "BRL" };
      await shop.owner.products.create(shop.a.id, product);
    }
    const look = async () =>
      javaScriptEnabled ? expect(await faultsOf(page, null)).toEqual([]) : undefined;

    await page.goto(address(`products?search=${word}`));
    for (const name of ["one", "three"]) {
      await page.getByRole("checkbox", { name: `Choose ${word} ${name}` }).focus();
      await page.keyboard.press("Space");
    }
    await page.getByLabel("With the chosen products").selectOption("price_percent");
    await page.getByRole("button", { name: "Go on" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Percent").fill("-12,5");
    await page.keyboard.press("Enter");
    await page.getByText("R$8.75").nth(1).waitFor();
    await look();
    await page.getByRole("button", { name: "Change 2 products" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("2 products were changed.").waitFor();
    await look();
    await page.getByRole("button", { name: "Undo" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Undone.").waitFor();
    const { data } = await shop.owner.products.list(shop.a.id, { search: word });
    expect(data.map(({ price }) => price)).toEqual([1_000, 1_000, 1_000]);
    await page.context().close();
  });

  test("a product is found from any page by the keyboard, and the shortcuts are listed", async () => {
    const page = await open({ javaScriptEnabled });
    await page.goto(address("keys"));
    if (javaScriptEnabled) await page.keyboard.press("/");
    else await page.getByRole("searchbox", { name: "Search everything" }).focus();
    const { name } = shop.product;
    const answered = javaScriptEnabled
      ? page.waitForResponse((reply) => reply.url().endsWith(`?q=${encodeURIComponent(name)}`))
      : null;
    await page.keyboard.type(name);
    await answered;
    const hit = page.getByRole("link", { name });
    if (javaScriptEnabled) {
      await hit.waitFor();
      expect(await faultsOf(page, null)).toEqual([]);
      await page.keyboard.press("ArrowDown");
      await expect.poll(() => hit.evaluate((link) => link === document.activeElement)).toBe(true);
      await page.keyboard.press("Escape");
      await expect.poll(() => hit.isVisible()).toBe(false);
      await page.keyboard.press("Enter");
    } else await page.keyboard.press("Enter");
    await page.waitForURL(/search/);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.locator("main").getByRole("link", { name }).click();
    await page.waitForURL(address(`products/${shop.product.id}`));

    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    if (javaScriptEnabled) {
      await page.getByLabel("Name", { exact: true }).press("?");
      await expect.poll(() => keys.isVisible()).toBe(false);
      await page.getByLabel("Name", { exact: true }).press("Backspace");
      await page.locator("h1").click();
      await page.keyboard.press("?");
    } else await page.getByRole("link", { name: "Keyboard shortcuts" }).first().click();
    await keys.waitFor();
    if (javaScriptEnabled) expect(await faultsOf(page, null)).toEqual([]);
    await keys.getByRole("link", { name: "Close" }).click();
    await expect.poll(() => keys.isVisible()).toBe(false);
    await page.context().close();
  });

  test("a key is created and seen once, and a test event shows the receiver's answer", async () => {
    const page = await open({ javaScriptEnabled });
    await page.goto(address("keys"));
    await page.getByRole("link", { name: "Create a key" }).click();
    await page.getByRole("button", { name: "Create a key" }).click();
    await expect
      .poll(() => page.getByLabel("Key", { exact: true }).inputValue())
      .toMatch(/^hk_test_pub_/);
    await expect
      .poll(() => page.getByRole("button", { name: "Copy" }).isVisible())
      .toBe(javaScriptEnabled);

    await page.goto(address("webhooks"));
    await page.locator("td a").first().click();
    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.getByText("The receiver accepted the test event: 200").waitFor();
    await page.context().close();
  });
});

test("a product asks two questions that were added one after the other", async () => {
  const page = await open();
  await page.goto(address("products/new"));
  await page.getByLabel("Name", { exact: true }).fill("Mug");
  await page.getByLabel("Price", { exact: true }).fill("10");
  for (const [index, name] of ["Colour", "Engraving"].entries()) {
    if (index > 0) await page.getByRole("button", { name: "Add a question" }).click();
    await page.getByLabel("Question", { exact: true }).nth(index).fill(name);
    await page.getByLabel("Key for your software").nth(index).fill(name.toLowerCase());
  }
  expect(await faultsOf(page, null)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Created.").waitFor();
  const asked = page.getByLabel("Question", { exact: true });
  expect(
    await asked.evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value)),
  ).toEqual(["Colour", "Engraving", ""]);
  await page.context().close();
});

test.each([true, false])(
  "a reader is offered no more questions (JavaScript: %s)",
  async (javaScriptEnabled) => {
    const page = await open({ javaScriptEnabled });
    await page.context().addCookies([{ name: "host", value: "reader", url: origin }]);
    await page.goto(address(`products/${shop.product.id}`));
    await page.getByText("You may look at this").waitFor();
    await expect.poll(() => page.getByText("Add a question").isVisible()).toBe(false);
    await expect.poll(() => page.getByText("Save to get one more").isVisible()).toBe(false);
    await page.context().close();
  },
);

test("text that is not saved is asked about before it is left, and only then", async () => {
  const page = await open();
  const asked: string[] = [];
  page.on("dialog", async (dialog) => {
    asked.push(dialog.type());
    await dialog.dismiss();
  });
  const link = page.getByRole("link", { name: "Coupons", exact: true });
  const leave = async (): Promise<void> => {
    await link.click();
    await page.waitForURL(address("coupons"));
  };
  await page.goto(address("products/new"));
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Mug");
  await name.fill("");
  await leave();
  expect(asked).toEqual([]);

  // Typed and not saved: whoever stays finds it as it was.
  await page.goto(address("products/new"));
  await name.fill("Mug");
  await link.click({ noWaitAfter: true });
  await expect.poll(() => asked).toEqual(["beforeunload"]);
  expect([page.url(), await name.inputValue()]).toEqual([address("products/new"), "Mug"]);

  // Sending the form is no leaving. What was refused is still nowhere but on the page.
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Fill this in.").first().waitFor();
  expect(asked).toHaveLength(1);
  await page.getByLabel("Address name").focus();
  await page.keyboard.press("Tab");
  await link.click({ noWaitAfter: true });
  await expect.poll(() => asked).toHaveLength(2);

  await page.getByLabel("Price", { exact: true }).fill("R$ 12,00");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Created.").waitFor();
  expect(asked).toHaveLength(2);
  await leave();
  expect(asked).toHaveLength(2);
  await page.context().close();
});

test("an order is found by e-mail and half of it is refunded", async () => {
  const page = await open();
  const email = "find@example.com";
  await shop.buy({}, {}, { customer: { email, name: "Ana" } });
  await page.goto(address());
  await page.getByRole("link", { name: "Orders", exact: true }).click();
  await page.getByLabel("Search", { exact: true }).fill(email);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("cell").getByRole("link").click();
  await page.getByRole("link", { name: "Refund", exact: true }).click();
  await page.getByLabel("Amount").fill("5");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("R$5.00 goes back to Ana now").waitFor();
  expect(await faultsOf(page, null)).toEqual([]);
  await page.getByRole("button", { name: "Refund R$5.00" }).click();
  await page.getByText("The money is refunded.").waitFor();
  await page.getByText("Partly refunded").waitFor();
  await page.context().close();
});

/** Counts the pages of a PDF: each has a dictionary of its own. */
const pagesOf = (pdf: Buffer): number =>
  (pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g) ?? []).length;

test("an order of few or of a hundred lines prints on one page, with no frame around it", async () => {
  const page = await open({ javaScriptEnabled: false, locale: "pt-BR", colorScheme: "dark" });
  const order = await shop.buy(
    { coupon_code: "SAVE10" },
    {},
    { customer: { email: "rui@example.com", name: "Rui", tax_id: "529.982.247-25" } },
  );
  const where = { store_id: shop.a.id, livemode: false };
  await shop.storefront.orders.refund(order?.id ?? "", { ...where, reference: "r1", amount: 100 });
  await page.goto(address(`orders/${order?.id}`));
  await page.getByRole("link", { name: "Recibo" }).click();
  const receipt = page.locator(".receipt");
  const text = (await receipt.innerText()).replace(/\s+/g, " ");
  for (const part of ["Store A", "***.***.247-**", "Desconto SAVE10", "R$ 9,00", "Reembolso"])
    expect(text).toContain(part);
  await expect.poll(() => page.locator("main").innerText()).toContain("UTC");
  expect(pagesOf(await page.pdf({ format: "A4" }))).toBe(1);
  await page.emulateMedia({ media: "print" });
  await expect
    .poll(() => page.locator(".side, .crumbs, .unprinted").filter({ visible: true }).count())
    .toBe(0);
  await expect.poll(() => page.locator(".mode-bar").isVisible()).toBe(true);
  await page.goBack();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Recibo" }).isVisible()).toBe(false);
  await expect.poll(() => page.locator(".mode-bar a").isVisible()).toBe(false);
  await page.goForward();
  const paper = await receipt.evaluate((element) => getComputedStyle(element).color);
  expect(paper).toBe("rgb(0, 0, 0)");

  const many = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      shop.owner.products.create(shop.a.id, {
        name: `Café especial torrado ${index}`,
        price: 1_234,
        currency: "BRL",
        variables: [{ key: "moagem", label: "Moagem", type: "text", max_length: 20 }],
      }),
    ),
  );
  const items = many.map(({ id: product_id }) => ({
    product_id,
    quantity: 2,
    variables: { moagem: "grossa" },
  }));
  const long = await shop.buy({ items }, {}, { customer: { name: "Rui", email: "rui@x.com" } });
  await page.emulateMedia({ media: null });
  await page.goto(address(`orders/${long?.id}/receipt`));
  for (const format of ["A4", "Letter"]) expect(pagesOf(await page.pdf({ format }))).toBe(1);
  await page.context().close();
});

test("the list of orders is saved as a CSV of what its filters show", async () => {
  const page = await open({ javaScriptEnabled: false });
  await page.goto(address("orders?search=nobody"));
  await expect.poll(() => page.getByRole("link", { name: "Export CSV" }).count()).toBe(0);

  await page.goto(address("orders?search=ana"));
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/-orders-test-\d{4}-\d\d-\d\d\.csv$/);
  expect(await readFile(await file.path(), "utf8")).toMatch(/^\uFEFFid,number,[\s\S]+ana/);
  await expect.poll(() => page.url()).toBe(address("orders?search=ana"));
});

test("a webhook that failed tells why and is sent again", async () => {
  const page = await open({ javaScriptEnabled: false });
  shop.receiver.answer = () => ({
    ok: false,
    status: 500,
    error: "http_status",
    snippet: "Table orders is missing",
  });
  const order = await shop.buy({}, {}, { customer: { email: "ana@example.com" } });
  await shop.storefront.drainWebhooks();
  await page.goto(address(`orders/${order?.id}`));
  await page.getByText("0 of 1 receiver").first().click();
  await page.locator(".sent a:visible").first().click();
  await page.getByText("Table orders is missing").waitFor();
  shop.receiver.answer = () => ({});
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("It will be sent again at once.").waitFor();
  await shop.storefront.drainWebhooks();
  await page.reload();
  await page.getByText("Delivered").waitFor();
  await page.context().close();
});

test("a customer is erased after a question", async () => {
  const page = await open({ javaScriptEnabled: false });
  const customer = { id: "eva", email: "eva@example.com", name: "Eva" };
  await shop.buy({}, {}, { customer });
  await page.goto(address("customers"));
  await page.getByLabel("Search", { exact: true }).fill("eva@");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "Eva" }).click();
  await page.getByRole("link", { name: "Erase the customer" }).click();
  await page.getByText("What stays: the numbers, items and amounts").waitFor();
  await page.getByRole("button", { name: "Erase the customer" }).click();
  await page.getByText("The customer's personal data is erased.").waitFor();
  await expect.poll(() => page.getByText("Eva", { exact: true }).count()).toBe(0);
  await page.context().close();
});

test("a click anywhere in a row opens it, and its switch turns it on and off by the keyboard", async () => {
  const page = await open();
  const { id, name } = await shop.owner.products.create(shop.a.id, {
    name: "Row and switch",
    price: 12_300,
    currency: "BRL",
  });
  await page.goto(address("products?search=row+and"));
  const toggle = page.getByRole("switch", { name: `Published: ${name}` });
  await expect.poll(() => toggle.getAttribute("aria-checked")).toBe("true");
  await toggle.focus();
  await page.keyboard.press("Space");
  await page.getByText("Saved.").waitFor();
  await expect.poll(() => toggle.getAttribute("aria-checked")).toBe("false");
  await expect.poll(() => new URL(page.url()).search).toBe("?search=row+and");
  expect(await faultsOf(page, null)).toEqual([]);
  await toggle.click();
  await page.locator("[role=switch][aria-checked=true]").waitFor();

  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(address("products?search=row+and"));
    // The link lies above the text, which is where a hand clicks.
    await page.getByText("R$123.00").click({ force: true });
    await page.waitForURL(address(`products/${id}`));
  }
  await page.context().close();
});

test("by the keyboard: the first stop skips the menu, and times say UTC where they stand", async () => {
  const page = await open();
  await page.goto(address("keys"));
  await page.keyboard.press("Tab");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe("Skip to the content");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent?.trim()))
    .toBe("Create a key");

  // The heads of five columns, the link of the first row, and then its time.
  for (let stop = 0; stop < 7; stop += 1) await page.keyboard.press("Tab");
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
  await expect.poll(() => page.getByRole("link", { name: "Products" }).isVisible()).toBe(false);
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

describe("the screen Access", () => {
  /** Someone with a long name comes in by a link, and two links wait. */
  async function withLinks(): Promise<void> {
    const name = (kind: string): string => `${kind}-${"long-".repeat(15)}@example.com`;
    const by = { ...everything, actor: name("maker") };
    const make = (kind: string) =>
      shop.dashboard.links.create(
        { store_id: shop.a.id, actor: name(kind), access: ["exports", "keys.create"] },
        { by },
      );
    const secret = (await make("guest")).url.split("/link/")[1] ?? "";
    const ref = await readSecret(secret);
    if (!ref) throw new Error("The link has no secret.");
    const session = { session_hash: "a".repeat(64), expires_at: shop.now() + 3_600_000 };
    await shop.storage.dashboard.spendLink(ref, session, shop.now());
    await make("first");
    await make("second");
  }

  test("has no fault with sessions and links, in either scheme, at 360 and 1280 pixels", async () => {
    await withLinks();
    const page = await open({ locale: "pt-BR" });
    expect(await faultsOf(page, address("sessions"))).toEqual([]);
    await page.context().close();
  });

  test("ends a link and then a session by keyboard, on a narrow dark screen", async () => {
    await withLinks();
    const page = await open({
      colorScheme: "dark",
      viewport: { width: 360, height: 740 },
      locale: "pt-BR",
    });
    await page.goto(address("sessions"));
    for (const [name, done] of [
      [/^Encerrar o link/, "O link foi encerrado."],
      [/^Encerrar guest/, "A sessão foi encerrada"],
    ] as const) {
      const before = await page.getByRole("button", { name }).count();
      expect(before).toBeGreaterThan(0);
      await tabTo(page, name);
      await page.keyboard.press("Enter");
      await page.getByText(done).waitFor();
      await expect.poll(() => page.getByRole("button", { name }).count()).toBe(before - 1);
    }
    await page.context().close();
  });
});

/** Presses Tab until the focus is on a button of this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press("Tab");
    const focus = page.locator("button:focus");
    const text = (await focus.count()) === 0 ? "" : await focus.innerText();
    if (name.test(text.replace(/\s+/g, " ").trim())) return;
  }
  throw new Error(`Tab reaches no button of the name ${name}.`);
}
