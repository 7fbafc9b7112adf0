import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type { WebhookEvent } from "vitrine";
import { createClient } from "vitrine/client";
import { verifyWebhook } from "vitrine/webhooks";
import { freePort } from "../support/free-port.ts";
import type { Project, RunningCommand } from "./project.ts";
import { listenerState, openShop, stateFiles } from "./served-shop.ts";

// `LISTEN_KILLS=100 npx vitest run --project unit test/cli/listen-kills` is the long form.
const rounds = Number(process.env["LISTEN_KILLS"] ?? 8);

/**
 * Answers once the message is on the disk, as a receiver must. Some kill it, before they are written
 * or before they are answered.
 */
const receiverProgram = `import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const header = request.headers["x-service-signature"];
  const die = () => Math.random() < 1 / 40 && process.kill(process.pid, "SIGKILL");
  die();
  appendFileSync("got.jsonl", JSON.stringify({ header, body }) + "\\n", { flush: true });
  die();
  setTimeout(() => response.end(), 20);
}).listen(process.env.PORT, "127.0.0.1", () => console.log("listening"));
`;

/** Sells until it is asked to stop, in a process that nobody kills. */
const sellerProgram = `import { createClient } from "vitrine/client";
import { storefront } from "./vitrine.config.mjs";
const { KEY: key, PRODUCT: product_id } = process.env;
const fetch = (address, init) => storefront.handler(new Request(address, init));
const client = createClient({ baseUrl: "http://localhost/v1", key, fetch });
const { data: store } = await client.getStore();
const [method] = await storefront.owner.paymentMethods.list(store.id);
let goesOn = true;
process.on("SIGTERM", () => { goesOn = false; });
while (goesOn) {
  const back = "http://localhost:3000/thanks";
  const items = [{ product_id, quantity: 1 }];
  const { data } = await client.createCheckoutSession({ items, success_url: back, cancel_url: back });
  await storefront.checkout.submit(data.checkout_url.split("/").at(-1), {
    payment_method_id: method.id,
    customer: { id: "ana", email: "ana@example.com", name: "Ana" },
  });
  console.log("sold");
  await new Promise((done) => setTimeout(done, 800));
}
process.exit();
`;

/** Kills the process in every fortieth write of a file, while the file is half written. */
const killInWrites = `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { writeSync } = fs;
fs.writeSync = (handle, text) => {
  if (Math.random() > 1 / 40) return writeSync(handle, text);
  writeSync(handle, text.slice(0, text.length / 2));
  process.kill(process.pid, "SIGKILL");
};
syncBuiltinESMExports();
`;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const upTo = (most: number): number => Math.floor(Math.random() * most);
const hasEnded = ({ process: { exitCode, signalCode } }: RunningCommand): boolean =>
  exitCode !== null || signalCode !== null;

/** Starts a process whenever it is not there, up to a second later, and counts its starts. */
function keepAlive(start: () => RunningCommand) {
  let running = start();
  let starts = 1;
  let startsAt = Number.POSITIVE_INFINITY;
  const timer = setInterval(() => {
    if (!hasEnded(running)) return;
    startsAt = Math.min(startsAt, Date.now() + upTo(1_000));
    if (startsAt > Date.now()) return;
    startsAt = Number.POSITIVE_INFINITY;
    running = start();
    starts += 1;
  }, 50);
  return {
    current: () => running,
    starts: () => starts,
    kill: () => void running.process.kill("SIGKILL"),
    stop: () => clearInterval(timer),
  };
}

interface Got {
  readonly header: string;
  readonly body: string;
}

const gotBy = ({ folder }: Project): readonly Got[] =>
  readFileSync(join(folder, "got.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line));
const eventOf = ({ body }: Got): WebhookEvent => JSON.parse(body);

describe.each(["sqlite", "postgres"] as const)("vitrine listen, on %s", (kind) => {
  test("forwards each event in order, and what is resent, while all three are killed at random", {
    timeout: 150_000 + rounds * 10_000,
  }, async ({ onTestFinished }) => {
    const { project, env, seeded } = await openShop(kind, "limits: { checkout: null },");
    project.write("receiver.mjs", receiverProgram);
    project.write("seller.mjs", sellerProgram);
    project.write("kill.mjs", killInWrites);
    writeFileSync(join(project.folder, "got.jsonl"), "");
    const [apiPort, hookPort] = [await freePort(), await freePort()];
    const baseUrl = `http://127.0.0.1:${apiPort}/v1`;
    const target = `http://127.0.0.1:${hookPort}/hook`;
    const kills = pathToFileURL(join(project.folder, "kill.mjs")).href;
    const keyEnv = { VITRINE_API_KEY: seeded.secret_key };

    const host = keepAlive(() => project.node("host.mjs", { ...env, PORT: String(apiPort) }));
    await host.current().wrote("listening");
    const words = `listen --url ${baseUrl} --forward-to ${target}`;
    const first = project.start(words, { env: keyEnv });
    await first.wrote("Ready.");
    first.process.kill("SIGKILL");
    const { secret } = listenerState(project);
    const listener = keepAlive(() =>
      project.start(words, { env: { ...keyEnv, NODE_OPTIONS: `--import ${kills}` } }),
    );
    const receiver = keepAlive(() => project.node("receiver.mjs", { PORT: String(hookPort) }));
    const all = [host, listener, receiver];
    onTestFinished(() => all.forEach(({ stop }) => void stop()));

    const { secret_key: KEY, product_id: PRODUCT } = seeded;
    const seller = project.node("seller.mjs", { ...env, KEY, PRODUCT });
    await seller.wrote("sold");
    await expect.poll(() => gotBy(project).length, { timeout: 60_000 }).toBeGreaterThan(3);

    const resent: { readonly id: string; readonly behind: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await pause(upTo(1_500));
      for (const each of all.filter(() => Math.random() < 0.5)) each.kill();
      if (round % 3 !== 1) continue;
      const got = gotBy(project);
      const { id } = eventOf(got[upTo(3)] as Got);
      resent.push({ id, behind: got.length });
      await project.json(`events resend ${id} --listeners-only`, { env });
    }
    seller.process.kill("SIGTERM");
    await seller.ended;
    for (const each of all) each.kill();

    await expect.poll(() => fetch(`${baseUrl}/healthz`).catch(() => null)).not.toBeNull();
    const client = createClient({ baseUrl, key: KEY });
    const written: string[] = [];
    for await (const { id } of client.listEvents({ limit: 100 })) written.push(id);
    const missing = () => {
      const got = gotBy(project).map(eventOf);
      const again = resent.filter(
        ({ id, behind }) => !got.slice(behind).some((it) => it.id === id),
      );
      return [...written.filter((id) => !got.some((it) => it.id === id)), ...again];
    };
    await expect.poll(missing, { timeout: 90_000 }).toEqual([]);
    await expect.poll(() => listenerState(project).cursor).toBe(written.at(-1));
    for (const { stop } of all) stop();

    // The first time that each arrived, all are in their order.
    expect([...new Set(gotBy(project).map((each) => eventOf(each).id))]).toEqual(written);
    for (const { body: rawBody, header } of gotBy(project))
      expect(await verifyWebhook({ rawBody, header, secret })).toMatchObject({ ok: true });
    expect(listenerState(project).secret).toBe(secret);
    stateFiles(project);
    for (const { starts } of all) expect(starts()).toBeGreaterThan(1);
    expect(written.length).toBeGreaterThan(rounds);
    expect((await project.json("endpoints list", { env })).data).toEqual([]);
  });
});
