// Packs the built package, installs it into a fresh project and imports every subpath, as users do.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "vitrine-consumer-"));
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

try {
  run("npm", ["pack", "--silent", "--pack-destination", folder], root);
  const [tarball] = readdirSync(folder);
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "consumer", private: true, type: "module" }),
  );
  run(
    "npm",
    ["install", "--silent", "--no-audit", `./${tarball}`, "typescript@5.9.3", "@types/node@20"],
    folder,
  );

  writeFileSync(
    join(folder, "index.ts"),
    `import { createStorefront, memoryStorage, sandboxGateway } from "vitrine";
import { createClient, isStorefrontError, type Product } from "vitrine/client";
import { toExpress } from "vitrine/express";
import { toFastify } from "vitrine/fastify";
import { toNext } from "vitrine/next";
import { toNode } from "vitrine/node";
import { openApiDocument } from "vitrine/openapi";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import type { ListingStore } from "vitrine/storage";
import { storageSuite } from "vitrine/testing";
import { nodeTransport } from "vitrine/transport";
import { fetchTransport } from "vitrine/transport/fetch";
import { signWebhook, verifyWebhook } from "vitrine/webhooks";
import { webhookReceiver as onExpress } from "vitrine/webhooks/express";
import { webhookReceiver as onFastify } from "vitrine/webhooks/fastify";
import { webhookReceiver as onNext } from "vitrine/webhooks/next";

const storefront = createStorefront({ storage: memoryStorage(), checkout: { baseUrl: "https://p.example.com" }, docsUrl: "https://d.example.com", gateways: [sandboxGateway()] });
const document = openApiDocument({ serverUrl: "https://a.example.com/v1" });
if (document.paths["/store"]?.get?.operationId !== "getStore") throw new Error("no document");
const served: Response = await storefront.handler(new Request("https://a.example.com/v1/openapi.json"));
if (served.status !== 200) throw new Error("the document is not served");
const response: Response = await storefront.handler(new Request("https://a.example.com/v1/store"));
if (response.status !== 401) throw new Error("no answer");
const { GET } = toNext(storefront, { ip: "x-real-ip" });
if ((await GET(new Request("https://a.example.com/v1/store"))).status !== 401) throw new Error("no answer through vitrine/next");
const rawBody = JSON.stringify({ id: "evt_1", type: "order.paid" });
const timestamp = Math.floor(Date.now() / 1000);
const verdict = await verifyWebhook({ rawBody, secret: "whsec_x", header: await signWebhook({ rawBody, secret: "whsec_x", timestamp }) });
if (!verdict.ok) throw new Error(verdict.reason);
if (verdict.event.type === "order.paid" && typeof verdict.event.data?.order?.number === "string") throw new Error("typed wrongly");
for (const value of [toFastify, toNext, toExpress, toNode, sqliteStorage, postgresStorage, nodeTransport, fetchTransport, onExpress, onFastify, onNext]) if (typeof value !== "function") throw new Error("not exported");
const lists: ListingStore = memoryStorage().lists;
if ((await lists.countCouponUses("str_1", [])).length !== 0) throw new Error("lists are typed wrongly");
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
  // Without better-sqlite3 it opens Node's own SQLite, or says what to install.
  const storage = sqliteStorage(":memory:");
  await storage.migrate();
  await storage.close();
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
        "false",
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
  // The SQL subpaths import Kysely, which the user installs like the driver.
  run("npm", ["install", "--silent", "--no-audit", "kysely"], folder);
  run("node", ["out/index.js"], folder);

  // Hovers and compiler errors name a public record, where an alias would spell out its fields.
  const built = join(folder, "node_modules/vitrine/dist");
  const declarations = readdirSync(built, { recursive: true })
    .filter((file) => file.endsWith(".d.ts"))
    .map((file) => readFileSync(join(built, file), "utf8"));
  if (!declarations.some((text) => /^(export )?interface Order\b/m.test(text)))
    throw new Error("The built types do not declare Order as an interface.");

  // CommonJS loads the same files by require(esm), which Node has since 20.19 and 22.12.
  writeFileSync(
    join(folder, "index.cjs"),
    `const { createStorefront, memoryStorage, isApiError } = require("vitrine");
const { verifyWebhook } = require("vitrine/webhooks");
const { openApiDocument } = require("vitrine/openapi");
try { createStorefront({ storage: memoryStorage() }); } catch (error) { if (!isApiError(error) || error.code !== "invalid_option") throw error; }
if (typeof verifyWebhook !== "function" || openApiDocument().openapi !== "3.1.1") throw new Error("not exported");
`,
  );
  run("node", ["--no-warnings", "index.cjs"], folder);
  console.log("The package installs, type-checks and runs in a fresh project.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
