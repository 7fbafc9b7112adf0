import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { describe, expect, test } from "vitest";
import { eventTypes, type WebhookEvent } from "vitrine";
import { verifyWebhook } from "vitrine/webhooks";
import { afterEveryTest } from "../support/after-test.ts";
import { freePort } from "../support/free-port.ts";
import { sqliteHost } from "./project.ts";
import { listenerState, openShop, stateFiles } from "./served-shop.ts";

const day = 86_400_000;
const servers: Server[] = [];
afterEveryTest(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Receiver {
  readonly url: string;
  readonly got: { readonly id: string; readonly header: string; readonly body: string }[];
  stop(): Promise<void>;
}

async function openReceiver(port: number, got: Receiver["got"] = []): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const header = String(request.headers["x-service-signature"]);
    got.push({ id: JSON.parse(body).id, header, body });
    response.end();
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url: `http://127.0.0.1:${port}/hook`, got, stop };
}

test("trigger makes every type happen, on real test objects", async () => {
  const { project, env } = await openShop("sqlite", "limits: { checkout: null },");
  // The sandbox fails a refund after a minute, so this clock runs as fast as an hour a minute.
  const clock = "now: () => begun + (Date.now() - begun) * 60,\n  requestLog";
  const fast = sqliteHost
    .replace("requestLog", clock)
    .replace("export", "const begun = Date.now();\nexport");
  project.write("fast.config.mjs", fast);
  for (const type of eventTypes) {
    const event = await project.json(`trigger ${type}${fastFor(type)}`, { env });
    expect([event.type, event.payload.livemode]).toEqual([type, false]);
  }
  // The clock went to the day of the notice, and no further.
  const { offset_ms } = await project.json("clock", { env });
  expect([offset_ms > 24 * day, offset_ms < 31 * day]).toEqual([true, true]);
  const silent = sqliteHost.replace("requestLog", "renewals: { noticeDays: 0 },\n  requestLog");
  project.write("silent.config.mjs", silent);
  const words = "trigger subscription.renewal_upcoming --config silent.config.mjs";
  const never = await project.run(words, { env });
  expect([never.code, never.err]).toEqual([1, expect.stringContaining("renewals.noticeDays is 0")]);
  const paid = await project.json("trigger order.paid", { env });
  const order = paid.payload.data.order.id;
  const refunded = await project.json(`trigger order.refunded --order ${order}`, { env });
  expect(refunded.payload.data.order.id).toBe(order);
  expect((await project.run("trigger order.paid --live", { env })).code).toBe(2);
  expect((await project.json(`events show ${paid.id}`, { env })).payload.id).toBe(paid.id);
}, 400_000);

const fastFor = (type: string): string =>
  type === "order.refund_failed" ? " --config fast.config.mjs" : "";

describe.each(["sqlite", "postgres"] as const)("listening on %s", (kind) => {
  test("listen loses nothing while it, the host and the receiver are killed", async () => {
    const { project, env, seeded } = await openShop(kind);
    const [apiPort, hookPort] = [await freePort(), await freePort()];
    const hostEnv = { ...env, PORT: String(apiPort) };
    const keyEnv = { VITRINE_API_KEY: seeded.secret_key };
    let host = project.node("host.mjs", hostEnv);
    await host.wrote("listening");
    const got: Receiver["got"] = [];
    let receiver = await openReceiver(hookPort, got);
    const words = `listen --url http://localhost:${apiPort}/v1 --forward-to ${receiver.url}`;
    const expected: string[] = [];
    const trigger = async (): Promise<void> => {
      expected.push((await project.json("trigger order.paid", { env })).id);
    };
    const arrived = () =>
      expect.poll(() => expected.filter((id) => !got.some((each) => each.id === id))).toEqual([]);

    let listener = project.start(words, { env: keyEnv });
    await listener.wrote("Ready.");
    await trigger();
    await arrived();

    listener.process.kill("SIGKILL");
    await trigger();
    await receiver.stop();
    listener = project.start(words, { env: keyEnv });
    await listener.wrote("no answer");
    host.process.kill("SIGKILL");
    await host.ended;
    await trigger();
    receiver = await openReceiver(hookPort, got);
    host = project.node("host.mjs", hostEnv);
    await arrived();

    const sequences = [...new Map(got.map((each) => [each.id, JSON.parse(each.body)])).values()];
    const numbers = sequences.map(({ sequence }) => sequence);
    expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));

    const state = listenerState(project);
    const { header, body: rawBody } = got.at(-1) ?? { header: "", body: "" };
    const verdict = await verifyWebhook<WebhookEvent>({ rawBody, header, secret: state.secret });
    expect(verdict.ok).toBe(true);

    const again = got.length;
    await project.json(`events resend ${expected[0]}`, { env });
    await expect.poll(() => got.slice(again).map(({ id }) => id)).toContain(expected[0]);
    expect((await project.json("endpoints list", { env })).data).toEqual([]);

    const key = seeded.secret_key;
    const commandLine = readFileSync(`/proc/${listener.process.pid}/cmdline`, "utf8");
    expect(commandLine + listener.text() + host.text()).not.toContain(key);
    expect(JSON.stringify(stateFiles(project))).not.toContain(key);
    listener.process.kill("SIGINT");
    expect((await listener.ended).code).toBe(130);
  });
});
