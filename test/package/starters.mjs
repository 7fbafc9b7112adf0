// Installs the packed package in a copy of each of its starters, runs the tests, follows the
// Dockerfile, and starts it on SQLite and on PostgreSQL: each sells, and ends in order. It needs
// `npm run build` before. `node test/package/starters.mjs next` tries one starter alone.
// `containers.mjs` does what the Dockerfile says where there is a container engine.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tsImport } from "tsx/esm/api";
import { buildByDockerfile } from "./dockerfile.mjs";
import { readPrinted, sell, settingsOfServer, starters } from "./sell.mjs";
import { pack, quiet, run, start, useDriver } from "./try-host.mjs";

const { startServer } = await tsImport("../support/postgres-server.ts", import.meta.url);

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
  const { variables, command } = buildByDockerfile({ project, context, image, packed, env: quiet });
  useDriver(image);

  for (const database of [
    { SQLITE_FILE: join(folder, `${name}.sqlite`) },
    { DATABASE_URL: databaseUrl },
  ]) {
    const settings = { ...database, ...(await settingsOfServer()) };
    const made = readPrinted(run("npm run --silent setup", project, settings));
    const server = start(command, image, { ...variables, ...settings, ...made });
    await sell(starters[name], server, { ...settings, ...made });
  }
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(starters);
const servers = [];
try {
  const packed = pack(folder);
  run(`tar -xzf ${packed}`, folder);

  for (const name of names) {
    const began = Date.now();
    const database = await startServer();
    servers.push(database);
    await checkStarter(name, packed, database.url);
    const seconds = Math.round((Date.now() - began) / 1_000);
    console.log(`${name}: installed, tested, built, and sold on two databases in ${seconds} s`);
  }
} finally {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
