import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import pg from "pg";
import { expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { nodeTransport } from "vitrine/transport";
import { forkable } from "../support/bundle.ts";
import { postgresSocketUrl } from "../support/postgres-url.ts";
import { createShop } from "../support/shop.ts";

test("a worker that is paused past its lease changes nothing afterwards, except by a late success", {
  timeout: 120_000,
}, async () => {
  const held: { readonly attempt: string; readonly res: ServerResponse }[] = [];
  const server = createServer((req, res) => {
    req.resume().once("end", () => {
      if (first) held.push({ attempt: String(req.headers["x-service-attempt"]), res });
      else res.writeHead(500).end();
    });
  }).listen(0, "127.0.0.1");
  let first = true;
  await once(server, "listening");
  const address = server.address();
  const target = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;

  const schema = `paused_${process.pid}`;
  const url = await postgresSocketUrl();
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  const storage = postgresStorage(pool, { schema });
  await storage.migrate();
  const shop = await createShop(storage, {
    now: Date.now,
    transport: nodeTransport({ allowTargets: [target], warn: () => {} }),
    webhooks: { scheduleMs: [3_600_000], leaseMs: 20_000 },
  });
  const partition = { store_id: shop.a.id, livemode: false };
  await shop.owner.endpoints.create({
    ...partition,
    url: `${target}/in`,
    event_types: ["order.paid"],
  });
  await shop.buy();
  await shop.buy();

  const args = ["postgres", url, schema, target, "[3600000]"];
  const worker = (await forkable("test/chaos/worker.ts"))(args);
  await expect.poll(() => held.length).toBe(2);
  first = false;
  worker.kill("SIGSTOP");
  held[0]?.res.writeHead(204).end();
  held[1]?.res.writeHead(500).end();
  await new Promise((done) => setTimeout(done, 20_500));

  expect(await shop.storefront.drainWebhooks({ timeoutMs: 1_000 })).toMatchObject({
    attempted: 2,
    rescheduled: 2,
  });
  const before = (await shop.owner.deliveries.list(partition)).data;
  worker.kill("SIGCONT");
  await new Promise((done) => setTimeout(done, 1_500));
  const ended = once(worker, "exit");
  worker.kill("SIGTERM");
  await ended;
  const after = (await shop.owner.deliveries.list(partition)).data;
  // The worker's own deadline may have passed when it wakes: then it reports nothing.
  const delivered = after.filter(({ state }) => state === "delivered");
  expect(delivered.length).toBeLessThanOrEqual(1);
  expect(after.filter(({ state }) => state !== "delivered")).toEqual(
    before.filter(({ event_id }) => !delivered.some((row) => row.event_id === event_id)),
  );
  expect(before.map(({ state, attempts }) => [state, attempts])).toEqual([
    ["pending", 1],
    ["pending", 1],
  ]);
  server.closeAllConnections();
  server.close();
  await pool.query(`drop schema "${schema}" cascade`);
  await pool.end();
});
