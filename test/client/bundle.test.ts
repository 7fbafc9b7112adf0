import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { clientPaths } from "../../src/contract/client-paths.ts";
import { startFaultyServer } from "../support/faulty-server.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";

/** The edge runtime that Next.js runs in development; it has no types. */
const { EdgeRuntime } = createRequire(import.meta.url)("next/dist/compiled/edge-runtime") as {
  readonly EdgeRuntime: new () => { evaluate(code: string): Promise<string> };
};

const root = resolve(import.meta.dirname, "../..");
const bundle = (options: { minify?: boolean; format: "esm" | "iife" }) =>
  buildSync({
    entryPoints: [resolve(root, "src/client/client.ts")],
    bundle: true,
    target: "es2022",
    platform: "neutral",
    write: false,
    metafile: true,
    globalName: "vitrine",
    ...options,
  });

test("vitrine/client imports nothing and stays within 2.5 KB of 1,024 bytes", () => {
  const { outputFiles, metafile } = bundle({ minify: true, format: "esm" });
  expect(gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length).toBeLessThanOrEqual(2_560);
  expect(Object.keys(metafile.inputs).filter((file) => !file.startsWith("src/client/"))).toEqual([
    "src/contract/client-paths.ts",
  ]);
});

describe("on an edge runtime", () => {
  let shop: Shop;
  let server: Awaited<ReturnType<typeof startFaultyServer>>;
  beforeEach(async () => {
    shop = await createShop(memoryStorage());
    server = await startFaultyServer(shop.storefront.serve);
  });
  afterEach(() => server.close());

  test.each(["pub", "sec"] as const)(
    "it is no browser: a %s key goes in the header alone",
    async (kind) => {
      const edge = new EdgeRuntime();
      await edge.evaluate(bundle({ format: "iife" }).outputFiles[0]?.text ?? "");
      const options = JSON.stringify({ baseUrl: server.baseUrl, key: shop.a.test[kind] });
      const cart = JSON.stringify({
        items: [{ product_id: shop.product.id, quantity: 1 }],
        success_url: returnUrl,
        cancel_url: returnUrl,
      });
      const answer = await edge.evaluate(`(async () => {
      const client = vitrine.createClient(${options});
      const names = [];
      for await (const { name } of client.listProducts({ limit: 1 })) names.push(name);
      const { data } = await client.createCheckoutSession(${cart});
      const error = await client.getProduct({ id_or_slug: "none" }).catch((error) => error);
      return JSON.stringify([names, data.status, vitrine.isStorefrontError(error), error.code]);
    })()`);
      expect(JSON.parse(answer)).toEqual([["Product A"], "open", true, "resource_not_found"]);
      for (const { url } of server.seen) expect(url.searchParams.has("key")).toBe(false);
    },
  );
});

test("docs/client.md names every operation, and the size that it says is kept", () => {
  const page = readFileSync(resolve(root, "docs/client.md"), "utf8");
  for (const operation of Object.keys(clientPaths)) expect(page).toContain(`\`${operation}(`);
  const { outputFiles } = bundle({ minify: true, format: "esm" });
  const [, said] = /about ([\d.]+) KB/.exec(page) ?? [];
  expect(gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length / 1000).toBeCloseTo(
    Number(said),
    0,
  );
});
