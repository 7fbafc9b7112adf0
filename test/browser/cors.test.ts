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
const wire: { url: string; status: number }[] = [];
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
  api = `${await serve((req, res) => {
    res.on("finish", () => wire.push({ url: req.url ?? "", status: res.statusCode }));
    answer(req, res);
  })}/v1`;
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

/** What a script of that page learns of a call. */
async function ask(origin: string, path: string, key: string): Promise<{ status: number; code: string | null } | "unreadable"> {
  const page = await browser.newPage();
  await page.goto(`${origin}/client.js`);
  const told = await page.evaluate(
    async ([url = "", bearer = ""]) => {
      try {
        const response = await fetch(url, { headers: { authorization: `Bearer ${bearer}` } });
        return { status: response.status, code: (await response.json()).error?.code ?? null };
      } catch {
        return "unreadable" as const;
      }
    },
    [`${api}${path}`, key],
  );
  await page.close();
  return told;
}

test("SPEC 5.7: with the key parameter from a registered origin a page reads answers and error codes alike", async () => {
  const { pub } = shop.a.test;
  expect(await ask(registered, `/products?key=${pub}`, pub)).toEqual({ status: 200, code: null });
  expect(await ask(registered, `/products/none?key=${pub}`, pub)).toEqual({ status: 404, code: "resource_not_found" });
  expect(await ask(registered, `/orders?key=${pub}`, pub)).toEqual({ status: 403, code: "insufficient_scope" });
  expect(await ask(registered, `/products?key=${pub}`, "hk_test_pub_wrong")).toEqual({ status: 401, code: "invalid_api_key" });
});

test("SPEC 5.6, 5.7: without it, from a stranger's origin or with a secret key the page reads nothing", async () => {
  const { pub, sec } = shop.a.test;
  expect(await ask(registered, "/products", pub)).toBe("unreadable");
  expect(await ask(stranger, `/products?key=${pub}`, pub)).toBe("unreadable");
  expect(await ask(registered, `/products?key=${sec}`, sec)).toBe("unreadable");
  await expect.poll(() => shop.alerts).toContain("secret_key_in_browser");
});

test("SPEC 4.2: the browser's own cache revalidates: 304 on the wire, the body from the cache", async () => {
  const page = await browser.newPage();
  await page.goto(`${registered}/client.js`);
  const url = `${api}/products?key=${shop.a.test.pub}`;
  const twice = await page.evaluate(
    async ([address = "", bearer = ""]) => {
      const read = async () => (await (await fetch(address, { headers: { authorization: `Bearer ${bearer}` } })).json()).data.length;
      return [await read(), await read()];
    },
    [url, shop.a.test.pub],
  );
  expect(twice).toEqual([1, 1]);
  const gets = wire.filter((seen) => seen.url === new URL(url).pathname + new URL(url).search && seen.status !== 204);
  expect(gets.slice(-2).map(({ status }) => status)).toEqual([200, 304]);
  await page.close();
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
