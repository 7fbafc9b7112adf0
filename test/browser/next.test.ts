import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import Database from "better-sqlite3";
import type { Browser, Request, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStorefront } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { launchChromium } from "../support/chromium.ts";
import { commandsOf, type Running, runLine } from "../support/example.ts";
import { freePort } from "../support/free-port.ts";
import { exchange, open, statusOf } from "../support/raw-http.ts";

const root = resolve(import.meta.dirname, "../..");
// A copy, so that nothing is left in the example; within the repository, for `vitrine` is found by the name of its package.
const copy = `.data/next-${process.pid}`;
let port = 0;
let origin = "";
let server: Running | undefined;
let browser: Browser;
let env: Record<string, string> = {};
let drain = "";

beforeAll(async () => {
  rmSync(join(root, copy), { recursive: true, force: true });
  mkdirSync(join(root, ".data"), { recursive: true });
  const kept = (name: string) =>
    !/[/\\](\.next|node_modules|\.env\.local|next-env\.d\.ts|shop\.sqlite[^/]*)$/.test(name);
  cpSync(join(root, "examples/next"), join(root, copy), { recursive: true, filter: kept });
  port = await freePort();
  origin = `http://localhost:${port}`;
  const settings = { PORT: String(port), NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };
  const [build, setUp, nextBuild, start, curl = ""] = commandsOf("examples/next").map((line) =>
    line.replaceAll("examples/next", copy),
  );
  expect(build).toBe("npm run build"); // CI has done it
  for (const line of [setUp, nextBuild]) {
    const step = runLine(line ?? "", settings);
    expect(await step.ended, step.output() + step.problems()).toBe(0);
  }
  env = Object.fromEntries(
    readFileSync(join(root, copy, ".env.local"), "utf8")
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  drain = curl.replace(":3000", `:${port}`);
  server = runLine(start ?? "", settings);
  await server.until("Ready");
  browser = await launchChromium();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(join(root, copy), { recursive: true, force: true });
});

const key = () => env["NEXT_PUBLIC_SHOP_KEY"] ?? "";
const api = (path: string, init: RequestInit = {}) =>
  fetch(`${origin}/v1${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${key()}`,
      "content-type": "application/json",
      ...init.headers,
    },
  });

test("a person buys in a shop on Next.js; the success page releases nothing, the webhook does, once", async () => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith("data:"))
      faults.push(request.url());
  });
  await page.goto(origin);
  await expect.poll(() => page.textContent("main")).toContain("R$34.50");
  await page.getByRole("button", { name: "Buy Coffee" }).click();
  await page.waitForURL(/\/pay\/str_/);
  await expect.poll(() => page.textContent("body")).toMatch(/R\$34\.50/);
  await page.getByLabel("Full name").fill("Ana");
  await page.getByLabel("E-mail").fill("ana@example.com");
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.waitForURL(/\/thanks\?session=cs_/);
  await expect.poll(() => page.textContent("main")).toContain("Order 1 is paid.");
  await expect
    .poll(() => page.textContent("main"))
    .toContain("as soon as the payment is confirmed");
  await page.goto(`${origin}/released`);
  await expect.poll(() => page.getByRole("listitem").count()).toBe(0);

  expect((await fetch(`${origin}/cron/drain`)).status).toBe(401);
  const drained = runLine(drain, {});
  expect([await drained.ended, JSON.parse(drained.output()).delivered]).toEqual([0, 3]);
  await page.reload();
  await expect
    .poll(() => page.getByRole("listitem").allTextContents())
    .toEqual(["Order 1: Coffee"]);
  expect(faults).toEqual([]);
  await page.close();
});

const sessions = (): number => {
  const database = new Database(env["DATABASE"], { readonly: true });
  const { count } = database.prepare("select count(*) as count from checkout_sessions").get() as {
    readonly count: number;
  };
  database.close();
  return count;
};

test("a session asked for from the browser survives a 503 and a lost answer: the same key each time, one session", async () => {
  const page = await browser.newPage();
  const asked: Request[] = [];
  const replayed: (string | null)[] = [];
  const mishaps = [
    (route: Route) =>
      route.fulfill({
        status: 503,
        json: { error: { code: "service_unavailable", message: "Away." } },
      }),
    async (route: Route) => {
      expect((await route.fetch()).status()).toBe(201); // done, and its answer lost
      await route.abort("connectionreset");
    },
  ];
  await page.route("**/v1/**", async (route) => {
    asked.push(route.request());
    await (mishaps.shift() ?? ((rest: Route) => rest.continue()))(route);
  });
  page.on("response", async (response) => {
    if (response.url().includes("/v1/"))
      replayed.push(await response.headerValue("idempotent-replayed"));
  });
  const before = sessions();
  await page.goto(origin);
  await page.getByRole("button", { name: "Buy Mug" }).click();
  await page.waitForURL(/\/pay\/str_/);
  expect(sessions() - before).toBe(1);
  expect(asked.map((request) => request.url())).toEqual(
    Array(3).fill(`${origin}/v1/checkout/sessions?key=${key()}`),
  );
  const headers = await Promise.all(asked.map((request) => request.allHeaders()));
  expect(new Set(headers.map((sent) => sent["idempotency-key"])).size).toBe(1);
  expect(headers[0]).toMatchObject({
    "idempotency-key": expect.stringMatching(/^.{16,}$/),
    authorization: `Bearer ${key()}`,
  });
  expect(replayed).toEqual([null, "true"]);
  await page.close();
});

test("the page shows what the error's code says, and the buyer may try again", async () => {
  const page = await browser.newPage();
  const unregistered = origin.replace("localhost", "127.0.0.1");
  await page.goto(unregistered);
  await page.getByRole("button", { name: "Buy Coffee" }).click();
  const alert = page.locator("article").first().getByRole("alert");
  await expect.poll(() => alert.textContent()).toBe("origin_not_allowed");

  const shop = createStorefront({
    storage: sqliteStorage(env["DATABASE"] ?? ""),
    publicUrl: origin,
    checkout: { baseUrl: `${origin}/pay` },
    sealKey: Buffer.from(env["SEAL_KEY"] ?? "", "base64"),
  });
  const { data: store } = await (await api("/store")).json();
  const { data: coffee } = await (await api("/products/coffee")).json();
  await page.goto(origin);
  await shop.owner.products.update(store.id, coffee.id, { blocked: true });
  await page.getByRole("button", { name: "Buy Coffee" }).click();
  await expect.poll(() => alert.textContent()).toBe("This is not for sale any more.");
  await shop.owner.products.update(store.id, coffee.id, { blocked: false });
  await shop.close();
  await page.getByRole("button", { name: "Buy Coffee" }).click();
  await page.waitForURL(/\/pay\/str_/);
  await page.close();
});

test("the webhook route refuses what was not signed", async () => {
  const forged = await fetch(`${origin}/webhooks`, {
    method: "POST",
    headers: { "x-service-signature": "t=1,v1=00" },
    body: "{}",
  });
  expect([forged.status, await forged.text()]).toEqual([400, "signature_mismatch"]);
});

test("the publishable key alone stands in what the browser loads", async () => {
  const page = await browser.newPage();
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => void scripts.push(response.text().catch(() => "")));
  await page.goto(origin, { waitUntil: "networkidle" });
  const loaded = (await Promise.all(scripts)).join("\n");
  expect(loaded).toContain(key());
  for (const name of ["SEAL_KEY", "WEBHOOK_SECRET", "CRON_SECRET", "DATABASE"])
    expect(loaded.includes(env[name] ?? name), name).toBe(false);
  expect(loaded).not.toMatch(/better-sqlite3|whsec_/);
  await page.close();
});

test("the API on Next.js over sockets: HEAD, 304, errors, chunks, oversized and broken bodies, escapes", async () => {
  const list = await api("/products?limit=1");
  expect([list.status, (await list.json()).has_more]).toEqual([200, true]);
  const etag = list.headers.get("etag") ?? "";
  expect((await api("/products?limit=1", { headers: { "if-none-match": etag } })).status).toBe(304);
  const head = await api("/products", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const codeOf = async (answer: Response) => [answer.status, (await answer.json()).error.code];
  expect(await codeOf(await api("/nothing"))).toEqual([404, "route_not_found"]);
  expect(await codeOf(await api("/store", { method: "DELETE" }))).toEqual([
    405,
    "method_not_allowed",
  ]);
  expect(await codeOf(await api("/store", { headers: { authorization: "" } }))).toEqual([
    401,
    "missing_api_key",
  ]);
  const validate = (body: BodyInit, more: object = {}) =>
    api("/coupons/validate", { method: "POST", body, duplex: "half", ...more } as RequestInit);
  expect(await codeOf(await validate("{"))).toEqual([400, "invalid_json"]);
  expect(await codeOf(await validate("{}", { headers: { "content-type": "text/plain" } }))).toEqual(
    [415, "unsupported_media_type"],
  );
  expect(await codeOf(await validate("x".repeat(70_000)))).toEqual([413, "request_too_large"]);
  expect(await codeOf(await validate(new Blob(["x".repeat(70_000)]).stream()))).toEqual([
    413,
    "request_too_large",
  ]);
  const preflight = await api(`/products?key=${key()}`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    },
  });
  expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([
    204,
    origin,
  ]);

  const bearer = `host: localhost\r\nauthorization: Bearer ${key()}\r\nconnection: close\r\n`;
  expect(
    statusOf(await exchange(port, `GET /v1/products/..%2fstore HTTP/1.1\r\n${bearer}\r\n`)),
  ).toBe(404);
  // More than Next.js keeps for a body that nobody reads, from a client that reads once it has sent it.
  const flood = await open(port);
  flood.write(
    `POST /v1/coupons/validate HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key()}\r\n`,
  );
  flood.write("content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
  await new Promise((sent) => flood.write(`300000\r\n${"x".repeat(0x300000)}\r\n0\r\n\r\n`, sent));
  flood.write(`GET /v1/store HTTP/1.1\r\n${bearer}\r\n`);
  expect(
    [...(await text(flood)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
  ).toEqual(["413", "200"]);

  const cut = `POST /v1/coupons/validate HTTP/1.1\r\n${bearer}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"code"`;
  const socket = await open(port);
  socket.write(cut);
  await new Promise((done) => setTimeout(done, 50));
  socket.destroy();
  expect((await api("/store")).status).toBe(200);
});

test("behind no proxy the limit is shared, and says so by 429", async () => {
  const body = JSON.stringify({ code: "NONE", items: [{ product_id: "prod_none", quantity: 1 }] });
  const statuses: number[] = [];
  for (let index = 0; index < 21; index += 1)
    statuses.push((await api("/coupons/validate", { method: "POST", body })).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
});
