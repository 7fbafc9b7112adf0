import { createServer } from "node:http";
import { expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { newProject, type Project, sqliteHost } from "./project.ts";

const day = 86_400_000;

const program = (body: string): string => `import { storefront } from "./vitrine.config.mjs";
import { toNode } from "vitrine/node";
import { createServer } from "node:http";
${body}`;

async function openShop(host = sqliteHost) {
  const project = await newProject();
  project.write("vitrine.config.mjs", host);
  await project.json("migrate --yes");
  return { project, seeded: await project.json("seed") };
}

/** Reads what the store has, in a process of its own. */
async function read(project: Project, expression: string) {
  project.write("read.mjs", program(`console.log(JSON.stringify(await ${expression}));`));
  const { out, err } = await project.node("read.mjs").ended;
  if (err !== "") throw new Error(err);
  return JSON.parse(out);
}

test("clock turns the test mode on by spans and to a time, and does what comes due", async () => {
  const { project, seeded } = await openShop();
  const { store_id } = seeded;
  const made = await project.json("trigger subscription.created");
  const { id } = made.payload.data.subscription;
  const where = `store_id: "${store_id}", livemode: false`;
  await read(
    project,
    `storefront.subscriptions.cancel("${id}", { ${where}, at_period_end: true })`,
  );

  expect(await project.json("clock")).toMatchObject({ store_id, status: "ready", offset_ms: 0 });
  const turned = await project.json("clock --by 62d");
  expect(turned).toMatchObject({ status: "ready", offset_ms: 62 * day });

  const events = await read(project, `storefront.owner.events.list({ ${where}, limit: 100 })`);
  const types: string[] = events.data.map((event: { type: string }) => event.type);
  expect(types).toContain("subscription.canceled");

  const until = new Date(Date.parse(turned.now) + 30 * day).toISOString();
  const later = await project.json(`clock --until ${until}`);
  expect(Math.abs(later.offset_ms - 92 * day)).toBeLessThan(60_000);

  const refused = [
    "clock --by 9",
    "clock --until soon",
    "clock --until 2020-01-01",
    "clock --by 1d --until 2030-01-01",
    "clock --by 1d --live",
  ];
  for (const words of refused) expect((await project.run(words)).code, words).toBe(2);
  const far = await project.run("clock --by 400d");
  expect([far.code, far.err]).toEqual([2, expect.stringContaining("400 days")]);
}, 60_000);

test("stats tells the orders and the money of the last hours, once or until Ctrl-C", async () => {
  const { project } = await openShop();
  await project.json("trigger order.paid");
  const { stats } = await project.json("stats --hours 1");
  expect(stats.currencies[0].totals.orders_paid).toBe(1);

  await project.json("clock --by 1d");
  await project.json("trigger order.paid");
  const later = (await project.json("stats --hours 1")).stats;
  expect(later.currencies[0]?.totals.orders_paid).toBe(1);

  const watching = project.start("stats --watch --every 1 --json");
  const sizeOf = () => watching.text().trim().split("\n").length;
  await expect.poll(sizeOf, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
  watching.process.kill("SIGINT");
  expect((await watching.ended).code).toBe(130);
}, 60_000);

test("replay sends again what an endpoint missed, and no earlier event", async () => {
  const port = await freePort();
  const { project, seeded } = await openShop();
  const target = `http://127.0.0.1:${port}/hook`;
  const env = { TRANSPORT: JSON.stringify({ allowTargets: [`http://127.0.0.1:${port}`] }) };
  const { id } = await project.json(`endpoints create url=${target}`, { env });
  const paid = await project.json("trigger order.paid", { env });
  // Nobody listens: each of the tries fails.
  const fail = `storefront.owner.testClock.advance({ store_id: "${seeded.store_id}", ms: ${10 * day} })`;
  project.write("fail.mjs", program(`await ${fail};`));
  expect((await project.node("fail.mjs", env).ended).code).toBe(0);

  const got: string[] = [];
  const server = createServer(async (request, response) => {
    got.push(JSON.parse(Buffer.concat(await request.toArray()).toString()).id);
    response.end();
  }).listen(port, "127.0.0.1");
  try {
    await project.run(`endpoints update ${id} state=enabled --yes`, { env });
    const again = await project.json(`replay --endpoint ${id} --since 2h --yes`, { env });
    expect(again.recovered).toBeGreaterThan(0);
    await project.json("drain --yes", { env });
    expect(got).toContain(paid.id);
    expect(new Set(got).size).toBe(got.length);
  } finally {
    server.close();
  }
  expect((await project.run(`replay --endpoint ${id}`, { env })).code).toBe(2);
}, 60_000);

test("requests tail shows each answer of the host once, with the code of a refusal", async () => {
  const { project, seeded } = await openShop();
  const port = await freePort();
  const listen = `const handle = toNode(storefront);
createServer((q, s) => handle(q, s, () => s.writeHead(404).end())).listen(${port}, () =>
  console.log("listening"));`;
  project.write("host.mjs", program(listen));
  await project.node("host.mjs").wrote("listening");

  const tail = project.start("requests tail --json");
  await tail.wrote("").catch(() => {});
  const ask = (path: string) =>
    fetch(`http://localhost:${port}/v1${path}`, {
      headers: { authorization: `Bearer ${seeded.secret_key}` },
    });
  const linesOf = () =>
    tail
      .text()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
  await expect
    .poll(
      async () => {
        await ask("/products/none");
        return linesOf().some(
          ({ status, code }) => status === 404 && code === "resource_not_found",
        );
      },
      { timeout: 30_000, interval: 1_000 },
    )
    .toBe(true);
  const ids = linesOf().map((line) => line.id);
  expect(new Set(ids).size).toBe(ids.length);
  tail.process.kill("SIGINT");
  expect((await tail.ended).code).toBe(130);
}, 60_000);
