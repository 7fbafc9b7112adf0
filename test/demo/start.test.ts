import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createStorefront, sandboxGateway } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { verifyWebhook } from "vitrine/webhooks";
import { type Demo, freshFolder, runDemo, startDemo, startDemoByTsx } from "../support/demo.ts";
import { openPayForm, sendPayForm } from "../support/pay-form.ts";
import { postgresUrl } from "../support/postgres-url.ts";

const running: Demo[] = [];
afterEach(async () => {
  for (const demo of running.splice(0)) await demo.stop();
});
const start = async (...args: string[]): Promise<Demo> => {
  const demo = await startDemo(...args);
  running.push(demo);
  return demo;
};
const api = async (demo: Demo, path: string, key: string, init: RequestInit = {}) => {
  const response = await fetch(`${demo.report.base_url}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...init.headers,
    },
  });
  return { status: response.status, body: await response.json() };
};

/** The demo keeps the secrets of a PostgreSQL database in .data of the repository: its file goes with it. */
async function freshDatabase(): Promise<string> {
  const url = new URL(await postgresUrl());
  const name = `demo_${process.pid}_${Math.floor(performance.now())}`;
  const admin = new pg.Client(url.href);
  await admin.connect();
  await admin.query(`create database ${name}`);
  // As docs/operations.md recommends: else the start warns of them.
  await admin.query(`alter database ${name} set statement_timeout = '10s'`);
  await admin.query(`alter database ${name} set idle_in_transaction_session_timeout = '30s'`);
  await admin.end();
  url.pathname = `/${name}`;
  secretFiles.push(
    join(
      resolve(import.meta.dirname, "../.."),
      ".data",
      `${url.host.replace(":", "_")}_${name}.secrets.json`,
    ),
  );
  return url.href;
}
const secretFiles: string[] = [];
afterAll(() => {
  for (const file of secretFiles) rmSync(file);
});

async function buy(
  demo: Demo,
  asked: { readonly action: string; readonly outcome?: string },
): Promise<{ status: number; location: string | null }> {
  const { report, origin } = demo;
  const made = await api(demo, "/checkout/sessions", report.keys.test.publishable, {
    method: "POST",
    headers: { "idempotency-key": crypto.randomUUID() },
    body: JSON.stringify({
      items: [{ product_id: report.products[0]?.id, quantity: 2 }],
      success_url: report.return_urls[0],
      cancel_url: report.return_urls[1],
      coupon_code: report.coupon_code,
    }),
  });
  const url: string = made.body.data.checkout_url;
  const { page, fields } = await openPayForm(url);
  expect([
    page.status,
    page.headers.get("referrer-policy"),
    page.headers.get("x-robots-tag"),
  ]).toEqual([200, "strict-origin", "noindex"]);
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  for (const [name, value] of Object.entries(asked)) fields.set(name, value);
  const evil = { "sec-fetch-site": "cross-site", origin: "https://evil.example.com" };
  expect((await sendPayForm(url, fields, evil)).status).toBe(403);
  const answer = await sendPayForm(url, fields, { origin });
  return { status: answer.status, location: answer.headers.get("location") };
}

const paying = (outcome: string) => ({ action: "pay", outcome });

describe.each([
  [
    "sqlite",
    startDemoByTsx,
    async () => ["--storage", "sqlite", "--database", join(freshFolder(), "demo.sqlite")],
  ],
  ["memory", startDemo, async () => ["--storage", "memory"]],
  [
    "postgres",
    startDemo,
    async () => ["--storage", "postgres", "--database", await freshDatabase()],
  ],
] as const)("npm start on %s", (_name, startIt, args) => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startIt(...(await args()));
  });
  afterAll(() => demo.stop());

  test("sells: a session, the checkout page, the signed webhook, the release", async () => {
    const { report, origin } = demo;
    expect(await buy(demo, paying("succeed"))).toEqual({
      status: 303,
      location: report.return_urls[0],
    });
    const released = async () => (await fetch(`${origin}/released`)).text();
    await expect.poll(released, { timeout: 15_000 }).toContain("Order 2");
    expect((await buy(demo, paying("decline"))).status).toBe(200);
    expect((await buy(demo, { action: "cancel" })).location).toBe(report.return_urls[1]);
    const orders = await api(demo, "/orders?limit=10", report.keys.test.secret);
    expect(orders.body.data.map((order: { status: string }) => order.status)).toEqual([
      "failed",
      "paid",
      "paid",
    ]);
  });

  test("prints one JSON object that holds what it says", async () => {
    for (const report of [demo.report, demo.report.second_store]) {
      const at = (path: string, key: string, init?: RequestInit) =>
        api(demo, path, key, init).then((answer) => [
          answer.status,
          answer.body.error?.code ?? answer.body.data,
        ]);
      expect(await at("/store", report.keys.live.secret)).toMatchObject([
        200,
        { id: report.store_id },
      ]);
      expect(await at("/orders", report.scoped_key)).toEqual([403, "insufficient_scope"]);
      expect(await at("/store", report.revoked_key)).toEqual([401, "api_key_revoked"]);
      for (const { id, slug } of report.products)
        expect(await at(`/products/${slug}`, report.keys.test.publishable)).toMatchObject([
          200,
          { id },
        ]);
      expect(await at(`/orders/${report.paid_order_id}`, report.keys.test.secret)).toMatchObject([
        200,
        { status: "paid", customer: { tax_id: "***.***.789-**" } },
      ]);
      expect(
        await at("/customers/me/orders", report.keys.test.publishable, {
          headers: { "x-service-customer-token": report.customer_token },
        }),
      ).toMatchObject([200, [{ id: report.paid_order_id }]]);
      const items = report.products.map(({ id }) => ({ product_id: id, quantity: 1 }));
      expect(
        await at("/coupons/validate", report.keys.test.publishable, {
          method: "POST",
          body: JSON.stringify({ code: report.coupon_code, items }),
        }),
      ).toMatchObject([200, { valid: true }]);
      expect(report.origins.length).toBeGreaterThan(0);
      expect(
        await verifyWebhook({ rawBody: "", header: "t=1,v1=x", secret: report.webhook_secret }),
      ).toMatchObject({
        ok: false,
        reason: "signature_mismatch",
      });
    }
    expect(
      (await api(demo, "/products?limit=100", demo.report.keys.test.publishable)).body.data.length,
    ).toBeGreaterThanOrEqual(60);
    expect(
      (await api(demo, "/categories", demo.report.keys.test.publishable)).body.data,
    ).toHaveLength(6);
    expect(demo.stderr()).toBe("");
  });
});

describe("npm start, its data", () => {
  test("the first start writes three months of orders, and tells the receiver of none", async () => {
    const args = ["--database", join(freshFolder(), "demo.sqlite"), "--history", "on"];
    const first = await start(...args);
    const key = first.report.keys.test.secret;
    const list = async (demo: Demo, status: string): Promise<number> =>
      (await api(demo, `/orders?limit=100&status=${status}`, key)).body.data.length;
    expect(await list(first, "paid")).toBe(100);
    expect(await list(first, "failed")).toBeGreaterThan(5);
    expect(await list(first, "refunded")).toBeGreaterThan(2);
    const released = await (await fetch(`${first.origin}/released`)).text();
    expect(released.match(/Order \d+/g)?.length ?? 0).toBeLessThanOrEqual(2);

    const failed = await list(first, "failed");
    running.pop();
    await first.stop();
    const second = await start(...args);
    expect(await list(second, "failed")).toBe(failed);
  });

  test("a restart keeps data, keys and orders, on another port too", async () => {
    const database = join(freshFolder(), "demo.sqlite");
    const first = await start("--database", database);
    running.pop();
    await first.stop();
    const second = await start("--database", database);
    expect([second.report.keys, second.report.paid_order_id, second.report.webhook_secret]).toEqual(
      [first.report.keys, first.report.paid_order_id, first.report.webhook_secret],
    );
    expect(statSync(`${database}.secrets.json`).mode & 0o777).toBe(0o600);
    await buy(second, paying("succeed"));
    await expect
      .poll(async () => (await fetch(`${second.origin}/released`)).text(), { timeout: 15_000 })
      .toContain("Order 2");
  });

  test("a restart after the only paid order was refunded buys again, on another port too", async () => {
    const database = join(freshFolder(), "demo.sqlite");
    const args = ["--database", database, "--history", "off"];
    const first = await start(...args);
    running.pop();
    await first.stop();
    const shop = createStorefront({
      storage: sqliteStorage(database),
      publicUrl: "http://localhost:3000",
      checkout: { url: () => "http://localhost:3000/pay" },
      gateways: [sandboxGateway()],
      sealKey: randomBytes(32),
    });
    const { store_id, paid_order_id } = first.report;
    const refund = { store_id, livemode: false, reference: "all" };
    expect((await shop.orders.refund(paid_order_id, refund)).status).toBe("succeeded");
    await shop.close();

    const second = await start(...args);
    expect(second.report.paid_order_id).not.toBe(first.report.paid_order_id);
  });

  test("a lost secrets file: new keys, the old ones revoked, and a line that says so", async () => {
    const database = join(freshFolder(), "demo.sqlite");
    const first = await start("--database", database);
    running.pop();
    await first.stop();
    rmSync(`${database}.secrets.json`);
    const second = await start("--database", database);
    expect(second.stderr()).toMatch(/lost.*revoked/);
    expect((await api(second, "/store", first.report.keys.test.secret)).body.error.code).toBe(
      "api_key_revoked",
    );
    expect((await api(second, "/store", second.report.keys.test.secret)).status).toBe(200);
  });

  test("a person reads a short tour, whose addresses all answer", { timeout: 60_000 }, async () => {
    const child = await runDemo(["--storage", "memory", "--port", "0"]);
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
    });
    await expect.poll(() => text, { timeout: 40_000 }).toContain("Ctrl+C");
    const labels = [...text.matchAll(/^ {2}(\w+(?: \w+)?) {2,}/gm)].map(([, label]) => label);
    expect(labels).toEqual([
      ...["Shop", "Checkout", "Dashboard", "Webhooks", "API pages"],
      ...["Test key", "Data"],
    ]);

    const addresses = text.match(/http:\S+/g) ?? [];
    const answers = await Promise.all(addresses.map((address) => fetch(address)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(text.split("\n").map((line) => line.indexOf("http:"))).size).toBe(2);
    child.kill("SIGTERM");
    await once(child, "exit");
  });

  test("limits can be set and turned off", async () => {
    const demo = await start("--storage", "memory", "--limits", "checkout=3");
    const call = () =>
      api(demo, "/checkout/sessions", demo.report.keys.test.publishable, {
        method: "POST",
        body: "{}",
      });
    const statuses = [await call(), await call(), await call(), await call()].map(
      (answer) => answer.status,
    );
    expect(statuses).toEqual([400, 400, 400, 429]);
    const off = await start("--storage", "memory", "--limits", "off");
    for (let turn = 0; turn < 15; turn += 1)
      expect(
        (
          await api(off, "/checkout/sessions", off.report.keys.test.publishable, {
            method: "POST",
            body: "{}",
          })
        ).status,
      ).toBe(400);
  });

  test("a used port, an unwritable file, a wrong option: one clear sentence and a code", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address ? String(address.port) : "";
    const blocked = join(freshFolder(), "file");
    writeFileSync(blocked, "");
    const wrong = [
      [["--port", port, "--storage", "memory"], /^Port \d+ is in use: .*--port\.$/, 1],
      [["--port", "0", "--database", join(blocked, "x", "demo.sqlite")], /demo\.sqlite|file/, 1],
      [
        ["--port", "0", "--storage", "postgres", "--database", "postgres://me@127.0.0.1:1/shop"],
        /^The database does not answer: .*ECONNREFUSED.*:1\.$/,
        1,
      ],
      [["--port", "banana"], /--port/, 2],
      [["--colour"], /--colour/, 2],
      [["--catalog", "nowhere.csv"], /nowhere\.csv does not exist/, 2],
    ] as const;
    const tryIt = async ([args, words, code]: (typeof wrong)[number]): Promise<void> => {
      const child = await runDemo(args);
      let text = "";
      child.stderr?.on("data", (chunk) => {
        text += chunk;
      });
      const [exit] = await once(child, "close");
      expect(text.trim().split("\n"), text).toHaveLength(1);
      expect(text.trim()).toMatch(words);
      expect(exit, text).toBe(code);
    };
    await Promise.all(wrong.map(tryIt));
    server.close();
  });
});
