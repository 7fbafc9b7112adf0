// Installs the packed package in a copy of each of its starters, runs the tests, follows the
// Dockerfile, and starts it on SQLite and on PostgreSQL: each sells, and ends in order. It needs
// `npm run build` before. `node test/package/starters.mjs next` tries one starter alone.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { tsImport } from "tsx/esm/api";
import nextLock from "../../examples/next/package-lock.json" with { type: "json" };
import { buildByDockerfile } from "./dockerfile.mjs";
import { ask, buyByApi, buyOnPage, pay } from "./purchase.mjs";

const { startServer } = await tsImport("../support/postgres-server.ts", import.meta.url);
const { freePort } = await tsImport("../support/free-port.ts", import.meta.url);

const starters = {
  express: { versions: [], order: buyByApi, exitCode: 0, async check() {} },
  next: {
    // A version whose packages for each platform have just come out may lack some of them, and
    // `npm ci` then refuses the lock file: take the one that the example is tested with.
    versions: [`next@${nextLock.packages["node_modules/next"].version}`],
    order: buyOnPage,
    // The status of a process that SIGTERM has ended, which Next.js gives when all is answered.
    exitCode: 143,
    async check(origin) {
      const headers = { authorization: "Bearer cron-secret" };
      await ask(`${origin}/cron`, {}, 401);
      await ask(`${origin}/cron`, { headers }, 200);
    },
  },
};

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "vitrine-starters-"));
const quiet = {
  // Compiling a driver can take a minute: `useDriver` copies the one of this repository.
  npm_config_ignore_scripts: "true",
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_loglevel: "error",
  NEXT_TELEMETRY_DISABLED: "1",
};

function run(line, cwd, env = {}) {
  const [command, ...args] = line.split(" ");
  return execFileSync(command, args, {
    cwd,
    env: { ...process.env, ...quiet, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function checkStarter(name, packed, databaseUrl) {
  const project = join(folder, name);
  // From the package, as those copy it who have no checkout of the repository.
  cpSync(join(folder, "package/examples", `starter-${name}`), project, { recursive: true });
  run(`npm install ${[packed, ...starters[name].versions].join(" ")}`, project);
  useDriver(project);
  run("npm test", project);

  const image = join(folder, `${name}-image`);
  const context = join(folder, `${name}-context`);
  const built = buildByDockerfile({ project, context, image, packed, env: quiet });
  useDriver(image);

  for (const database of [
    { SQLITE_FILE: join(folder, `${name}.sqlite`) },
    { DATABASE_URL: databaseUrl },
  ])
    await sell(starters[name], { project, image, ...built }, database);
}

/** Takes the driver of this repository, where the starter's was not compiled. */
function useDriver(project) {
  const driver = join(root, "node_modules/better-sqlite3");
  // Without it the storage takes the SQLite that Node has built in.
  if (!existsSync(driver)) return;

  const copy = join(project, "node_modules/better-sqlite3");
  rmSync(copy, { recursive: true, force: true });
  cpSync(realpathSync(driver), copy, { recursive: true });
}

/** Sets up a store, starts the container's command, buys and pays, and ends it. */
async function sell(starter, { project, image, variables, command }, database) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const settings = {
    ...database,
    PORT: String(port),
    PUBLIC_URL: origin,
    SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
    CRON_SECRET: "cron-secret",
  };
  const made = Object.fromEntries(
    run("npm run --silent setup", project, settings)
      .trim()
      .split("\n")
      .map((line) => line.split("=")),
  );

  const server = start(command, image, { ...variables, ...settings, ...made });
  try {
    await server.isReady(`${origin}/v1/readyz`);
    const checkoutUrl = await starter.order(origin, made);
    await pay(checkoutUrl, `${origin}/thanks`);
    await server.says(/Order 1 is paid: Coffee/);

    await ask(`${origin}/v1/healthz`, {}, 200);
    await ask(`${origin}/dashboard`, {}, 401);
    await starter.check(origin);
  } finally {
    await server.end(starter.exitCode);
  }
}

function start([command, ...args], cwd, env) {
  const child = spawn(command === "node" ? process.execPath : command, args, {
    cwd,
    env: { ...process.env, ...quiet, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });

  const until = async (what, isTrue) => {
    const deadline = Date.now() + 60_000;
    while (!(await isTrue())) {
      if (child.exitCode !== null) throw new Error(`The server ended: ${output}`);
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
      child.kill("SIGTERM");
      const [code] = child.exitCode === null ? await ended : [child.exitCode];
      if (code !== expected) throw new Error(`The server ended with ${code}: ${output}`);
    },
  };
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(starters);
const servers = [];
try {
  run(`npm pack --silent --ignore-scripts --pack-destination ${folder}`, root);
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  run(`tar -xzf ${tarball}`, folder);

  for (const name of names) {
    const began = Date.now();
    const database = await startServer();
    servers.push(database);
    await checkStarter(name, join(folder, tarball), database.url);
    const seconds = Math.round((Date.now() - began) / 1_000);
    console.log(`${name}: installed, tested, built, and sold on two databases in ${seconds} s`);
  }
} finally {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
