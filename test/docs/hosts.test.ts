import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { bundleOf } from "../support/bundle.ts";
import { type Running, runLine } from "../support/example.ts";
import { freePort } from "../support/free-port.ts";
import { filesBelow, readText, root } from "../support/markdown.ts";

/** The first block of a host's guide. */
const hostOf = (name: string): string =>
  /```ts\n([\s\S]*?)```/.exec(readText(`docs/hosts/${name}.md`))?.[1] ?? "";
const [express = "", fastify = "", hono = "", node = ""] = [
  "express",
  "fastify",
  "hono",
  "node-http",
].map(hostOf);
const [, next = ""] =
  /^```ts\n\/\/ app\/v1.*\n([\s\S]*?)```/m.exec(readText("docs/hosts/nextjs.md")) ?? [];

// The folder is in the repository, so that `vitrine/…` is found. The files are as deep in it as a
// route file is in an app, so that `../../../shop.ts` is found.
const folder = join(root, `.data/hosts-${process.pid}`);
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
  "route.ts": next.replace("@/lib/storefront", "../../../shop.ts"),
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

test("each host is shown in one block, Express with its storefront", () => {
  for (const block of [fastify, next, hono, node])
    expect(block.trim().split("\n").length).toBeLessThanOrEqual(10);

  expect(express).toBe(readText("examples/express/server.ts"));
  expect(express.trim().split("\n").length).toBeLessThan(25);
});

test("the guides of the hosts are of one form", () => {
  for (const path of filesBelow("docs/hosts")) {
    const text = readText(path);
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(headings, path).toEqual(expect.arrayContaining(["Mount it", "What to know"]));
    expect(text, path).toMatch(/^# .+\n\nHow-to\. You need .+minutes\./s);
  }
});

test.each([
  ["Fastify", "fastify.ts"],
  ["node:http", "node.ts"],
])("the %s host answers", async (_name, file) => {
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

test("the Next.js route and Hono app answer", async () => {
  const [route, app] = [await run("ask-next.ts"), await run("ask-hono.ts")];
  await Promise.all([route.ended, app.ended]);
  expect([route.output(), app.output()], route.problems() + app.problems()).toEqual([
    "401\n",
    "401\n404\n",
  ]);
});
