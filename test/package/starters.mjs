// Installs the packed package in a copy of each of its starters, runs the tests, follows the
// Dockerfile, and starts it on SQLite and on PostgreSQL: each sells, and ends in order. It needs
// `npm run build` before. `node test/package/starters.mjs next` tries one starter alone.
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tsImport } from "tsx/esm/api";
import nextLock from "../../examples/next/package-lock.json" with { type: "json" };
import { buildByDockerfile } from "./dockerfile.mjs";
import { ask, buyByApi, buyOnPage, pay } from "./purchase.mjs";
import { quiet, root, run, start, useDriver } from "./try-host.mjs";

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

const folder = mkdtempSync(join(tmpdir(), "vitrine-starters-"));
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
