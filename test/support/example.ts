import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { bundleOf } from "./bundle.ts";
import { freshFolder } from "./demo.ts";
import { freePort } from "./free-port.ts";

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
