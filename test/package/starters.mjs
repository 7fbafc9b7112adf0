// Installs the packed package in a copy of examples/starter-express, runs its tests, starts it as its
// README says, and buys from it. It needs `npm run build` before.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "vitrine-starter-"));
const run = (command, args, cwd, env = {}) =>
  execFileSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });

async function check() {
  cpSync(join(root, "examples/starter-express"), folder, { recursive: true });
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], root);
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  run(
    "npm",
    [
      ...["install", "--silent", "--no-audit", "--no-fund", "--prefer-offline"],
      ...["--ignore-scripts", `./${tarball}`],
    ],
    folder,
  );
  useDriver();

  const env = {
    PORT: "0",
    PUBLIC_URL: "http://localhost:3000",
    SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
    SQLITE_FILE: join(folder, "shop.sqlite"),
  };
  run("npm", ["test", "--silent"], folder, env);
  const made = JSON.parse(run("npm", ["run", "setup", "--silent"], folder, env));

  const server = spawn(process.execPath, ["--import", "tsx", "server.ts"], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let output = "";
    server.stdout.on("data", (chunk) => {
      output += chunk;
    });
    const until = async (words) => {
      while (!words.test(output)) {
        if (server.exitCode !== null) throw new Error(`The server ended: ${output}`);
        await new Promise((done) => setTimeout(done, 50));
      }
      return words.exec(output);
    };
    const [, port] = await until(/Listening on port (\d+)/);
    await buy(`http://127.0.0.1:${port}`, made);
    await until(/Order 1 is paid: Coffee/);
  } finally {
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    const [code] = await ended;
    if (code !== 0) process.exitCode = 1;
  }
}

/** Takes the driver of this repository, because compiling another one can take a minute. */
function useDriver() {
  const driver = join(root, "node_modules/better-sqlite3");
  // Without it the storage takes the SQLite that Node has built in.
  if (!existsSync(driver)) return;

  const copy = join(folder, "node_modules/better-sqlite3");
  rmSync(copy, { recursive: true, force: true });
  symlinkSync(realpathSync(driver), copy, "junction");
}

/** Buys with the key of the set-up, and pays on the checkout page as a browser does. */
async function buy(origin, { key, product_id }) {
  const back = "http://localhost:3000/thanks";
  const made = await fetch(`${origin}/v1/checkout/sessions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": "1",
    },
    body: JSON.stringify({
      items: [{ product_id, quantity: 1 }],
      success_url: back,
      cancel_url: back,
    }),
  });
  const { data } = await made.json();
  const { pathname } = new URL(data.checkout_url);
  const page = await (await fetch(origin + pathname)).text();
  const fields = new URLSearchParams(
    [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name, value]) => [name, value],
    ),
  );
  const [, method] = /name="payment_method_id" value="([^"]+)"/.exec(page) ?? [];
  for (const [name, value] of [
    ["payment_method_id", method],
    ["name", "Ana"],
    ["email", "ana@example.com"],
    ["outcome", "succeed"],
    ["action", "pay"],
  ])
    fields.set(name, value);
  const paid = await fetch(origin + pathname, {
    method: "POST",
    body: fields,
    headers: { origin: "http://localhost:3000", "sec-fetch-site": "same-origin" },
    redirect: "manual",
  });
  if (paid.status !== 303 || paid.headers.get("location") !== back)
    throw new Error(`The payment answered ${paid.status}: ${await paid.text()}`);

  const health = await fetch(`${origin}/v1/readyz`);
  const closed = await fetch(`${origin}/dashboard`);
  if (health.status !== 200 || closed.status !== 401)
    throw new Error(`readyz answers ${health.status}, the dashboard ${closed.status}.`);
}

try {
  await check();
  console.log("The starter installs, passes its tests, sells, and ends in order.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
