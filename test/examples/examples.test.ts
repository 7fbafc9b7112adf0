import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createStorefront, sandboxGateway } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";
import { freshFolder } from "../support/demo.ts";
import { commandsOf, type Running, reachable, runLine } from "../support/example.ts";
import { freePort } from "../support/free-port.ts";

const root = resolve(import.meta.dirname, "../..");
const running: Running[] = [];
afterEach(async () => {
  for (const example of running.splice(0)) await example.stop();
});
const run = (line: string | undefined, env: Readonly<Record<string, string>>): Running => {
  const started = runLine(line ?? "", env);
  running.push(started);
  return started;
};
const until = (example: Running, words: string) =>
  expect.poll(() => example.output(), { timeout: 30_000 }).toContain(words);
describe.each(["express", "fastify"])("examples/%s", (name) => {
  test("serves the API and the sandbox page by its README, and stays under 25 lines", async () => {
    const port = await freePort();
    const lines = commandsOf(`examples/${name}`);
    const [, made, start] = /^test -f (\S+) (.*) > \1$/.exec(lines[0] ?? "") ?? [];
    expect([made, start, lines[1]]).toEqual([
      "seal-key.txt",
      "|| openssl rand -base64 32",
      `SEAL_KEY=$(cat seal-key.txt) npx tsx examples/${name}/server.ts`,
    ]);
    const folder = freshFolder();
    const inFolder = lines.join("\n").replaceAll("seal-key.txt", join(folder, "seal-key.txt"));
    run(inFolder, { PORT: String(port), DATABASE: join(folder, "shop.sqlite") });
    await reachable(`http://127.0.0.1:${port}`, "/v1/store");
    const answer = await fetch(`http://127.0.0.1:${port}/v1/store`);
    expect([answer.status, (await answer.json()).error.code]).toEqual([401, "missing_api_key"]);
    expect((await fetch(`http://127.0.0.1:${port}/pay/none`)).status).toBe(404);
    expect(
      readFileSync(join(root, `examples/${name}/server.ts`), "utf8")
        .trim()
        .split("\n").length,
    ).toBeLessThan(25);
  });
});

describe("examples/hono", () => {
  test("answers by its README, and imports nothing of Node", async () => {
    const [line] = commandsOf("examples/hono");
    const tried = run(line, {});
    expect(await tried.ended).toBe(0);
    expect(tried.output()).toMatch(
      /Coffee: 2500 EUR, to be paid at https:\/\/shop\.example\.com\/pay\/str_/,
    );
    expect(readFileSync(join(root, "examples/hono/app.ts"), "utf8")).not.toMatch(
      /node:|process\.|Buffer/,
    );
  });

  test("the page at checkout_url is its own", async () => {
    const { default: app } = await import("../../examples/hono/app.ts");
    const page = await app.fetch(new Request("https://shop.example.com/pay/none"));
    expect([page.status, page.headers.get("content-type")]).toEqual([
      404,
      expect.stringContaining("text/html"),
    ]);
    expect((await app.fetch(new Request("https://shop.example.com/thanks"))).status).toBe(200);
  });
});

describe("examples/receiver", () => {
  test("releases once what was signed, refuses the rest, by its README", async () => {
    const env = { PORT: String(await freePort()) };
    const [serve, send] = commandsOf("examples/receiver");
    const receiver = run(serve, env);
    await reachable(`http://127.0.0.1:${env.PORT}`);
    for (let round = 0; round < 2; round += 1) {
      const sent = run(send, env);
      expect([await sent.ended, sent.output().trim()]).toEqual([0, "204"]);
    }
    const forged = run(send?.replace("whsec_try", "whsec_other"), env);
    await forged.ended;
    expect(forged.output().trim()).toBe("400 signature_mismatch");
    expect(receiver.output().trim()).toBe("Order 1 is paid: Coffee");
  });
});

describe("examples/cron", () => {
  test("delivers a paid order from the shop's database to examples/receiver, by its README", async () => {
    const folder = freshFolder();
    const database = join(folder, "shop.sqlite");
    const sealKey = randomBytes(32);
    const port = await freePort();
    const target = `http://127.0.0.1:${port}`;
    writeFileSync(join(folder, "seal-key.txt"), sealKey.toString("base64"));

    const shop = createStorefront({
      storage: sqliteStorage(database),
      publicUrl: "http://localhost:3000",
      checkout: { baseUrl: "http://localhost:3000/pay" },
      gateways: [sandboxGateway()],
      transport: nodeTransport({ allowTargets: [target], warn: () => {} }),
      sealKey,
    });
    await shop.migrate();
    const { owner } = shop;
    const store = await owner.stores.create({ name: "Shop", currency: "BRL" });
    await owner.stores.update(store.id, { headless_enabled: true });
    await owner.returnUrls.add(store.id, "https://shop.example.com/ok");
    const product = await owner.products.create(store.id, {
      name: "Coffee",
      price: 3450,
      currency: "BRL",
    });
    const method = await owner.paymentMethods.create(store.id, {
      type: "pix",
      name: "Pix",
      currencies: ["BRL"],
      gateway: "sandbox",
    });
    const { key } = await owner.keys.create({
      store_id: store.id,
      livemode: false,
      kind: "publishable",
    });
    const { secret } = await owner.endpoints.create({
      store_id: store.id,
      livemode: false,
      url: `${target}/`,
    });
    const made = await shop.handler(
      new Request("http://localhost:3000/v1/checkout/sessions", {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": "k",
        },
        body: JSON.stringify({
          items: [{ product_id: product.id, quantity: 1 }],
          success_url: "https://shop.example.com/ok",
          cancel_url: "https://shop.example.com/ok",
        }),
      }),
    );
    const token = (await made.json()).data.checkout_url.split("/").at(-1);
    await shop.checkout.submit(token, { payment_method_id: method.id });

    const receiver = run(commandsOf("examples/receiver")[0]?.replace("whsec_try", secret), {
      PORT: String(port),
    });
    await reachable(target);
    const [line = ""] = commandsOf("examples/cron");
    const drained = run(
      line
        .replace("seal-key.txt", join(folder, "seal-key.txt"))
        .replace("DATABASE=shop.sqlite", `DATABASE=${database}`),
      {
        ALLOW_TARGETS: target,
      },
    );
    expect([await drained.ended, drained.output()]).toEqual([
      0,
      expect.stringContaining('"delivered":3'),
    ]);
    await until(receiver, "Order 1 is paid: Coffee");
    await shop.close();
  });
});
