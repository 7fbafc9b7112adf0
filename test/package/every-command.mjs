// Runs every command of the table once from the installed package, and prints how long each took.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { tsImport } from "tsx/esm/api";
import { quiet } from "./try-host.mjs";

const { commands } = await tsImport("../../adapters/cli/commands/table.ts", import.meta.url);

/** An address that a store may have, though nobody is told anything there. */
const unusedUrl = "https://8.8.8.8/hook";

/**
 * What is typed for each command, in this order. `{name}` stands for what an earlier answer gave.
 * A command with `until` goes on until Ctrl-C.
 */
const runs = [
  { typed: "init --host node --database sqlite --no-install", folder: "again" },
  { typed: "migrate --yes" },
  { typed: "doctor" },
  { typed: "sql postgres --out shop.sql" },
  { typed: "stores list" },
  { typed: "stores show" },
  { typed: "stores update name=Armazém" },
  { typed: "products create name=Tea price:=900 currency=BRL", gives: { product: "id" } },
  { typed: "products list" },
  { typed: "products show {product}" },
  { typed: "products update {product} price:=950" },
  { typed: "products delete {product}" },
  { typed: "keys create kind=secret --secret-to key.txt", gives: { key: "id" } },
  { typed: "keys list" },
  { typed: "keys show {key}" },
  { typed: "keys revoke {key}" },
  { typed: "origins add https://shop.example.com" },
  { typed: "origins list" },
  { typed: "origins remove https://shop.example.com" },
  { typed: "return-urls add https://shop.example.com/ok" },
  { typed: "return-urls list" },
  { typed: "return-urls remove https://shop.example.com/ok" },
  {
    typed: "coupons create code=TEN discount_type=percentage discount_amount:=10",
    gives: { coupon: "id" },
  },
  { typed: "coupons list" },
  { typed: "coupons show {coupon}" },
  { typed: "coupons update {coupon} enabled:=false" },
  { typed: "coupons delete {coupon}" },
  {
    typed: `endpoints create url=${unusedUrl} event_types:=["order.chargeback"]`,
    gives: { endpoint: "id" },
  },
  { typed: "endpoints list" },
  { typed: "endpoints show {endpoint}" },
  { typed: `endpoints update {endpoint} url=${unusedUrl}s` },
  { typed: "trigger order.paid", gives: { event: "id" } },
  { typed: "events show {event}" },
  { typed: "events tail --since start --url {url}", until: "order.paid" },
  { typed: "listen --since start --url {url} --forward-to {receiver}", until: "order.paid" },
  { typed: "events resend {event}" },
  { typed: "replay --endpoint {endpoint} --since 2h" },
  { typed: "endpoints delete {endpoint}" },
  { typed: "requests tail", until: '"status"', asks: true },
  { typed: "drain --yes" },
  { typed: "maintain --yes" },
  { typed: "archive --folder archive --month 2024-03 --yes" },
  { typed: "clock --by 1d" },
  { typed: "stats --hours 1" },
  { typed: "import products.jsonl" },
  { typed: "openapi --out openapi.json" },
  { typed: "conformance --grep refund --yes" },
  { typed: "mock --port 0", until: "secret_key" },
  { typed: "completion bash" },
  // A second store makes the commands above ask which one they are about.
  { typed: "stores create name=Second currency=BRL --yes" },
  { typed: "seed --name Third --secret-to third.txt" },
];

/** `host` is what `seed` gave, and the address of the API that serves it. */
export async function tryCommands(project, host) {
  const names = commands.map(({ name }) => name);
  const untried = names.filter((name) => !runs.some(({ typed }) => typed.startsWith(name)));
  assert.deepEqual(untried, [], "Every command of the table is run.");

  const receiver = createServer((_request, response) => response.end()).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const known = { url: host.url, receiver: `http://127.0.0.1:${receiver.address().port}/hook` };
  mkdirSync(join(project, "again"));
  const product = { slug: "mug", name: "Mug", price: 4_200 };
  writeFileSync(join(project, "products.jsonl"), `${JSON.stringify(product)}\n`);

  console.log("  seconds  command");
  try {
    for (const each of runs) {
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
