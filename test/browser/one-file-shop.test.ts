import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buildSync } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { toNode } from "vitrine/node";
import { launchChromium } from "../support/chromium.ts";
import { createShop, type Shop } from "../support/shop.ts";

const root = join(import.meta.dirname, "../..");
const [client] = buildSync({
  entryPoints: [join(root, "src/client/client.ts")],
  bundle: true,
  format: "esm",
  write: false,
  logLevel: "silent",
}).outputFiles;

let browser: Browser;
let shop: Shop;
const servers: Server[] = [];
let api: string;
let registered: string;
let stranger: string;

/** Each port is another origin to the browser. */
async function serve(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer({}, listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  servers.push(server);
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  shop = await createShop(memoryStorage());
  const answer = toNode(shop.storefront);
  api = `${await serve((req, res) => answer(req, res))}/v1`;
  const page: Parameters<typeof createServer>[1] = (req, res) => {
    if (req.url === "/client.js") res.setHeader("content-type", "text/javascript").end(client?.text);
    else res.setHeader("content-type", "text/html").end(readFileSync(join(root, "examples/browser/index.html")));
  };
  registered = await serve(page);
  stranger = await serve(page);
  await shop.owner.origins.add(shop.a.id, registered);
  await shop.owner.returnUrls.add(shop.a.id, `${registered}/`);
  browser = await launchChromium();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  for (const server of servers) server.close();
});

test("examples/browser: lists the products, starts a checkout, and shows an error's code", async () => {
  const open = async (origin: string): Promise<Page> => {
    const page = await browser.newPage();
    await page.goto(`${origin}/?${new URLSearchParams({ api, key: shop.a.test.pub })}`);
    return page;
  };
  const page = await open(registered);
  const button = page.getByRole("button", { name: "Product A" });
  await button.waitFor();
  const asked = page.waitForRequest((request) => request.url().startsWith("https://pay.example.com/c/"));
  await page.route("https://pay.example.com/**", (route) => route.fulfill({ body: "paid there" }));
  await button.click();
  expect((await asked).url()).toContain(shop.a.id);
  const other = await open(stranger);
  await expect.poll(() => other.textContent("#problem"), { timeout: 30_000 }).toBe("network_error");
});
