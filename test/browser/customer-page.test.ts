import { createServer, type Server } from "node:http";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { toNode } from "vitrine/node";
import { violations } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { freePort } from "../support/free-port.ts";
import { createShop, type Shop } from "../support/shop.ts";

let browser: Browser;
let shop: Shop;
let server: Server;
let order: string;
const consent = "I agree that Store A charges 50.00 BRL every month until I cancel.";
const customer = {
  id: "u_ana",
  name: "Ana Sá",
  email: "ana@example.com",
  tax_id: "529.982.247-25",
};

beforeAll(async () => {
  browser = await launchChromium();
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const seller = () => ({ legal_name: "Loja A Ltda.", address: "Rua 1, 100\nSão Paulo, SP" });
  shop = await createShop(memoryStorage(), {
    limits: { checkout: null },
    checkout: { baseUrl: `${origin}/pay` },
    checkoutPage: { brandColor: "#0f6b4f" },
    customerPage: { baseUrl: `${origin}/account`, seller },
  });
  const { storefront, owner, a } = shop;
  await owner.paymentMethods.update(a.id, a.method_id, { supports_recurring: true });
  const made = { price: 5000, currency: "BRL" };
  const recurring = { interval: "month" as const, interval_count: 1 };
  const plan = await owner.products.create(a.id, { name: "Caixa do mês", ...made, recurring });
  const app = await owner.products.create(a.id, {
    name: "Aplicativo",
    ...made,
    delivery: { type: "license_key" },
  });
  const guide = await owner.products.create(a.id, {
    name: "Curso",
    ...made,
    delivery: { type: "link", url: "https://course.example.com/" },
  });
  const paid = await shop.buy(
    {
      items: [app, guide].map(({ id }) => ({ product_id: id, quantity: 1 })),
      coupon_code: "SAVE10",
    },
    {},
    { customer },
  );
  order = paid.id;
  await shop.buy({ items: [{ product_id: plan.id, quantity: 1 }] }, {}, { customer, consent });
  const pages = toNode(storefront.customerPage);
  const checkout = toNode(storefront.checkoutPage);
  server = createServer((request, response) => {
    (request.url?.startsWith("/pay") ? checkout : pages)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
});

afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

const linkOf = async (customer_id = customer.id): Promise<string> => {
  const of = { store_id: shop.a.id, livemode: false, customer_id };
  return (await shop.owner.customers.pageLink(of)).url;
};

/** Opens a page in a browser without JavaScript, at the width of a phone. */
async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    locale: "pt-BR",
    viewport: { width: 360, height: 740 },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

const folder = process.env["SCREENSHOTS"];

for (const locale of ["pt-BR", "en-GB"])
  for (const colorScheme of ["light", "dark"] as const)
    test(`every page has no fault of axe and fits 360 px, ${locale}, ${colorScheme}`, async () => {
      const page = await open({ locale, colorScheme });
      const look = async (name: string): Promise<void> => {
        expect(await violations(page), name).toEqual([]);
        expect(await overflow(page), name).toBe(0);
        const path = `${folder}/${name}-${locale}-${colorScheme}.png`;
        if (folder) await page.screenshot({ path, fullPage: true });
      };
      await page.goto(await linkOf());
      await look("link");
      await page.locator("button").click();
      await page.waitForURL(/\/account$/);
      for (const fold of await page.locator("summary").all()) await fold.click();
      await look("home");
      await page.goto(`${page.url()}/orders/${order}`);
      await look("order");
      await page.goto(page.url().replace(order, "ord_none"));
      await look("missing");
      await page.context().close();
    });

test("by the keyboard alone a buyer signs in, cancels, takes it back and goes to pay", async () => {
  const page = await open({ javaScriptEnabled: false });
  const press = async (name: RegExp): Promise<void> => {
    for (let tabs = 0; tabs < 30; tabs += 1) {
      await page.keyboard.press("Tab");
      const focused = page.locator(":focus");
      if ((await focused.count()) > 0 && name.test(await focused.innerText())) break;
    }
    await page.keyboard.press("Enter");
  };
  await page.goto(await linkOf());
  await press(/^Ver minhas compras$/);
  await page.getByRole("heading", { name: "Suas compras" }).waitFor();

  await press(/^Cancelar a assinatura$/);
  await press(/^Cancelar Caixa do mês$/);
  await page.getByText("Nada mais será cobrado.").waitFor();
  await press(/^Manter Caixa do mês$/);
  await page.getByText(/^Próxima cobrança/).waitFor();

  await press(/^Mudar a forma de pagamento$/);
  await press(/^Pagar/);
  await page.waitForURL(/\/pay\//);
  await page.context().close();
});

test.each([true, false])(
  "a trial is begun on the checkout page, and the page of its buyer says when it ends (JavaScript: %s)",
  async (javaScriptEnabled) => {
    const recurring = { interval: "month" as const, interval_count: 1, trial_days: 14 };
    const made = { name: "Clube do café", price: 2990, currency: "BRL", recurring };
    const club = await shop.owner.products.create(shop.a.id, made);
    const session = await shop.session({ items: [{ product_id: club.id, quantity: 1 }] });
    let page = await open({ javaScriptEnabled });
    const look = async (name: string): Promise<void> => {
      expect(await overflow(page), name).toBe(0);
      if (javaScriptEnabled) expect(await violations(page), name).toEqual([]);
      if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
    };

    await page.goto(session.body.data.checkout_url);
    await page
      .getByText(/14 dias grátis, depois R\$\s29,90 por mês/)
      .first()
      .waitFor();
    await look("trial-checkout");
    await page.getByLabel("E-mail").fill(`ana-${javaScriptEnabled}@example.com`);
    await page.getByLabel("Nome completo").fill("Ana Sá");
    await page.getByLabel("Pix").check();
    await page.getByRole("button", { name: "Começar o teste grátis" }).focus();
    await page.keyboard.press("Enter");
    // The shop that the buyer is led back to is not there.
    const where = { store_id: shop.a.id, livemode: false };
    const findTrial = async () => {
      const { data } = await shop.owner.subscriptions.list({ ...where, status: "trialing" });
      return data.find(({ product_id }) => product_id === club.id);
    };
    await expect.poll(findTrial).toBeDefined();
    const trial = await findTrial();
    await page.context().close();

    page = await open({ javaScriptEnabled });
    await page.goto(await linkOf(trial?.customer.id));
    await page.locator("button").click();
    await page.getByText("Teste grátis", { exact: true }).waitFor();
    await page
      .getByText(/Grátis até 29 de janeiro de 2026. Depois será cobrado R\$\s29,90/)
      .waitFor();
    await page.locator("summary", { hasText: "Cancelar a assinatura" }).click();
    await page.getByText("O teste grátis vale até").waitFor();
    await look("trial-customer");
    await page.context().close();
  },
);

/** Counts the pages of a PDF: each has a dictionary of its own. */
const pagesOf = (pdf: Buffer): number =>
  (pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g) ?? []).length;

test("a receipt of few or of a hundred lines prints on one page, in both languages", async () => {
  const moagem = { key: "moagem", label: "Moagem", type: "text" as const, max_length: 40 };
  const many = await Promise.all(
    Array.from({ length: 100 }, (_, at) => {
      const made = { name: `Café especial torrado ${at}`, price: 1_234, currency: "BRL" };
      return shop.owner.products.create(shop.a.id, { ...made, variables: [moagem] });
    }),
  );
  const items = many.map(({ id }) => ({
    ...{ product_id: id, quantity: 2 },
    variables: { moagem: "grossa, para a prensa francesa" },
  }));
  const buy = async (count: number): Promise<string> =>
    (await shop.buy({ items: items.slice(0, count) }, {}, { customer })).id;
  const orders = [order, await buy(15), await buy(30), await buy(45), await buy(100)];

  for (const locale of ["pt-BR", "en-GB"]) {
    const page = await open({ locale });
    await page.goto(await linkOf());
    await page.locator("button").click();
    await page.waitForURL(/\/account$/);
    const home = page.url();
    for (const [at, id] of orders.entries()) {
      await page.goto(`${home}/orders/${id}`);
      for (const format of ["A4", "Letter"]) {
        const path = `${folder}/${locale}-${at}-${format}.pdf`;
        const pdf = await page.pdf({ format, ...(folder && { path }) });
        expect([at, format, pagesOf(pdf)]).toEqual([at, format, 1]);
      }
    }
    await page.emulateMedia({ media: "print" });
    // What was paid in test mode says so on paper too.
    await expect.poll(() => page.locator(".test-mode").isVisible()).toBe(true);
    await page.context().close();
  }
});

test("after paying, one click without JavaScript shows the order that was bought", async () => {
  const made = await shop.session({});
  const url: string = made.body.data.checkout_url;
  await shop.storefront.checkout.submit(shop.tokenOf(made), {
    payment_method_id: shop.a.method_id,
    customer,
  });
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await open({ javaScriptEnabled: false, colorScheme });
    await page.goto(url);
    expect(await overflow(page)).toBe(0);
    if (folder)
      await page.screenshot({ path: `${folder}/paid-${colorScheme}.png`, fullPage: true });
    await page.getByRole("button", { name: "Ver meu pedido" }).click();
    // The way is for one browser: the second one is told so.
    const title = colorScheme === "light" ? /^Recibo do pedido/ : /^Este link/;
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.context().close();
  }
});
