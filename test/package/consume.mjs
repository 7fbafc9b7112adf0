// The built package as its users get it: packed, installed into a fresh project, imported by every subpath.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "vitrine-consumer-"));
const run = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const fail = (words) => {
  console.error(words);
  process.exit(1);
};

try {
  run("npm", ["pack", "--silent", "--pack-destination", folder], root);
  const [tarball] = readdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  run("npm", ["install", "--silent", "--no-audit", `./${tarball}`, "typescript@5.9.3", "@types/node@20"], folder);

  writeFileSync(
    join(folder, "index.ts"),
    `import { createStorefront, memoryStorage, sandboxGateway } from "vitrine";
import { createClient, isStorefrontError, type Product } from "vitrine/client";
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import { toNext } from "vitrine/next";
import { toNode } from "vitrine/node";
import { sqliteStorage } from "vitrine/sqlite";
import { storageSuite } from "vitrine/testing";
import { nodeTransport } from "vitrine/transport";
import { fetchTransport } from "vitrine/transport/fetch";
import { signWebhook, verifyWebhook } from "vitrine/webhooks";
import { webhookReceiver as onExpress } from "vitrine/webhooks/express";
import { webhookReceiver as onFastify } from "vitrine/webhooks/fastify";
import { webhookReceiver as onNext } from "vitrine/webhooks/next";

const storefront = createStorefront({ storage: memoryStorage(), checkout: { baseUrl: "https://p.example.com" }, docsUrl: "https://d.example.com", gateways: [sandboxGateway()] });
const response: Response = await storefront.handler(new Request("https://a.example.com/v1/store"));
if (response.status !== 401) throw new Error("no answer");
const rawBody = JSON.stringify({ id: "evt_1", type: "order.paid" });
const timestamp = Math.floor(Date.now() / 1000);
const verdict = await verifyWebhook({ rawBody, secret: "whsec_x", header: await signWebhook({ rawBody, secret: "whsec_x", timestamp }) });
if (!verdict.ok) throw new Error(verdict.reason);
if (verdict.event.type === "order.paid" && typeof verdict.event.data?.order?.number === "string") throw new Error("typed wrongly");
for (const value of [toFastify, toNext, toExpress, toNode, sqliteStorage, nodeTransport, fetchTransport, onExpress, onFastify, onNext]) if (typeof value !== "function") throw new Error("not exported");
const client = createClient({ baseUrl: "https://a.example.com/v1", key: "hk_test_sec_x", fetch: (url, init) => storefront.handler(new Request(url, init)) });
const products: Product[] = [];
try {
  for await (const product of client.listProducts({ limit: 1 })) products.push(product);
  throw new Error("no key, and yet an answer");
} catch (error) {
  if (!isStorefrontError<"listProducts">(error) || error.code !== "invalid_api_key" || error.status !== 401) throw error;
}
// @ts-expect-error a price is never sent
client.createCheckoutSession({ items: [{ product_id: "p", quantity: 1, price: 1 }], success_url: "", cancel_url: "" }).catch(() => {});
if (storageSuite.length < 20) throw new Error("the suite is missing");
try {
  sqliteStorage("x.sqlite");
  throw new Error("better-sqlite3 is not installed here");
} catch (error) {
  if (!String(error).includes("npm install better-sqlite3")) throw error;
}
`,
  );
  for (const resolution of ["node16", "bundler"]) {
    const module = resolution === "node16" ? "node16" : "esnext";
    run(
      "npx",
      [
        "tsc",
        "--strict",
        "--skipLibCheck",
        "true",
        "--target",
        "es2022",
        "--lib",
        "es2023,dom,dom.iterable",
        "--module",
        module,
        "--moduleResolution",
        resolution,
        "--outDir",
        "out",
        "index.ts",
      ],
      folder,
    );
  }
  // The SQL subpath brings its builder; the driver stays the user's.
  run("npm", ["install", "--silent", "--no-audit", "kysely"], folder);
  run("node", ["out/index.js"], folder);

  const dist = join(root, "dist");
  for (const name of ["webhooks", "client"]) {
    const { length } = [...readFileSync(join(dist, `${name}.js`), "utf8").matchAll(/^import\b|\bimport\(|\bfrom "/gm)];
    if (length > 0) fail(`vitrine/${name} imports something.`);
  }
  for (const [name, forbidden] of Object.entries({ "index.js": /"node:|better-sqlite3|from "pg"|kysely/, "testing.js": /"node:/ })) {
    if (forbidden.test(readFileSync(join(dist, name), "utf8"))) fail(`${name} holds ${forbidden}.`);
  }
  const { buildSync } = await import("esbuild");
  const size = (file, external) =>
    gzipSync(
      buildSync({ entryPoints: [join(dist, file)], bundle: true, minify: true, format: "esm", write: false, external }).outputFiles[0]
        .contents,
      { level: 9 },
    ).length;
  const budgets = [
    ["webhooks.js", 1_024, []],
    ["client.js", 2_500, []],
    ["index.js", 60_000, ["zod", "jose"]],
  ];
  for (const [file, budget, external] of budgets) {
    const bytes = size(file, external);
    console.log(`${file}: ${bytes} of ${budget} bytes gzip`);
    if (bytes > budget) fail(`${file} is over its budget.`);
  }
  console.log("The package installs, type-checks and runs in a fresh project.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
