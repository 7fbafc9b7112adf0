import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { postgresUrl } from "../support/postgres-url.ts";
import { codeOf, createShop, type Shop } from "../support/shop.ts";
import { openPostgresOn } from "../support/storages.ts";

const quiet = { now: Date.now, limits: { checkout: null } };
const submit = (shop: Shop, made: Awaited<ReturnType<Shop["session"]>>) =>
  shop.storefront.checkout.submit(shop.tokenOf(made), { payment_method_id: shop.a.method_id });

describe("PostgreSQL in trouble", () => {
  test("with connections killed under load, calls succeed or are 503, never 500; nothing is half-done, and the host goes on", async () => {
    const shop = await createShop(
      (await openPostgresOn({ application_name: "vitrine-victim" })).storage,
      quiet,
    );
    const admin = new pg.Client(await postgresUrl());
    await admin.connect();
    let killing = true;
    const kill = async (): Promise<void> => {
      while (killing) {
        await admin.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'vitrine-victim' and pid <> pg_backend_pid()",
        );
        await new Promise((done) => setTimeout(done, 100));
      }
    };
    const killer = kill();
    const acknowledged: string[] = [];
    const faults: unknown[] = [];
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          const made = await shop.session();
          if (made.status === 201) {
            acknowledged.push(made.body.data.id);
            await submit(shop, made).catch(
              (error: { code?: string }) =>
                error.code === "service_unavailable" || faults.push(error),
            );
          } else if (made.body.error.code !== "service_unavailable") faults.push(codeOf(made));
        }),
      );
    }
    killing = false;
    await killer;
    await admin.end();
    expect(faults).toEqual([]);
    // The host goes on without a restart.
    expect((await submit(shop, await shop.session())).status).toBe("paid");
    for (const id of acknowledged)
      expect(
        await shop.storage.checkout.findSession({ store_id: shop.a.id, livemode: false }, id),
      ).not.toBeNull();
    const events = await shop.storage.webhooks.listEvents({
      store_id: shop.a.id,
      livemode: false,
      limit: 10_000,
    });
    const orders = await shop.storage.orders.listOrders({
      store_id: shop.a.id,
      livemode: false,
      limit: 10_000,
    });
    if (events.outcome !== "listed" || orders.outcome !== "listed") throw new Error("not listed");
    expect(events.events.map((event) => event.sequence)).toEqual(
      events.events.map((_, index) => index + 1),
    );
    const paid = orders.orders.filter((order) => order.status === "paid").length;
    expect(events.events.filter((event) => event.type === "order.paid")).toHaveLength(paid);
    expect(events.events.filter((event) => event.type === "order.created")).toHaveLength(
      orders.orders.length,
    );
    expect(paid).toBeGreaterThan(0);
  });

  test("a pool without a free connection gives 503 with Retry-After instead of hanging", async () => {
    const pool = new pg.Pool({ connectionString: await postgresUrl(), max: 1 });
    const storage = postgresStorage(pool, { schema: "exhausted", acquireTimeoutMs: 200 });
    await storage.migrate();
    const held = await pool.connect();
    await expect(storage.access.findStore("str_x")).rejects.toMatchObject({
      code: "service_unavailable",
      details: { retry_after: 1 },
    });
    held.release();
    await expect.poll(() => storage.access.findStore("str_x")).toBeNull();
    await pool.query("drop schema exhausted cascade");
    await pool.end();
  });

  test("a COMMIT whose answer is lost, and the retry, make one session, one order, one set of events", async () => {
    const proxy = await commitEatingProxy(await postgresUrl());
    const url = new URL(await postgresUrl());
    url.host = `127.0.0.1:${proxy.port}`;
    const { storage } = await openPostgresOn({ connectionString: url.href });
    const shop = await createShop(storage, quiet);
    const made = await shop.session();
    proxy.eat();
    const second = await shop.session({}, { headers: { "idempotency-key": "lost" } });
    expect(second.status).toBe(201);
    expect((await shop.session({}, { headers: { "idempotency-key": "lost" } })).text).toBe(
      second.text,
    );
    proxy.eat();
    expect((await submit(shop, made)).order).toMatchObject({ number: 1, status: "paid" });
    proxy.eat();
    const complete = () =>
      shop.storefront.checkout.complete(second.body.data.id, {
        store_id: shop.a.id,
        livemode: false,
        reference: "r1",
        status: "paid",
        amount: 1000,
        currency: "BRL",
      });
    const order = await complete();
    expect(await complete()).toEqual(order);
    expect(proxy.eaten()).toBe(3);
    const events = await shop.get("/events?limit=100", { key: shop.a.test.sec });
    expect(events.body.data.map((event: { type: string }) => event.type)).toEqual([
      "order.created",
      "order.paid",
      "checkout.session.completed",
      "order.created",
      "order.paid",
      "checkout.session.completed",
    ]);
    await proxy.close();
  });
});

/**
 * A proxy that passes everything on. When it is told to, it cuts the connection once, as the answer
 * to a commit passes: of a COMMIT, or of the one statement that writes a session.
 */
async function commitEatingProxy(target: string) {
  const { hostname, port } = new URL(target);
  let hungry = false;
  let eaten = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let awaited: string | null = null;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (chunk) => {
      if (hungry && (chunk.includes("commit") || chunk.includes("with claimed as"))) {
        hungry = false;
        awaited = chunk.includes("commit") ? "COMMIT" : "INSERT 0 1";
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (awaited !== null && chunk.includes(awaited)) {
        eaten += 1;
        client.destroy();
      } else client.write(chunk);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    eat: () => {
      hungry = true;
    },
    eaten: () => eaten,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
