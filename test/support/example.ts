import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, onTestFinished } from "vitest";
import { bundleOf } from "./bundle.ts";
import { freshFolder } from "./demo.ts";
import { freePort } from "./free-port.ts";
import { readText } from "./markdown.ts";

const root = resolve(import.meta.dirname, "../..");

/** Lists the commands of a README's shell blocks without those that install. */
export function commandsOf(folder: string): readonly string[] {
  const text = readFileSync(join(root, folder, "README.md"), "utf8");
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
    block
      .trim()
      .split("\n")
      .filter((line) => !/^npm (install|run packages)/.test(line)),
  );
}

export interface Running {
  /** The standard output so far. */
  output(): string;
  problems(): string;
  /** Waits for these words on the standard output. Throws its output if the process ends first. */
  until(words: string): Promise<void>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

/** Runs a line of a README unchanged in a shell, from the repository's root. */
export function runLine(line: string, env: Readonly<Record<string, string>>, cwd = root): Running {
  // The command runs in a process group of its own, so that the processes of npx end with it.
  const child = spawn("sh", ["-c", line], {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  let problems = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  child.stderr.on("data", (chunk) => {
    problems += chunk;
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    output: () => text,
    problems: () => problems,
    async until(words) {
      let over = false;
      void ended.then(() => {
        over = true;
      });
      while (!text.includes(words)) {
        if (over) throw new Error(`It ended without "${words}": ${text}${problems}`);
        await new Promise((done) => setTimeout(done, 50));
      }
    },
    ended,
    async stop() {
      if (child.pid && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
      await ended;
    },
  };
}

/** Waits until a host answers. What it printed may be older than its open port. */
export const reachable = (base: string, path = "/"): Promise<void> =>
  expect
    .poll(
      () =>
        fetch(`${base}${path}`).then(
          (answer) => answer.status,
          () => 0,
        ),
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0);

/** What a host prints at its first start. */
export interface FirstReport {
  readonly key: string;
  readonly product_id: string;
}

/** Begins a purchase as the guides do with curl, and gives the address of its checkout page. */
export async function beginPurchase(
  base: string,
  { key, product_id }: FirstReport,
): Promise<string> {
  const answer = await fetch(`${base}/v1/checkout/sessions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": "1",
    },
    body: JSON.stringify({
      items: [{ product_id, quantity: 1 }],
      success_url: `${base}/done`,
      cancel_url: `${base}/done`,
    }),
  });
  const { data } = await answer.json();
  return data.checkout_url;
}

/**
 * Runs the whole server that a guide shows, in a folder of its own inside the repository,
 * where its imports are found. `change` leads it to a provider's fake.
 */
export async function runGuide(
  guide: string,
  env: Readonly<Record<string, string>>,
  change: (server: string) => string = (server) => server,
) {
  const blocks = [...readText(guide).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text]) => text);
  const server = blocks.find((text) => text?.includes("app.listen(")) ?? "";
  const folder = join(".data", basename(freshFolder()));
  mkdirSync(join(root, folder), { recursive: true });
  onTestFinished(() => rmSync(join(root, folder), { recursive: true }));

  writeFileSync(join(root, folder, "server.ts"), change(server));
  const line = `exec ${process.execPath} ${await bundleOf(join(folder, "server.ts"))}`;
  return { folder: join(root, folder), start: () => runLine(line, env, join(root, folder)) };
}

/** Starts an example's server with a fresh database and returns its address and first line. */
export async function startExample(file: string, env: Record<string, string> = {}) {
  const port = await freePort();
  const folder = freshFolder();
  const child = spawn(process.execPath, ["--enable-source-maps", await bundleOf(file)], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE: join(folder, "shop.sqlite"),
      OWN_DATABASE: join(folder, "own.sqlite"),
      ...env,
    },
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
