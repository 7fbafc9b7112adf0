import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import manifest from "../../package.json" with { type: "json" };
import { external, program, subpaths } from "../repository/subpaths.mjs";
import { afterEveryTest } from "../support/after-test.ts";

const root = resolve(import.meta.dirname, "../..");
/** Packages of nothing but modules: their hundreds of files take half of a command's start. */
const bundled = new Set(["jose", "kysely", "p-retry", "zod"]);
const linked = [...external, "express", "fastify", "hono", "tsx", "esbuild", "get-tsconfig"];

let built: Promise<string> | undefined;

/** Builds the package once, as tsup does but without types, into a folder that projects link. */
function packageFolder(): Promise<string> {
  built ??= buildPackage();
  return built;
}

async function buildPackage(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-built-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const own = join(folder, "node_modules/vitrine");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), JSON.stringify(manifest));

  const shared = {
    outdir: join(own, "dist"),
    bundle: true,
    format: "esm",
    platform: "node",
    absWorkingDir: root,
    logLevel: "error",
  } as const;
  await build({
    ...shared,
    entryPoints: Object.fromEntries(subpaths.map(({ entry, source }) => [entry, source])),
    splitting: true,
    external: external.filter((name) => !bundled.has(name)),
  });
  await build({
    ...shared,
    entryPoints: { [program.entry]: program.source },
    external: [...external, ...subpaths.map(({ name }) => name)],
    banner: { js: program.banner },
  });
  for (const name of linked) {
    const from = join(root, "node_modules", name);
    mkdirSync(join(folder, "node_modules", name, ".."), { recursive: true });
    symlinkSync(from, join(folder, "node_modules", name));
  }
  return folder;
}

/** The end of a run of the command, with all that it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Another Node than the one that runs the tests. */
  readonly node?: string;
}

export interface RunningCommand {
  readonly process: ChildProcess;
  /** Gives all that was written so far. */
  text(): string;
  /** Waits until a text was written. */
  wrote(text: string | RegExp): Promise<void>;
  ended: Promise<Ended>;
}

export interface Project {
  readonly folder: string;
  /** Runs the built command in this folder until it ends. */
  run(words: string | readonly string[], options?: RunOptions): Promise<Ended>;
  /** Runs it and parses what it wrote to stdout. */
  json(words: string, options?: RunOptions): Promise<Json>;
  start(words: string | readonly string[], options?: RunOptions): RunningCommand;
  node(file: string, env?: Readonly<Record<string, string>>): RunningCommand;
  write(name: string, text: string): void;
}

/** A parsed answer, of which a test reads what it knows to be there. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts.
export type Json = any;

const cleanups: (() => void)[] = [];
afterEveryTest(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

/** Makes an empty folder in which the built package is installed. */
export async function newProject(): Promise<Project> {
  const modules = await packageFolder();
  const folder = mkdtempSync(join(tmpdir(), "vitrine-cli-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(modules, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }));
  const cli = join(folder, "node_modules/vitrine", manifest.bin.vitrine);

  const start: Project["start"] = (words, options) => {
    const list = typeof words === "string" ? words.split(" ") : words;
    return launch(folder, [cli, ...list], options);
  };
  return {
    folder,
    start,
    run: (words, options) => start(words, options).ended,
    async json(words, options) {
      const { out, err, code } = await start(`${words} --json`, options).ended;
      if (code !== 0) throw new Error(`vitrine ${words} ended with ${code}: ${err}${out}`);
      return JSON.parse(out);
    },
    node: (file, env) => launch(folder, [file], { env }),
    write: (name, text) => {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, name), text);
    },
  };
}

function launch(folder: string, args: readonly string[], options: RunOptions = {}): RunningCommand {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, ...options.env };
  const child = spawn(options.node ?? process.execPath, ["--no-warnings", ...args], {
    cwd: folder,
    env,
  });
  cleanups.push(() => void child.kill("SIGKILL"));
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  child.stdin.end(options.stdin ?? "");

  return {
    process: child,
    text: () => out + err,
    async wrote(text) {
      const found = (): boolean =>
        typeof text === "string" ? (out + err).includes(text) : text.test(out + err);
      for (let tries = 0; !found(); tries += 1) {
        if (tries > 1_500 || child.exitCode !== null)
          throw new Error(`It did not write ${text}, but: ${out}${err}`);
        await new Promise((done) => setTimeout(done, 20));
      }
    },
    ended: once(child, "close").then(([code]) => ({ code, out, err })),
  };
}

/** A host on SQLite, as a user writes it. */
export const sqliteHost = `import { createStorefront, sandboxGateway } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";
export const database = process.env.DATABASE ?? "shop.sqlite";
export const storefront = createStorefront({
  storage: sqliteStorage(database),
  publicUrl: process.env.PUBLIC_URL ?? "http://localhost:3000",
  gateways: [sandboxGateway()],
  transport: nodeTransport(JSON.parse(process.env.TRANSPORT ?? "{}")),
  requestLog: {},
  sealKey: new Uint8Array(32).fill(7),
});
`;
