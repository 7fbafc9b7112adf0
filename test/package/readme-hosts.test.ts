import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { bundleOf } from "../support/bundle.ts";
import { type Running, runLine } from "../support/example.ts";
import { freePort } from "../support/free-port.ts";
import { readText, root } from "../support/markdown.ts";

const readme = readText("README.md");
const section = readme.slice(readme.indexOf("\n## Other hosts"), readme.indexOf("\n## Call it"));
const [fastify = "", next = "", hono = "", node = "", ...more] = [
  ...section.matchAll(/```ts\n([\s\S]*?)```/g),
].map(([, block]) => block);

// The folder is in the repository, so that `vitrine/…` is found. The files are as deep in it as a
// route file is in an app, so that `../../../shop.ts` is found.
const folder = join(root, `.data/readme-${process.pid}`);
const routes = join(folder, "app/v1/path");

const shop = `import { createStorefront, memoryStorage, sandboxGateway } from "vitrine";
export const storefront = createStorefront({
  storage: memoryStorage(),
  publicUrl: "http://localhost:3000",
  checkout: { baseUrl: "http://localhost:3000/pay" },
  gateways: [sandboxGateway()],
});
export const openShop = async () => storefront;
`;

/** Sends a request to a handler and prints the status of its answer. */
const ask = `
async function ask(path: string, handler: (request: Request) => Response | Promise<Response>) {
  const response = await handler(new Request("http://localhost:3000" + path));
  console.log(response.status);
}
`;

const importShop = 'import { storefront } from "../../../shop.ts";\n';
const files: Readonly<Record<string, string>> = {
  "fastify.ts": importShop + fastify,
  "node.ts": importShop + node,
  "route.ts": next,
  "ask-next.ts": `import { GET } from "./route.ts";\n${ask}await ask("/v1/store", GET);`,
  "hono.ts": importShop + hono,
  "ask-hono.ts": `import app from "./hono.ts";\n${ask}
for (const path of ["/v1/store", "/pay/none"]) await ask(path, (request) => app.fetch(request));`,
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

async function run(name: string): Promise<Running> {
  const bundle = await bundleOf(relative(root, join(routes, name)));
  const host = runLine(`exec ${process.execPath} ${bundle}`, {});
  running.push(host);
  return host;
}

test("the README shows each host in one block of at most ten lines", () => {
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
  await run(file);

  const statusOf = (path: string) =>
    fetch(`http://localhost:${port}${path}`).then(
      (answer) => answer.status,
      () => 0,
    );
  await expect.poll(() => statusOf("/v1/store"), { timeout: 30_000 }).toBe(401);
  expect(await statusOf("/else")).toBe(404);
});

test("the README's Next.js route and Hono app answer", async () => {
  const [route, app] = [await run("ask-next.ts"), await run("ask-hono.ts")];
  await Promise.all([route.ended, app.ended]);
  expect([route.output(), app.output()], route.problems() + app.problems()).toEqual([
    "401\n",
    "401\n404\n",
  ]);
});
