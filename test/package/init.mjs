// Makes a project of each host by `vitrine init` from the packed package, in an empty folder: it
// starts, a seeded store sells by the page and by the command, and `doctor` finds no mistake. It
// needs `npm run build` before. `node test/package/init.mjs hono` tries one host alone. The first
// host's project begins with an empty cache of npm, has its first paid order within three minutes,
// and runs every command of the table too: it prints what each took.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tsImport } from "tsx/esm/api";
import { tryCommands } from "./every-command.mjs";
import { ask, buyByApi, pay } from "./purchase.mjs";
import { pack, run, start, useDriver } from "./try-host.mjs";

const { freePort } = await tsImport("../support/free-port.ts", import.meta.url);
const { hostNames } = await tsImport("../../adapters/cli/commands/start/names.ts", import.meta.url);

const folder = mkdtempSync(join(tmpdir(), "vitrine-init-"));

const mostSeconds = 180;
const secondsSince = (began) => Math.round((Date.now() - began) / 1_000);

/** Gives the environment of somebody who has never installed a package. */
function emptyCache() {
  const cache = join(folder, "npm-cache");
  mkdirSync(cache);
  return { npm_config_cache: cache, npm_config_prefer_offline: "false" };
}

async function tryHost(host, packed, isFirst) {
  const began = Date.now();
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const project = join(folder, host);
  mkdirSync(project);
  const made = `npx --yes --package=${packed} vitrine init --host ${host} --port ${port}`;
  run(made, project, isFirst ? emptyCache() : {});
  useDriver(project);
  checkSecret(project);

  const server = start(["npm", "start"], project, {});
  try {
    await server.isReady(`${origin}/v1/readyz`);
    const seeded = JSON.parse(run("npx vitrine seed --json", project));
    const events = JSON.parse(run("npx vitrine trigger order.paid --json", project));
    assert.ok(JSON.stringify(events).includes("order.paid"));
    const seconds = secondsSince(began);
    if (isFirst) {
      console.log(`${host}: from an empty npm cache to a paid test order in ${seconds} s`);
      assert.ok(seconds < mostSeconds, `A paid test order took ${seconds} s.`);
    }

    const { secret_key: SHOP_KEY, product_id: PRODUCT } = seeded;
    await pay(await buyByApi(origin, { SHOP_KEY, PRODUCT }), `${origin}/thanks`);
    await ask(`${origin}/thanks`, {}, 200);
    await ask(`${origin}/v1/docs`, {}, 200);

    run("npx vitrine doctor --json", project);
    if (isFirst) await tryCommands(project, { ...seeded, url: `${origin}/v1` });
  } finally {
    await server.end();
  }
}

/** The secret is for nobody else, and git does not see it. */
function checkSecret(project) {
  assert.equal(statSync(join(project, ".env")).mode & 0o777, 0o600);
  assert.match(readFileSync(join(project, ".gitignore"), "utf8"), /^\.env$/m);
}

const names = process.argv.length > 2 ? process.argv.slice(2) : hostNames;
try {
  const packed = pack(folder);
  for (const name of names) {
    const began = Date.now();
    await tryHost(name, packed, name === names[0]);
    console.log(`${name}: made by init, started, and sold in ${secondsSince(began)} s`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
