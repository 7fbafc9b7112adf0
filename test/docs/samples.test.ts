import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { toNode } from "vitrine/node";
import { openApiDocument } from "vitrine/openapi";
import {
  categoryExample,
  checkoutRequestExample,
  productExample,
  subscriptionExample,
} from "../../src/contract/openapi/examples.ts";
import { licenseRequestExample } from "../../src/contract/openapi/license-examples.ts";
import { operationsOf } from "../../src/docs/document.ts";
import { firstCart } from "../../src/docs/guides/pieces.ts";
import { javascriptReceiver, pythonReceiver } from "../../src/docs/receivers.ts";
import { samplesOf } from "../../src/docs/reference/samples.ts";
import { outcomeTexts, testDocuments } from "../../src/docs/texts/sandbox-en.ts";
import { isTaxId } from "../../src/pages/texts/tax-id.ts";
import { sandboxOutcomes } from "../../src/payments/sandbox/sandbox-outcomes.ts";
import { signWebhook } from "../../src/webhooks/signature.ts";
import { freePort } from "../support/free-port.ts";
import { createShop, type Shop } from "../support/shop.ts";

const run = promisify(execFile);

let shop: Shop;
let server: Server;
let base = "";
let folder = "";
let environment: Record<string, string> = {};
/** What the examples call by an id, under the id that the running shop has given it. */
let given: Record<string, string> = {};

/** A shop that sells what the examples are about: only its ids are others. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "samples-"));
  shop = await createShop(memoryStorage(), {
    now: Date.now,
    limits: { checkout: null },
    productUrl: "https://shop.example.com/products/{slug}",
  });
  server = createServer(toNode(shop.storefront)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("There is no port.");
  base = `http://127.0.0.1:${address.port}/v1`;

  const { owner, a } = shop;
  await owner.returnUrls.add(a.id, "https://shop.example.com/thanks");
  await owner.returnUrls.add(a.id, "https://shop.example.com/cart");
  const category = await owner.categories.create(a.id, { name: "Coffee", slug: "coffee" });
  const { slug, name, price, variables } = productExample;
  const product = await owner.products.create(a.id, {
    slug,
    name,
    price,
    variables,
    currency: "BRL",
    category_ids: [category.id],
  });
  await owner.coupons.create(a.id, {
    code: "WELCOME10",
    discount_type: "percentage",
    discount_amount: 10,
  });
  await owner.paymentMethods.update(a.id, a.method_id, { supports_recurring: true });
  const plan = await owner.products.create(a.id, {
    name: "Box",
    price: 5000,
    currency: "BRL",
    recurring: { interval: "month", interval_count: 1 },
  });
  const customer = { id: "customer_1", email: "ana@example.com" };
  const items = [{ product_id: plan.id, quantity: 1 }];
  const { subscription_id } = await shop.buy({ items }, {}, { customer });
  const delivery = { type: "license_key", activations: 3 } as const;
  const editor = await owner.products.create(a.id, {
    name: "Editor",
    price: 5000,
    currency: "BRL",
    delivery,
  });
  const { id: order_id } = await shop.buy({ items: [{ product_id: editor.id, quantity: 1 }] });
  const licensed = await owner.orders.retrieve({ store_id: a.id, livemode: false, order_id });
  const order = await shop.buy();
  const session = order.checkout_session_id ?? "";
  given = {
    [productExample.id]: product.id,
    [categoryExample.id]: category.id,
    [subscriptionExample.id]: subscription_id ?? "",
    [licenseRequestExample.license_key]: licensed.entitlements?.[0]?.license_key ?? "",
    cs_01KEZBA4W2Q8E6R0T5Y7P1S3FB: session,
    cs_01KEZBD1S6M0W9F4X2Z8C3K7TN: (await shop.session()).body.data.id,
    ord_01KEZBC8K5D3H7J9M1N4Q6V2XC: order.id,
  };
  const { token } = await shop.storefront.customers.issueToken({
    store_id: a.id,
    livemode: false,
    customer_id: customer.id,
  });
  environment = {
    PATH: process.env["PATH"] ?? "",
    STOREFRONT_KEY: a.test.sec,
    PURCHASE_ID: "cart-8812",
    CUSTOMER_TOKEN: token,
  };
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const own = (text: string): string =>
  Object.entries(given).reduce((all, [id, real]) => all.replaceAll(id, real), text);
const documentOf = () => openApiDocument({ serverUrl: base });
const samplesIn = (
  language: "curl" | "javascript" | "python",
  { feeds }: { readonly feeds: boolean },
): readonly string[] =>
  operationsOf(documentOf())
    .filter(({ path }) => path.startsWith("/feeds/") === feeds)
    .map((listed) => own(samplesOf(documentOf(), listed)[language]));
const json = { feeds: false };

describe("the samples of every operation work as they stand on the page", () => {
  test("in curl", async () => {
    const script = samplesIn("curl", json).map((sample) => sample.replace(/^curl /, "curl -sS "));
    const { stdout } = await run("bash", ["-ec", script.join("\necho\n")], { env: environment });
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.filter(({ data }) => data === undefined)).toEqual([]);
    expect(answers).toHaveLength(script.length);
  });

  test("in JavaScript", async () => {
    const file = join(folder, "samples.mjs");
    await writeFile(
      file,
      samplesIn("javascript", json)
        .map((sample) => `{\n${sample}\n}`)
        .join("\n"),
    );
    const { stdout } = await run(process.execPath, [file], { env: environment });
    expect(stdout).toContain("espresso-beans");
  });

  test("in Python", async () => {
    const file = join(folder, "samples.py");
    await writeFile(file, samplesIn("python", json).join("\n"));
    const { stdout } = await run("python3", [file], { env: environment });
    expect(stdout.trim().split("\n")).toHaveLength(samplesIn("python", json).length);
  });
});

test("the samples of feeds print a feed in each language", async () => {
  const isFeed = (text: string): void => {
    expect(text).toContain("<rss version");
    expect(text).toContain(`"slug":"${productExample.slug}"`);
  };
  const options = { env: environment };
  const of = (language: "curl" | "javascript" | "python") => samplesIn(language, { feeds: true });

  isFeed((await run("bash", ["-ec", of("curl").join("\n")], options)).stdout);
  const file = join(folder, "feeds");
  await writeFile(
    `${file}.mjs`,
    of("javascript")
      .map((sample) => `{\n${sample}\n}`)
      .join("\n"),
  );
  isFeed((await run(process.execPath, [`${file}.mjs`], options)).stdout);
  await writeFile(`${file}.py`, of("python").join("\n"));
  isFeed((await run("python3", [`${file}.py`], options)).stdout);
});

test("the first purchase needs a product and two registered addresses, and nothing more", async () => {
  const listed = operationsOf(documentOf()).find(
    ({ operation }) => operation.operationId === "createCheckoutSession",
  );
  if (!listed) throw new Error("The document has no such operation.");
  const mug = await shop.owner.products.create(shop.a.id, {
    name: "Mug",
    price: 1000,
    currency: "BRL",
  });

  const { python } = samplesOf(documentOf(), listed, firstCart);
  const env = { ...environment, PURCHASE_ID: "cart-1" };
  const { stdout } = await run("python3", ["-c", python.replaceAll(productExample.id, mug.id)], {
    env,
  });
  expect(stdout).toContain("'status': 'open'");
});

test("a sample that is refused says the code of the error", async () => {
  const [listed] = operationsOf(documentOf());
  if (!listed) throw new Error("The document has no operation.");
  const { python, javascript } = samplesOf(documentOf(), listed);
  const env = { ...environment, STOREFRONT_KEY: "hk_test_sec_wrong" };
  const refused = [
    run("python3", ["-c", python], { env }),
    run(process.execPath, ["--input-type=module", "-e", javascript], { env }),
  ];
  const stderr = expect.stringContaining("invalid_api_key");
  await Promise.all(refused.map((sample) => expect(sample).rejects.toMatchObject({ stderr })));
});

test("no example has a pattern that is null, because Postman drops an answer with one", () => {
  expect(JSON.stringify(documentOf())).not.toContain('"pattern":null');
});

test("every example of a parameter is answered with 2xx or 304", async () => {
  const wrong: string[] = [];
  for (const { operation, method, path } of operationsOf(documentOf())) {
    if (method !== "GET") continue;
    for (const part of operation["parameters"] as {
      name: string;
      in: string;
      example?: unknown;
    }[]) {
      if (part.in !== "query" || part.example === undefined) continue;
      const target = own(`${path}?${part.name}=${part.example}`);
      const answer = await fetch(base + target, {
        headers: {
          authorization: `Bearer ${environment["STOREFRONT_KEY"]}`,
          "x-service-customer-token": environment["CUSTOMER_TOKEN"] ?? "",
        },
      });
      if (!answer.ok) wrong.push(`${target} ${answer.status} ${await answer.text()}`);
    }
  }
  expect(wrong).toEqual([]);
});

describe("the receivers of the page take a genuine message and refuse a forged one", () => {
  const secret = `whsec_${"a".repeat(40)}`;
  const body = JSON.stringify({ id: "evt_1", type: "order.paid" });

  async function receive(command: string, file: string, text: string): Promise<void> {
    const path = join(folder, file);
    await writeFile(path, text);
    const port = await freePort();
    const child = spawn(command, [path], {
      env: { ...environment, WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const printed: string[] = [];
    child.stdout.on("data", (bytes) => printed.push(String(bytes)));
    try {
      await once(child.stdout, "data");
      const timestamp = Math.floor(Date.now() / 1000);
      const header = await signWebhook({
        rawBody: new TextEncoder().encode(body),
        secret,
        timestamp,
      });
      const send = async (signature: string) =>
        (
          await fetch(`http://127.0.0.1:${port}`, {
            method: "POST",
            headers: { "x-service-signature": signature },
            body,
          })
        ).status;
      expect(await send(header)).toBe(200);
      expect(await send(header.replace(/.$/, (end) => (end === "0" ? "1" : "0")))).toBe(400);
      expect(await send(header.replace(/t=\d+/, "t=1"))).toBe(400);
      expect(await send("")).toBe(400);
      expect(printed.join("")).toContain("order.paid evt_1");
    } finally {
      child.kill();
    }
  }

  test("in JavaScript", () => receive(process.execPath, "receiver.mjs", javascriptReceiver));
  test("in Python", () => receive("python3", "receiver.py", pythonReceiver));
});

test("the sandbox's texts name every outcome and numbers with right check digits", () => {
  expect(Object.keys(outcomeTexts)).toEqual([...sandboxOutcomes]);
  for (const id of Object.keys(testDocuments)) expect(isTaxId(id), id).toBe(true);
  expect(checkoutRequestExample.coupon_code).toBe("WELCOME10");
});
