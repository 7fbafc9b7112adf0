// Runs every command of command-runs.ts from the installed package, and prints how long each took.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { tsImport } from "tsx/esm/api";
import { quiet } from "./try-host.mjs";

const { commandRuns } = await tsImport("./command-runs.ts", import.meta.url);

/** `host` is what `seed` gave, and the address of the API that serves it. */
export async function tryCommands(project, host) {
  const receiver = createServer((_request, response) => response.end()).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const known = { url: host.url, receiver: `http://127.0.0.1:${receiver.address().port}/hook` };
  mkdirSync(join(project, "again"));
  const product = { slug: "mug", name: "Mug", price: 4_200 };
  writeFileSync(join(project, "products.jsonl"), `${JSON.stringify(product)}\n`);

  console.log("  seconds  command");
  try {
    for (const each of commandRuns) {
      const began = Date.now();
      const answer = await runOnce(project, each, { host, known });
      for (const [name, field] of Object.entries(each.gives ?? {})) known[name] = answer[field];
      const seconds = ((Date.now() - began) / 1_000).toFixed(1);
      console.log(`  ${seconds.padStart(7)}  vitrine ${each.typed}`);
    }
  } finally {
    receiver.close();
  }
}

async function runOnce(project, { typed, folder = "", until, asks }, { host, known }) {
  const words = typed.split(" ").map((word) => word.replace(/\{(\w+)\}/, (_, name) => known[name]));
  // npx would end by Ctrl-C itself, and not tell the command's own exit code.
  const child = spawn(join(project, "node_modules/.bin/vitrine"), [...words, "--json"], {
    cwd: join(project, folder),
    env: { ...process.env, ...quiet, VITRINE_API_KEY: host.secret_key },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (part) => {
    out += part;
  });
  child.stderr.on("data", (part) => {
    err += part;
  });
  const ended = once(child, "close");
  const deadline = Date.now() + 120_000;
  while (until !== undefined && !out.includes(until)) {
    if (child.exitCode !== null || Date.now() > deadline) break;
    // A request that the host answers, for the one who watches them.
    const headers = { authorization: `Bearer ${host.secret_key}` };
    if (asks) await fetch(`${host.url}/store`, { headers });
    await new Promise((done) => setTimeout(done, 100));
  }
  if (until !== undefined && child.exitCode === null) child.kill("SIGINT");

  const [code] = await ended;
  assert.ok(until === undefined || out.includes(until), `${typed} wrote: ${out}${err}`);
  assert.equal(code, until === undefined ? 0 : 130, `${typed} ended with ${code}: ${out}${err}`);
  return until === undefined ? JSON.parse(out) : null;
}
