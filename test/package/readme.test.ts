import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { freshFolder } from "../support/demo.ts";
import { freePort } from "../support/free-port.ts";
import { readText, root } from "../support/markdown.ts";
import { createShop } from "../support/shop.ts";

const readme = readText("README.md");

test("the README's Express host is examples/express, stays under 25 lines, and answers", async () => {
  const source = readText("examples/express/server.ts");
  expect(readme).toContain(source);
  expect(source.trim().split("\n").length).toBeLessThan(25);

  const port = await freePort();
  const child = spawn(process.execPath, ["--import", "tsx", "examples/express/server.ts"], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATABASE: join(freshFolder(), "shop.sqlite") },
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

test("the README's set-up of a store runs as it is written", async () => {
  const { storefront } = await createShop(memoryStorage());
  const [, block = ""] = /```ts\n(const \{ owner \} = storefront;[\s\S]*?)```/.exec(readme) ?? [];
  expect(block).toContain("owner.keys.create");

  const run = new Function("storefront", `return (async () => {${block}; return key;})()`);
  expect(await run(storefront)).toMatch(/^hk_test_pub_/);
});
