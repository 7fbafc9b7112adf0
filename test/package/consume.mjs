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
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import { toNext } from "vitrine/next";
import { toNode } from "vitrine/node";
import { sqliteStorage } from "vitrine/sqlite";
import { storageSuite } from "vitrine/testing";
import { nodeTransport } from "vitrine/transport";
import { signWebhook, verifyWebhook } from "vitrine/webhooks";

const storefront = createStorefront({ storage: memoryStorage(), checkout: { baseUrl: "https://p.example.com" }, docsUrl: "https://d.example.com", gateways: [sandboxGateway()] });
const response: Response = await storefront.handler(new Request("https://a.example.com/v1/store"));
if (response.status !== 401) throw new Error("no answer");
const { GET } = toNext(storefront, { ip: "x-real-ip" });
if ((await GET(new Request("https://a.example.com/v1/store"))).status !== 401) throw new Error("no answer through vitrine/next");
const rawBody = JSON.stringify({ id: "evt_1", type: "order.paid" });
const timestamp = Math.floor(Date.now() / 1000);
const verdict = await verifyWebhook({ rawBody, secret: "whsec_x", header: await signWebhook({ rawBody, secret: "whsec_x", timestamp }) });
if (!verdict.ok) throw new Error(verdict.reason);
if (verdict.event.type === "order.paid" && typeof verdict.event.data?.order?.number === "string") throw new Error("typed wrongly");
for (const value of [toExpress, toFastify, toNext, toNode, sqliteStorage, nodeTransport]) if (typeof value !== "function") throw new Error("not exported");
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
  const webhooks = readFileSync(join(dist, "webhooks.js"), "utf8");
  if (/\bimport\b/.test(webhooks)) fail("vitrine/webhooks imports something.");
  for (const [name, forbidden] of Object.entries({
    "index.js": /"node:|better-sqlite3|from "pg"|kysely/,
    "testing.js": /"node:/,
    "next.js": /"node:/,
  })) {
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
