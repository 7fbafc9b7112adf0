import { once } from "node:events";
import { expect, test } from "vitest";
import { runDemo } from "../support/demo.ts";

/** Runs in the demo's process first: it takes both drivers of SQLite away. */
const takeDrivers = `import Module from "node:module";
const load = Module._load;
Module._load = (name, ...rest) => {
  if (name.startsWith("better-sqlite3")) throw new Error("Cannot find module");
  return load(name, ...rest);
};
process.getBuiltinModule = () => undefined;`;

/** Starts the demo without drivers and gives what it writes until it serves or ends. */
async function startWithoutDrivers(args: readonly string[]): Promise<string> {
  const preload = `data:text/javascript,${encodeURIComponent(takeDrivers)}`;
  const child = await runDemo(["--port", "0", ...args], ["--import", preload]);
  const ended = once(child, "close");

  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      text += chunk;
      if (text.includes("Press Ctrl+C")) child.kill("SIGTERM");
    });
  await ended;
  return text;
}

test("without a driver the demo runs in memory and prints the command that gives SQLite", async () => {
  const text = await startWithoutDrivers([]);
  expect(text).toContain("npx --yes node@24 --import tsx examples/demo/main.ts");
  expect(text).toContain("in memory, gone at the end");
});

test("without a driver the demo refuses a database that the user names, and says why", async () => {
  const text = await startWithoutDrivers(["--database", "named.sqlite"]);
  expect(text).toMatch(/^SQLite needs better-sqlite3, or Node 22\.16 or later .*Run: npm install/);
  expect(text).not.toContain("in memory");
});
