import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Running, runLine } from "../support/example.ts";
import { freePort } from "../support/free-port.ts";

const root = resolve(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const section = readme.slice(readme.indexOf("\n## Other hosts"), readme.indexOf("\n## Call it"));
const [fastify = "", next = "", hono = "", node = "", ...more] = [
  ...section.matchAll(/```ts\n([\s\S]*?)```/g),
].map(([, block]) => block);

// Within the repository, so that `vitrine/…` is found; as deep as a route file, so that `../../../shop.ts` is.
const folder = join(root, `.data/readme-${process.pid}`);
const routes = join(folder, "app/v1/path");
const shop = `import { createStorefront, memoryStorage, sandboxGateway } from "vitrine";
export const storefront = createStorefront({ storage: memoryStorage(), publicUrl: "http://localhost:3000", checkout: { baseUrl: "http://localhost:3000/pay" }, gateways: [sandboxGateway()] });
export const openShop = async () => storefront;
`;
const ask = `
const ask = async (path: string, from: (request: Request) => Response | Promise<Response>) => console.log((await from(new Request("http://localhost:3000" + path))).status);
`;
const files: Readonly<Record<string, string>> = {
  "fastify.ts": `import { storefront } from "../../../shop.ts";\n${fastify}`,
  "node.ts": `import { storefront } from "../../../shop.ts";\n${node}`,
  "route.ts": next,
  "ask-next.ts": `import { GET } from "./route.ts";\n${ask}await ask("/v1/store", GET);`,
  "hono.ts": `import { storefront } from "../../../shop.ts";\n${hono}`,
  "ask-hono.ts": `import app from "./hono.ts";\n${ask}for (const path of ["/v1/store", "/pay/none"]) await ask(path, (request) => app.fetch(request));`,
};
beforeAll(() => {
  mkdirSync(routes, { recursive: true });
  writeFileSync(join(folder, "shop.ts"), shop);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(routes, name), text);
});
const running: Running[] = [];
afterEach(async () => {
  for (const host of running.splice(0)) await host.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const run = (name: string): Running => {
  const host = runLine(`exec ${process.execPath} --import tsx ${join(routes, name)}`, {});
  running.push(host);
  return host;
};

test("the README shows a host a block, each of at most ten lines", () => {
  expect(more).toEqual([]);
  for (const block of [fastify, next, hono, node])
    expect(block.trim().split("\n").length).toBeLessThanOrEqual(10);
});

test.each([
  ["Fastify", "fastify.ts"],
  ["node:http", "node.ts"],
])("the README's %s host answers", async (_name, file) => {
  const port = await freePort();
  writeFileSync(join(routes, file), (files[file] ?? "").replace("3000", String(port)));
  run(file);
  const ask = (path: string) =>
    fetch(`http://localhost:${port}${path}`).then(
      (answer) => answer.status,
      () => 0,
    );
  await expect.poll(() => ask("/v1/store"), { timeout: 30_000 }).toBe(401);
  expect(await ask("/else")).toBe(404);
});

test("the README's Next.js route and Hono app answer", async () => {
  const [route, app] = [run("ask-next.ts"), run("ask-hono.ts")];
  await Promise.all([route.ended, app.ended]);
  expect([route.output(), app.output()], route.problems() + app.problems()).toEqual([
    "401\n",
    "401\n404\n",
  ]);
});
