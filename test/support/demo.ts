import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundleOf } from "./bundle.ts";

const root = resolve(import.meta.dirname, "../..");

export interface DemoReport {
  readonly base_url: string;
  readonly store_id: string;
  readonly keys: Readonly<
    Record<"test" | "live", { readonly publishable: string; readonly secret: string }>
  >;
  readonly scoped_key: string;
  readonly revoked_key: string;
  readonly origins: readonly string[];
  readonly return_urls: readonly string[];
  readonly products: readonly { readonly id: string; readonly slug: string }[];
  readonly coupon_code: string;
  readonly customer_token: string;
  readonly paid_order_id: string;
  readonly webhook_secret: string;
}

export interface Demo {
  readonly origin: string;
  readonly report: DemoReport & { readonly second_store: DemoReport };
  readonly stderr: () => string;
  stop(): Promise<void>;
}

export const freshFolder = (): string => mkdtempSync(join(tmpdir(), "vitrine-demo-"));

const main = "examples/demo/main.ts";

const spawnNode = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });

/** Runs a bundle of the demo, which starts in a third of the time that `npm start` takes. */
export async function runDemo(
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<ChildProcess> {
  return spawnNode(["--enable-source-maps", ...nodeOptions, await bundleOf(main), ...args]);
}

/** Without the orders of three months, which most tests have no use for. */
const common = ["--json", "--port", "0", "--history", "off"];

/** Starts the demo on a free port, with `--json`. */
export const startDemo = async (...args: readonly string[]): Promise<Demo> =>
  untilReady(await runDemo([...common, ...args]));

/** Starts the demo as `npm start` does, on a free port. */
export const startDemoByTsx = (...args: readonly string[]): Promise<Demo> =>
  untilReady(spawnNode(["--import", "tsx", main, ...common, ...args]));

async function untilReady(child: ChildProcess): Promise<Demo> {
  let stdout = "";
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const line = await new Promise<string>((done, reject) => {
    child.stdout?.on("data", (chunk) => {
      stdout += chunk;
      if (stdout.includes("\n")) done(stdout.slice(0, stdout.indexOf("\n")));
    });
    child.once("exit", (code) => reject(new Error(`The demo ended with ${code}: ${stderr}`)));
  });
  const report = JSON.parse(line);
  return {
    origin: new URL(report.base_url).origin,
    report,
    stderr: () => stderr,
    async stop() {
      child.removeAllListeners("exit");
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
