// What the scripts share that try hosts from the packed package: npm's commands, and a server.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");
export const quiet = {
  // Compiling a driver can take a minute: `useDriver` copies the one of this repository.
  npm_config_ignore_scripts: "true",
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_loglevel: "error",
  NEXT_TELEMETRY_DISABLED: "1",
};

/** Runs a command until it ends, and gives what it wrote. */
export function run(line, cwd, env = {}) {
  const [command, ...args] = line.split(" ");
  return execFileSync(command, args, {
    cwd,
    env: { ...process.env, ...quiet, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Packs the built package into a folder, and gives the tarball's path. */
export function pack(folder) {
  run(`npm pack --silent --ignore-scripts --pack-destination ${folder}`, root);
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith(".tgz")),
  );
}

/** Takes the driver of this repository, where the starter's was not compiled. */
export function useDriver(project) {
  const driver = join(root, "node_modules/better-sqlite3");
  // Without it the storage takes the SQLite that Node has built in.
  if (!existsSync(driver)) return;

  const copy = join(project, "node_modules/better-sqlite3");
  rmSync(copy, { recursive: true, force: true });
  cpSync(realpathSync(driver), copy, { recursive: true });
}

/** Starts a server; `end` asks it to stop, by SIGTERM or as given, and checks its status. */
export function start([command, ...args], cwd, env, askToEnd) {
  const child = spawn(command === "node" ? process.execPath : command, args, {
    cwd,
    env: { ...process.env, ...quiet, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true, // `npm start` does not hand a signal on: the whole group is asked to end.
  });
  // One that a signal has ended has no exit code.
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const endAll = (signal) => {
    try {
      if (isRunning()) process.kill(-child.pid, signal);
    } catch (error) {
      // It ended a moment ago, and its event has not come yet.
      if (error.code !== "ESRCH") throw error;
    }
  };
  process.once("exit", () => endAll("SIGKILL"));
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });

  const until = async (what, isTrue) => {
    const deadline = Date.now() + 60_000;
    while (!(await isTrue())) {
      if (!isRunning()) throw new Error(`The server ended: ${output}`);
      if (Date.now() > deadline) throw new Error(`Not within a minute: ${what}. ${output}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  };
  return {
    says: (words) => until(String(words), () => words.test(output)),
    isReady: (url) =>
      until(url, () =>
        fetch(url).then(
          ({ status }) => status === 200,
          () => false,
        ),
      ),
    async end(expected) {
      const ended = once(child, "exit");
      if (askToEnd) askToEnd();
      else endAll("SIGTERM");
      const [code] = isRunning() ? await ended : [child.exitCode];
      if (expected !== undefined && code !== expected)
        throw new Error(`The server ended with ${code}: ${output}`);
    },
  };
}
