import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createStorefront, memoryStorage, sandboxGateway } from "vitrine";
import { paths } from "vitrine/openapi";
import { nodeTransport } from "vitrine/transport";
import { bundleOf } from "../support/bundle.ts";
import { freshFolder } from "../support/demo.ts";
import { freePort } from "../support/free-port.ts";
import { filesBelow, readText, root } from "../support/markdown.ts";
import { createShop } from "../support/shop.ts";
import { subpaths } from "./subpaths.mjs";

const readme = readText("README.md");
const sealKey = randomBytes(32).toString("base64");
/** The block of the guide of Express that makes a store. */
const [, storeOfGuide = ""] =
  /```ts\n(const \{ owner \} = storefront;[\s\S]*?)```/.exec(readText("docs/hosts/express.md")) ??
  [];

test("examples/express, the host of its guide, answers", async () => {
  const port = await freePort();
  const child = spawn(process.execPath, [await bundleOf("examples/express/server.ts")], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE: join(freshFolder(), "shop.sqlite"),
      SEAL_KEY: sealKey,
    },
    stdio: "inherit",
  });

  // Null until the host listens.
  const errorCode = () =>
    fetch(`http://127.0.0.1:${port}/v1/store`).then(
      async (response) => (await response.json()).error.code,
      () => null,
    );
  try {
    await expect.poll(errorCode, { timeout: 15_000 }).toBe("missing_api_key");
  } finally {
    child.kill();
    await once(child, "exit");
  }
});

test("the set-up of a store in the guide of Express runs as it is written", async () => {
  const { storefront } = await createShop(memoryStorage());
  expect(storeOfGuide).toContain("owner.keys.create");

  const run = new Function("storefront", `return (async () => {${storeOfGuide}; return key;})()`);
  expect(await run(storefront)).toMatch(/^hk_test_pub_/);
});

test("the README's first commands are the package's own, on its peers", () => {
  const [, block = ""] = /```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  const lines = block.split("\n").map((line) => line.replace(/ *(#.*)?$/, ""));
  expect(lines).toEqual([
    "npm install vitrine better-sqlite3 kysely",
    "npx vitrine init",
    "npm start",
    "npx vitrine seed",
    "npx vitrine trigger order.paid",
    "",
  ]);
  const { peerDependencies } = JSON.parse(readText("package.json"));
  expect(Object.keys(peerDependencies)).toEqual(
    expect.arrayContaining(["better-sqlite3", "kysely", "pg"]),
  );
});

test("the README's lines sell: a store of the guide lists its product and takes a session", async () => {
  const [, imports = "", block = ""] =
    /```ts\n(import [\s\S]*?)(const storefront[\s\S]*?)```/.exec(readme) ?? [];
  const lines = `${imports}${block}`.split("\n").filter((line) => line.trim() !== "");
  expect(lines.length).toBeLessThanOrEqual(18);

  const mounted: unknown[] = [];
  const parts = {
    createStorefront,
    sandboxGateway,
    nodeTransport,
    sqliteStorage: () => memoryStorage(),
    process: { env: { SEAL_KEY: sealKey } },
    setInterval: () => {},
    toExpress: (part: unknown) => part,
    express: () => ({
      use(...given: unknown[]) {
        mounted.push(...given);
        return { listen() {} };
      },
    }),
  };
  const run = new Function(
    ...Object.keys(parts),
    // The loop ends with the host alone.
    `return (async () => {${block.replace("await storefront.run", "void storefront.run")}
      ${storeOfGuide}; return { storefront, key }; })()`,
  );
  const { storefront, key } = await run(...Object.values(parts));
  const { notifications, checkoutPage } = storefront;
  expect(mounted).toEqual([notifications, storefront, checkoutPage]);

  const call = (path: string, init: RequestInit = {}) =>
    storefront.handler(
      new Request(`http://localhost:3000/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, "idempotency-key": "1", ...init.headers },
      }),
    );
  const { data } = await (await call("/products")).json();
  expect(data).toMatchObject([{ name: "Coffee", price: 3450 }]);

  const urls = {
    success_url: "https://shop.example.com/thanks",
    cancel_url: "https://shop.example.com/cart",
  };
  const begun = await call("/checkout/sessions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ items: [{ product_id: data[0].id, quantity: 1 }], ...urls }),
  });
  expect(begun.status).toBe(201);
  const page = await storefront.checkoutPage.handler(
    new Request((await begun.json()).data.checkout_url),
  );
  expect(await page.text()).toContain("Pix");
});

test("what the README counts is what the code has", () => {
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(900);
  expect(readme).toContain(`REST, ${Object.keys(paths).length} endpoints`);

  for (const { name, budget } of subpaths)
    for (const [, told = ""] of readme.matchAll(
      new RegExp(`\\| \`${name}\` \\|[^|]*\\| ([\\d,]+) at most`, "g"),
    ))
      expect(Number(told.replaceAll(",", "")), name).toBe(budget);

  // Each row of the table names what an entry of the package does.
  const entries = subpaths.map(({ path }) => path);
  const named = ["./express", "./fastify", "./next", "./sqlite", "./postgres", "./dashboard"];
  expect(entries).toEqual(expect.arrayContaining([...named, "./stripe", "./pix"]));
});

test("the index of the documents names each of them once", () => {
  const index = readText("docs/README.md");
  const linked = [...index.matchAll(/\]\(([^)#]+)\)/g)].map(([, path]) => `docs/${path}`);
  const guides = filesBelow("docs").filter((path) =>
    /^docs\/(?!reference|contract\/|README)[^.]*\.md$/.test(path),
  );

  expect(linked.filter((path) => !path.startsWith("docs/reference")).sort()).toEqual(
    [...guides].sort(),
  );
});
