import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createDashboard, type DashboardFile } from "vitrine/dashboard";
import { toNode } from "vitrine/node";
import { violations } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { createDashboardShop, everything } from "../support/dashboard-shop.ts";
import { freePort } from "../support/free-port.ts";
import { createShop, type Shop } from "../support/shop.ts";

let browser: Browser;
const servers: Server[] = [];
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  for (const server of servers) server.close();
});

async function serve(port: number, listener: RequestListener): Promise<void> {
  const server = createServer(listener).listen(port, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
}

async function openPhone(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    ...options,
    locale: "pt-BR",
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

const base = { price: 5000, currency: "BRL" };
const customer = { id: "u_ana", name: "Ana Sá", email: "ana@example.com" };

async function expectFit(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(360);
}

test("an owner uploads keys for buyers who wait, and gives back what a refund took", async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const authorize = () => everything;
  const shop = await createDashboardShop({ options: { authorize, publicUrl: origin } });
  await serve(port, toNode(shop.dashboard));
  const { owner, a } = shop;
  const delivery = { type: "license_key", source: "uploaded" } as const;
  const { id } = await owner.products.create(a.id, { ...base, name: "Jogo", delivery });
  const order = await shop.buy({ items: [{ product_id: id, quantity: 2 }] }, {}, { customer });

  const page = await openPhone();
  const at = (path: string): string => `${origin}/dashboard/${a.id}/test/${path}`;
  await page.goto(at(`orders/${order.id}`));
  await expect.poll(() => page.textContent("main")).toContain("Aguarda uma chave");
  await page.goto(at(`products/${id}`));
  await page.fill("#keys", "GAME-0001\nGAME-0002\n\nGAME-0003");
  await page.getByRole("button", { name: "Enviar" }).click();
  await expect.poll(() => page.textContent("main")).toContain("Restam para compradores: 1");
  await page.getByRole("button", { name: "Enviar" }).click();
  await expect.poll(() => page.textContent("#keys-error")).toBe("Preencha este campo.");
  await expectFit(page);

  const where = { store_id: a.id, livemode: false };
  await shop.storefront.orders.refund(order.id, { ...where, reference: "r" });
  await page.goto(at(`orders/${order.id}`));
  const again = page.getByRole("button", { name: "Devolver ao comprador" });
  await expect.poll(() => again.count()).toBe(2);
  await again.first().click();
  await expectFit(page);
  await expect.poll(() => again.count()).toBe(1);
  const history = await page.textContent("main");
  expect(history).toContain("devolveu ao comprador do pedido #1 o que tinha sido retirado");
});

test.each([true, false])(
  "an owner uploads the file that a product delivers, and frees a machine, by the keyboard (JavaScript: %s)",
  async (javaScriptEnabled) => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const shop = await createDashboardShop();
    const stored: DashboardFile[] = [];
    const dashboard = createDashboard(shop.storefront, {
      path: "/dashboard",
      publicUrl: origin,
      authorize: () => everything,
      uploads: {
        put: () => ({ url: "https://cdn.example.com/a.png" }),
        putFile(file) {
          stored.push(file);
          return { file: `goods/${stored.length}` };
        },
      },
    });
    await serve(port, toNode(dashboard));
    const { owner, a } = shop;
    const at = (path: string): string => `${origin}/dashboard/${a.id}/test/${path}`;
    const page = await openPhone({ javaScriptEnabled });
    const press = async (name: string): Promise<void> => {
      await page.getByRole("button", { name }).first().focus();
      await page.keyboard.press("Enter");
    };

    await page.goto(at("products/new"));
    await page.getByLabel("Nome", { exact: true }).fill("Guia");
    await page.getByLabel("Preço", { exact: true }).fill("50");
    const file = {
      name: "Guia do café.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF"),
    };
    await page.getByLabel("Enviar o arquivo").setInputFiles(file);
    await press("Salvar");
    await page.getByText("Cadastro criado.").waitFor();
    await expect
      .poll(() => page.getByLabel("Nome do arquivo que o comprador vê").inputValue())
      .toBe(file.name);
    if (javaScriptEnabled) await expectFit(page);
    expect(stored).toMatchObject([{ store_id: a.id, name: file.name, type: file.mimeType }]);
    const [guide] = (await owner.products.list(a.id, { search: "Guia" })).data;
    expect(guide?.delivery).toMatchObject({ type: "file", file: "goods/1", name: file.name });

    const delivery = { type: "license_key", activations: 2 } as const;
    const { id } = await owner.products.create(a.id, { ...base, name: "Editor", delivery });
    const order = await shop.buy({ items: [{ product_id: id, quantity: 1 }] }, {}, { customer });
    const of = { store_id: a.id, livemode: false, order_id: order.id };
    const license_key = (await owner.orders.retrieve(of)).entitlements?.[0]?.license_key;
    for (const instance_name of ["laptop", `desktop-${"long-".repeat(18)}`])
      await shop.post("/licenses/activate", {
        key: a.test.pub,
        body: { license_key, instance_name },
      });
    await page.goto(at(`orders/${order.id}`));
    await expect.poll(() => page.textContent("main")).toContain("Em uso em 2 máquinas de 2");
    if (javaScriptEnabled) await expectFit(page);
    await press("Desativar laptop");
    await page.getByText("A chave já pode ser usada em outra máquina.").waitFor();
    const text = await page.textContent("main");
    expect(text).toContain("Em uso em 1 máquina de 2");
    expect(text).toContain("encerrou o uso de uma chave de licença do pedido #1 em uma máquina");
    expect(await owner.orders.listActivations(of)).toHaveLength(1);
  },
);

test("a buyer sees keys, those that wait, and files with what is left of them", async () => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}/account`;
  const body = new TextEncoder().encode("%PDF");
  const shop: Shop = await createShop(memoryStorage(), {
    limits: { checkout: null },
    customerPage: { baseUrl, uploads: { open: () => ({ body }) } },
  });
  const { owner, a } = shop;
  const items = [];
  for (const delivery of [
    { type: "license_key", activations: 3 },
    { type: "license_key", source: "uploaded" },
    { type: "file", file: "a/guia.pdf", name: "Guia do café.pdf", max_downloads: 1 },
    { type: "file", file: `b/${"long-".repeat(20)}.zip` },
  ] as const) {
    const { id } = await owner.products.create(a.id, { ...base, name: "Produto", delivery });
    items.push({ product_id: id, quantity: 1 });
  }
  const order = await shop.buy({ items }, {}, { customer });
  await serve(port, toNode(shop.storefront.customerPage));

  const page = await openPhone();
  const of = { store_id: a.id, livemode: false, customer_id: customer.id };
  await page.goto((await owner.customers.pageLink(of)).url);
  await page.getByRole("button").first().click();
  await page.goto(`${baseUrl}/orders/${order.id}`);
  await expectFit(page);
  const text = await page.textContent("main");
  for (const part of [
    "Ativações usadas: 0 de 3.",
    "Sua chave está a caminho",
    "0 download de 1 usado.",
  ])
    expect(text).toContain(part);

  const file = page.getByRole("link", { name: "Baixar Guia do café.pdf" });
  const [download] = await Promise.all([page.waitForEvent("download"), file.click()]);
  expect(download.suggestedFilename()).toBe("Guia do café.pdf");
  await file.click();
  await expect.poll(() => page.textContent("main")).toContain("Todos os downloads foram usados");
  await expectFit(page);
});
