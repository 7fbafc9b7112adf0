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
/** All blocks of a guide. */
const codeOf = (path: string): readonly string[] =>
  [...readText(path).matchAll(/^```(?:ts|js)\n([\s\S]*?)^```/gm)].map(([, text = ""]) => text);
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

const files: Readonly<Record<string, string>> = {
  "fastify.ts": fastify,
  "node.ts": node,
  "route.ts": next.replace("@/lib/storefront", "../../../shop.ts"),
  "ask-next.ts": `import { GET } from "./route.ts";\n${ask}await ask("/v1/store", GET);`,
  "hono.ts": hono,
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

const sealKey = Buffer.alloc(32, 7).toString("base64");

async function run(name: string, env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const bundle = await bundleOf(relative(root, join(routes, name)));
  const host = runLine(`exec ${process.execPath} ${bundle}`, env);
  running.push(host);
  return host;
}

test("each host is shown whole: its storefront, three parts, and what it must call", () => {
  for (const path of filesBelow("docs/hosts")) {
    const code = codeOf(path).join("\n");
    for (const part of ["createStorefront(", "notifications", "checkoutPage", "runMaintenance("])
      expect(code, path).toContain(part);
    expect(code, path).toMatch(/gateways: \[.*\btransport: .*(runWebhookLoop|drainWebhooks)\(/s);
  }
  for (const block of [express, fastify, hono, node])
    expect(block.trim().split("\n").length).toBeLessThanOrEqual(31);

  expect(express).toBe(readText("examples/express/server.ts"));
  expect(fastify).toBe(readText("examples/fastify/server.ts"));
});

const words =
  /\[What your host must call\]\(\S*operations\.md#what-your-host-must-call\)[:*]+\s`runWebhookLoop`\sor\s+`drainWebhooks`,\sand\s`runMaintenance`\./;

test("the README and each host name in the same words what a host must call", () => {
  for (const path of ["README.md", ...filesBelow("docs/hosts")])
    expect(readText(path), path).toMatch(words);
});

const sends = /\.(runWebhookLoop|drainWebhooks)\(/;
const maintains = /\.runMaintenance\(/;

test("who shows one of the two calls shows the other, and every example that listens has both", () => {
  const guides = filesBelow("docs").filter((path) => path.endsWith(".md"));
  // One block shows what a drain reports.
  for (const path of guides.filter((guide) => !guide.startsWith("docs/reference/")))
    for (const block of codeOf(path))
      if (!/^const \{.*\} = await storefront\.drainWebhooks\(\);$/m.test(block))
        expect(maintains.test(block), `${path}\n${block}`).toBe(sends.test(block));

  const folders = new Map<string, string>();
  for (const path of filesBelow("examples").filter((file) => /\.tsx?$/.test(file))) {
    const folder = path.split("/")[1] ?? "";
    folders.set(folder, `${folders.get(folder) ?? ""}${readText(path)}`);
  }
  for (const [folder, code] of folders)
    if (/ = (await )?createStorefront\(/.test(code))
      expect([sends.test(code), maintains.test(code)], folder).toEqual([true, true]);
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
  await run(file, {
    PORT: String(port),
    DATABASE: join(folder, `${port}.sqlite`),
    SEAL_KEY: sealKey,
  });

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
