import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { freshFolder } from "../support/demo.ts";
import { createShop } from "../support/shop.ts";

const root = resolve(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

test("the README's Express host is examples/express, stays under 25 lines, and answers", async () => {
  const source = readFileSync(join(root, "examples/express/server.ts"), "utf8");
  expect(readme).toContain(source);
  expect(source.trim().split("\n").length).toBeLessThan(25);
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  const port = typeof address === "object" && address ? address.port : 0;
  probe.close();
  const child = spawn(process.execPath, ["--import", "tsx", "examples/express/server.ts"], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATABASE: join(freshFolder(), "shop.sqlite") },
    stdio: "inherit",
  });
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/v1/store`).then(
      async (response) => (await response.json()).error.code,
      () => null,
    );
  await expect.poll(ask, { timeout: 15_000 }).toBe("missing_api_key");
  child.kill();
  await once(child, "exit");
});

test("the README's set-up of a store works as it is written", async () => {
  const { storefront } = await createShop(memoryStorage());
  const [, block = ""] = /```ts\n(const \{ owner \} = storefront;[\s\S]*?)```/.exec(readme) ?? [];
  expect(block).toContain("owner.keys.create");
  const run = new Function("storefront", `return (async () => {${block}; return key;})()`);
  expect(await run(storefront)).toMatch(/^hk_test_pub_/);
});
