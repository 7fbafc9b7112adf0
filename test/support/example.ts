import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { freshFolder } from "./demo.ts";

const root = resolve(import.meta.dirname, "../..");

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  return typeof address === "object" && address ? address.port : 0;
}

/** An example as its README starts it, with databases in a folder of its own; gives its address and the first line it prints. */
export async function startExample(file: string, env: Record<string, string> = {}) {
  const port = await freePort();
  const folder = freshFolder();
  const child = spawn(process.execPath, ["--import", "tsx", file], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATABASE: join(folder, "shop.sqlite"), OWN_DATABASE: join(folder, "own.sqlite"), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill();
    await once(child, "exit");
  });
  let printed = "";
  for await (const part of child.stdout) {
    printed += part;
    if (printed.includes("\n")) break;
  }
  return { base: `http://localhost:${port}`, printed: printed.split("\n", 1)[0] ?? "" };
}
