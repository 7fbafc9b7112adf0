import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { freshFolder } from "../support/demo.ts";
import { runLine } from "../support/example.ts";
import { freePort } from "../support/free-port.ts";
import { readText, root } from "../support/markdown.ts";
import { payByForm } from "../support/pay-form.ts";

const tutorial = readText("docs/tutorial.md");
const blocks = (language: string): readonly string[] =>
  [...tutorial.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, text = ""]) => text,
  );

test("the tutorial leads from an empty folder to a paid order, a refund and a webhook", async () => {
  const port = await freePort();
  const folder = await writeFiles();
  const [install = "", start = "", list = "", begin = "", refund = "", ...more] = blocks("sh");
  expect(install).toContain("npm install vitrine");
  expect(more).toEqual([]);

  const env = { PORT: String(port) };
  const server = runLine(`exec ${start}`, env, folder);
  onTestFinished(() => server.stop());
  await server.until("Sign in to the dashboard: ");

  const ask = `${list}${begin}`.replaceAll("localhost:3000", `localhost:${port}`);
  const [listed = "", session = ""] = execFileSync("bash", ["-c", `set -e\n${ask}`], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  }).split(/(?<=\})(?=\{"data":\{)/);
  expect(JSON.parse(listed).data).toMatchObject([{ name: "Coffee", price: 3450 }]);

  const { data } = JSON.parse(session);
  expect(data.amount_total).toBe(6900);
  await payByForm(data.checkout_url, { outcome: "succeed" });
  const [told = ""] = blocks("text");
  for (const line of told.trim().split("\n")) await server.until(line);

  expect(
    execFileSync("sh", ["-c", refund], { cwd: folder, env: { ...process.env, ...env } }),
  ).toEqual(Buffer.from("Order 1 is partially_refunded\n"));
  await server.until("order.refunded: order 1");

  const [, link = ""] = /dashboard: (\S+)/.exec(server.output()) ?? [];
  expect(await (await fetch(link)).text()).toContain("tutorial");
});

test("a host of the tutorial whose port is taken says so and ends", async () => {
  const taken = createServer().listen(0);
  onTestFinished(() => void taken.close());
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const server = runLine("exec node server.js", { PORT: String(port) }, await writeFiles());
  expect(await server.ended).toBe(1);
  expect(server.problems()).toContain("EADDRINUSE");
  expect(server.output()).not.toContain("The shop runs at");
});

/** Writes the files of the guide, built with the sources in place of the package. */
async function writeFiles(): Promise<string> {
  const folder = join(root, ".data", basename(freshFolder()));
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true }));

  for (const text of blocks("js")) {
    const [, name = ""] = /^\/\/ (\S+)/.exec(text) ?? [];
    writeFileSync(join(folder, name), text);
  }
  // The reader's folder has the package installed. Here the sources stand for it.
  await build({
    entryPoints: ["server.js", "refund.js"].map((name) => join(folder, name)),
    outdir: folder,
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    packages: "external",
    tsconfig: join(root, "tsconfig.json"),
    logLevel: "warning",
  });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  return folder;
}
